internal import Foundation
internal import Platform
internal import Synchronization

struct Leftovers: Hashable, Sendable {
  var sentence: String?
  var written: [String] = []
  var isPrinted = false

  private static let longestCommand = 1_000
  private static let mostNames = 8

  func stopMessage(_ words: [String]) -> String {
    if let sentence { return "stopped; " + sentence }
    var states: [String] = []
    if written.count > Self.mostNames {
      states.append("\(NumberText.count(written.count)) files were written")
    } else if !written.isEmpty {
      states.append("wrote only \(written.joined(separator: ", "))")
    }
    if isPrinted { states.append("the printed result may be incomplete") }
    if states.isEmpty { states.append("nothing was written") }
    return "stopped; \(states.joined(separator: "; ")); \(Self.again(words))"
  }

  /// How to run a command again, with an option added unless it is there; a very long one is not
  /// repeated.
  static func again(
    _ words: [String], with option: String? = nil, purpose: String = "run again"
  ) -> String {
    let command = ShellWord.command(words, with: option)
    if command.count <= longestCommand { return "\(purpose): \(command)" }
    return option.map { "\(purpose), run the same command with \($0)" }
      ?? "run the same command again"
  }
}

enum Interruption {
  private static let leftovers = Mutex(Leftovers())

  static func say(_ sentence: String?) { leftovers.withLock { $0.sentence = sentence } }

  static func noteWritten(_ path: String) { leftovers.withLock { $0.written.append(path) } }

  static func notePrinted() { leftovers.withLock { $0.isPrinted = true } }

  /// Makes signals remove all staged places before they end the process; ignored ones stay ignored.
  ///
  /// The handler only wakes a thread, which may do what a signal handler may not.
  static func prepare() {
    signal(SIGXFSZ, SIG_IGN)
    guard wakingPipe.writer >= 0, let thread = WorkerThreads.start(waitForSignal) else { return }
    pthread_detach(thread)
    for number in ends where !isIgnored(number) {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        let code = errno
        _ = write(Interruption.wakingPipe.writer, &byte, 1)
        errno = code
      }
    }
  }

  private static let ends = [SIGINT, SIGTERM, SIGHUP]

  @Sendable private static func waitForSignal() {
    var byte: UInt8 = 0
    while true {
      let count = read(wakingPipe.reader, &byte, 1)
      if count == 1 { break }
      guard count < 0, errno == EINTR else {
        // Nobody hears of a signal any more: each ends the process by itself again.
        for number in ends where !isIgnored(number) { signal(number, SIG_DFL) }
        return
      }
    }
    StagingPlaces.removeAll { end(by: Int32(byte)) }
  }

  private static let wakingPipe: (reader: Int32, writer: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return (reader: -1, writer: -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (reader: ends[0], writer: ends[1])
  }()

  private static func end(by number: Int32) {
    if takesText(STDERR_FILENO) {
      let left = leftovers.withLock { $0 }
      Terminal.say(left.stopMessage(CommandLine.arguments), isFinal: true)
    }
    signal(number, SIG_DFL)
    // This thread was created by one that leaves signals to others.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }

  /// Whether a terminal or a pipe takes text soon: one that nobody reads must not delay the end.
  private static func takesText(_ descriptor: Int32) -> Bool {
    var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&place, 1, patience) == 1 && place.revents & Int16(POLLOUT) != 0
  }

  private static let patience: Int32 = 1_000

  private static func isIgnored(_ number: Int32) -> Bool {
    let handler = signal(number, SIG_DFL)
    guard unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) else {
      return false
    }
    signal(number, SIG_IGN)
    return true
  }
}
