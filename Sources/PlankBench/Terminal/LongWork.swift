internal import Platform
internal import Reports
internal import Synchronization

/// A progress bar in the last line of stderr; a step of more than ten seconds also gets a line for
/// logs.
final class LongWork: Sendable {
  private let isTerminal: Bool
  private let startedAt = ContinuousClock.now
  private let progress: Mutex<WorkProgress>

  init(_ steps: [WorkProgress.Step] = []) {
    progress = Mutex(WorkProgress(steps))
    isTerminal = Terminal.showsBars
  }

  var report: ProgressReport { { [self] done, total, what in take(done, of: total, what) } }

  private func take(_ done: Int, of total: Int, _ what: String) {
    progress.withLock { progress in
      let update = progress.take(
        done, of: total, what, at: (ContinuousClock.now - startedAt) / .seconds(1))
      if let estimate = update.estimate { Terminal.say(estimate) }
      guard isTerminal, let status = update.status else { return }
      Terminal.draw(status.isLast ? nil : status.line(width: Terminal.errorWidth))
    }
  }
}

struct WorkProgress {
  struct Step: Hashable, Sendable, ExpressibleByStringLiteral {
    let what: String
    var share: Double?

    init(_ what: String, share: Double? = nil) {
      self.what = what
      self.share = share
    }

    init(stringLiteral what: String) { self.init(what) }
  }

  struct Update {
    var status: WorkStatus?
    var estimate: String?
  }

  static let trial = 1.0
  static let long = 10.0
  private static let pause = 0.1

  private let steps: [Step]
  private var place: Int?
  private var current = WorkStatus(done: 0, total: 0, what: "")
  private var firstDone = 0
  private var startedAt = 0.0
  private var drawnAt = -Double.infinity
  private var isAnnounced = false
  private var spent = (seconds: 0.0, share: 0.0)

  init(_ steps: [Step]) { self.steps = steps }

  mutating func take(_ done: Int, of total: Int, _ what: String, at time: Double) -> Update {
    guard total > 0 else { return Update() }
    let isNew = what != current.what || total != current.total
    if isNew || (done == 0 && current.isLast) {
      begin(done, of: total, what, at: time)
    } else if done <= current.done {
      return Update()
    }
    current.done = done
    estimate(at: time)
    let isDue = time - drawnAt >= Self.pause || current.isLast
    if isDue { drawnAt = time }
    if current.isLast, let share = place.flatMap({ steps[$0].share }) {
      spent.seconds += time - startedAt
      spent.share += share
    }
    return Update(status: isDue ? current : nil, estimate: announcement(at: time))
  }

  private mutating func begin(_ done: Int, of total: Int, _ what: String, at time: Double) {
    let next = place.map { $0 + 1 } ?? 0
    if let found = steps[min(next, steps.count)...].firstIndex(where: { $0.what == what }) {
      place = found
    }
    let isKnown = place.map { steps[$0].what == what } ?? false
    isAnnounced = isAnnounced && current.isWhole
    current = WorkStatus(
      done: done, total: total, what: what,
      step: isKnown ? place.map { $0 + 1 } : nil, steps: steps.count)
    (firstDone, startedAt, drawnAt) = (done, time, -.infinity)
  }

  private mutating func estimate(at time: Double) {
    let elapsed = time - startedAt
    guard current.done > firstDone, elapsed >= Self.trial else { return }
    let share = Double(current.done - firstDone) / Double(current.total - firstDone)
    current.secondsLeft = elapsed / share * (1 - share)
    current.isWhole = current.step == nil || current.step == steps.count
    guard let place, current.step != nil, let own = steps[place].share else { return }
    let rest = steps[(place + 1)...].map(\.share)
    guard !rest.contains(nil) else { return }
    let speed = (spent.seconds + elapsed) / (spent.share + own * share)
    current.secondsLeft? += speed * rest.reduce(0) { $0 + ($1 ?? 0) }
    current.isWhole = true
  }

  private mutating func announcement(at time: Double) -> String? {
    guard !isAnnounced, !current.isLast, let left = current.secondsLeft,
      left + time - startedAt >= Self.long
    else { return nil }
    isAnnounced = true
    return current.announcement(seconds: left + time - startedAt)
  }
}

struct WorkStatus: Hashable, Sendable {
  var done: Int
  var total: Int
  var what: String
  var step: Int?
  var steps = 0
  var secondsLeft: Double?
  var isWhole = true

  var isLast: Bool { done >= total }

  private static let longestBar = 30
  private static let shortestBar = 10

  /// Narrower than the terminal, because a full line would wrap and stay.
  func line(width: Int) -> String {
    let text = "\(NumberText.count(done))/\(NumberText.count(total)) \(what)" + timeText
    let room = min(Self.longestBar, width - 1 - text.count - "[] ".count)
    guard room >= Self.shortestBar else { return String(text.prefix(max(0, width - 1))) }
    let filled = Int(Double(room) * min(1, Double(done) / Double(max(1, total))))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
    return "[\(bar)] \(text)"
  }

  private var timeText: String {
    guard let secondsLeft else { return "" }
    let left = ", \(TimeText.about(secondsLeft)) left"
    guard let step, steps > 1 else { return left }
    return isWhole ? left + ", step \(step) of \(steps)" : left + " in step \(step) of \(steps)"
  }

  func announcement(seconds: Double) -> String {
    let time = "estimate: about " + TimeText.about(seconds)
    let pieces = NumberText.count(total) + " " + what
    guard let step, steps > 1 else { return "\(time) for \(pieces)" }
    return isWhole && step < steps
      ? "\(time) for \(pieces) and the steps after them"
      : "\(time) for \(pieces), step \(step) of \(steps)"
  }
}

extension ConcurrentMap {
  static var cores: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

  static func run<Element: Sendable, Result: Sendable, Failure: Error>(
    _ elements: [Element], of what: String = "sequences", jobs: Int? = nil,
    progress: @escaping ProgressReport,
    _ body: @escaping @Sendable (Element) throws(Failure) -> Result
  ) async throws(Failure) -> [Result] {
    try await run(elements.count, jobs: jobs ?? cores) {
      progress($0, elements.count, what)
    } _: { (index) throws(Failure) in
      try body(elements[index])
    }
  }
}

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

  /// The handler only wakes a thread, which may do work that is forbidden in a signal handler.
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
        // No handler is left, so each signal must end the process by itself again.
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
    // The creator of this thread blocks signals, so the signal must be unblocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }

  /// A terminal or a pipe that nobody reads must not delay the end.
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
