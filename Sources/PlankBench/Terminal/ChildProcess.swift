internal import ArgumentParser
internal import Foundation
internal import Platform
internal import PoseDatasets
internal import Reports
internal import Synchronization

struct ChildProcess {
  struct Failure: Error, Hashable, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: strerror(code)) }
    var remedy: String { FileDescriptor.remedy(forLimit: code) ?? "run the command again" }
  }

  enum End: Hashable, Sendable {
    case exit(Int32)
    case signal(Int32)
    case unknown
  }

  typealias Reading = (Int32, UnsafeMutableRawBufferPointer) -> Int

  private let number: pid_t
  private let output: Int32

  init(
    _ program: String, _ arguments: [String], errors: String? = nil, keepsOutput: Bool = true,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    var ends: [Int32] = [-1, -1]
    if keepsOutput { guard Self.makePipe(&ends) == 0 else { throw Failure(code: errno) } }
    defer { if ends[1] >= 0 { close(ends[1]) } }
    do {
      number = try Self.started(
        [program] + arguments, environment.map { $0.key + "=" + $0.value },
        output: keepsOutput ? ends[1] : nil, errors: errors ?? "/dev/null")
    } catch {
      if ends[0] >= 0 { close(ends[0]) }
      throw error
    }
    output = ends[0]
  }

  private static func started(
    _ words: [String], _ variables: [String], output: Int32?, errors: String
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    try check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    try check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads of a pool block signals; a program that inherits this could not be stopped.
    var none = sigset_t()
    sigemptyset(&none)
    try check(posix_spawnattr_setsigmask(&attributes, &none))
    try check(posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)))
    try check(posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0))
    if let output {
      try check(posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO))
    } else {
      try check(posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0))
    }
    try check(
      posix_spawn_file_actions_addopen(
        &actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o666))
    var arguments = try copies(of: words)
    defer { for copy in arguments { free(copy) } }
    var settings = try copies(of: variables)
    defer { for copy in settings { free(copy) } }
    var number = pid_t()
    try check(
      starting.withLock { _ in
        posix_spawn(&number, words[0], &actions, &attributes, &arguments, &settings)
      })
    return number
  }

  private static func check(_ code: Int32) throws {
    guard code == 0 else { throw Failure(code: code) }
  }

  /// The caller frees the copies; a nil follows the last one.
  ///
  /// Throws if memory is refused, because a missing text would cut off all texts after it.
  static func copies(
    of texts: [String], _ copy: (String) -> UnsafeMutablePointer<CChar>? = { strdup($0) }
  ) throws -> [UnsafeMutablePointer<CChar>?] {
    var copies: [UnsafeMutablePointer<CChar>?] = []
    for text in texts {
      guard let copied = copy(text) else {
        for copy in copies { free(copy) }
        throw Failure(code: ENOMEM)
      }
      copies.append(copied)
    }
    return copies + [nil]
  }

  private static let starting = Mutex(())

  private static func makePipe(_ ends: inout [Int32]) -> Int32 {
    starting.withLock { _ in
      guard pipe(&ends) == 0 else { return -1 }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return 0
    }
  }

  func readOutput(
    _ reading: Reading = { read($0, $1.baseAddress, $1.count) }, _ take: ([UInt8]) -> Void
  ) throws {
    defer { close(output) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { reading(output, $0) }
      if count == 0 { return }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(code: errno) }
      take(Array(buffer[..<count]))
    }
  }

  func wait() -> End { while true { if let end = end(options: 0) { return end } } }

  var end: End? { end(options: WNOHANG) }

  private func end(options: Int32) -> End? {
    var status: Int32 = 0
    let found = waitpid(number, &status, options)
    if found == 0 || (found < 0 && errno == EINTR) { return nil }
    guard found == number else { return .unknown }
    let signal = status & 0x7F
    return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }
}

struct OpenOption: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Open the page in a browser.",
      discussion: "The environment variable BROWSER names the program to use; the default is "
        + "`open` (macOS) or `xdg-open` (Linux)."))
  var open = false

  func show(_ path: String) -> [String] {
    let weight = Self.weight(ofBytes: InputFiles.size(of: path))
    guard open else { return weight }
    let opener = PageOpener(environment: ProcessInfo.processInfo.environment)
    return weight + (opener.open(path).map { [$0] } ?? [])
  }

  private static let heavyBytes = 30_000_000

  static func weight(ofBytes bytes: Int) -> [String] {
    guard bytes > heavyBytes else { return [] }
    return [
      "the page is \(SizeText.bytes(Double(bytes))) in size; a browser needs several seconds to open it, and "
        + "several times as much memory. A page for one recording or a smaller dataset opens faster"
    ]
  }
}

struct PageOpener: Hashable, Sendable {
  private static let patience = 1.0

  /// `BROWSER` names the program to use; `CI` keeps every page closed.
  let environment: [String: String]

  func open(_ path: String) -> String? {
    let page = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    func closed(_ why: String) -> String { "the page was not opened because \(why): \(page)" }
    if let continuous = environment["CI"], !["", "false", "0"].contains(continuous) {
      return closed("the variable CI is set")
    }
    #if !os(macOS)
      guard ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY"].contains(where: isGiven) else {
        return closed("there is no display and BROWSER names no program")
      }
    #endif
    guard let program else { return closed("\(wanted.joined(separator: " or ")) is not installed") }
    return Self.fails(program, page) ? closed("\(program) failed") : nil
  }

  var program: String? {
    wanted.lazy.compactMap { Programs.path(of: $0, environment: environment) }.first
  }

  private var wanted: [String] {
    let chosen = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init)
    #if os(macOS)
      return chosen.isEmpty ? ["/usr/bin/open"] : chosen
    #else
      return chosen.isEmpty ? ["xdg-open"] : chosen
    #endif
  }

  private func isGiven(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }

  private static func fails(_ program: String, _ page: String) -> Bool {
    guard let process = try? ChildProcess(program, [page], keepsOutput: false) else { return true }
    let end = Date.now + patience
    while Date.now < end {
      if let end = process.end { return end != .exit(0) }
      usleep(20_000)
    }
    return false
  }
}

enum Programs {
  static func path(of name: String, environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let places = name.contains("/") ? [name] : folders.map { $0 + "/" + name }
    return places.first(where: FileManager.default.isExecutableFile)
  }
}
