import Foundation
import Platform

/// Times a body several times and keeps the best, which noise cannot make better.
struct Stopwatch {
  /// How often each body runs.
  let runs: Int

  /// The best time of several runs in seconds, and the checksum of the answers.
  ///
  /// - Precondition: every run gives the same checksum.
  func best(_ body: () throws -> UInt64) rethrows -> Timing {
    let clock = ContinuousClock()
    var best = Double.infinity
    var checksum: UInt64?
    for _ in 0..<runs {
      let start = clock.now
      let sum = try body()
      best = min(best, seconds(clock.now - start))
      precondition(checksum == nil || checksum == sum, "equal runs must give equal answers")
      checksum = sum
    }
    return Timing(seconds: best, checksum: checksum ?? 0)
  }
}

/// The best time of a body and its result.
struct Timing {
  /// Seconds.
  let seconds: Double
  /// A checksum of the answers.
  let checksum: UInt64
}

/// A duration in seconds.
func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
}

/// The middle of some numbers, the higher of two.
///
/// - Precondition: there is a number.
func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

/// The processor time of all threads of the process.
enum ProcessTime {
  /// Seconds since an arbitrary moment.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// The process's largest resident memory so far.
enum PeakMemory {
  /// Bytes.
  static var bytes: Int {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(RUSAGE_SELF.rawValue, &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    return bytes(in: usage)
  }

  /// The bytes of a program's account: Linux counts kibibytes, Darwin bytes.
  static func bytes(in usage: rusage) -> Int {
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      return usage.ru_maxrss * 1024
    #endif
  }
}

/// A checksum of answers: FNV-1a over 64-bit words.
struct Checksum {
  /// The sum so far.
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Takes in a word.
  mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01b3 }

  /// Takes in a time.
  mutating func add(_ number: Double) { add(number.bitPattern) }

  /// Takes in a position; every missing one counts the same.
  mutating func add(_ number: Float) {
    add(UInt64(number.isNaN ? Float.nan.bitPattern : number.bitPattern))
  }
}

/// A program that ran to its end, with the time and the memory that it took.
struct Child {
  /// The exit code, or 128 plus the number of the signal that ended it.
  let status: Int32
  /// Seconds of processor time, of all its threads and of the system on its behalf.
  let processor: Double
  /// Seconds by the clock.
  let elapsed: Double
  /// The largest resident memory in bytes.
  ///
  /// On Linux at least what this process had when it started the child: who measures memory starts
  /// children before anything large is loaded.
  let peakBytes: Int

  /// Runs a program in the current folder and waits for it.
  ///
  /// - Parameters:
  ///   - command: the program, searched for along `PATH` unless it has a slash, and its arguments.
  ///   - output: a file for its output, made anew.
  ///   - errors: a file for its messages, made anew.
  /// - Throws: `ChildFailure` if there is no such program, a file cannot be made, or the system does
  ///   not tell how the program ended.
  init(_ command: [String], output: String, errors: String) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let process = try Self.start(command, output: output, errors: errors)
    var ending: Int32 = 0
    var usage = rusage()
    while wait4(process, &ending, 0, &usage) == -1 {
      guard errno == EINTR else {
        throw ChildFailure(program: command[0], action: "be waited for", code: errno)
      }
    }
    elapsed = seconds(clock.now - start)
    let signal = ending & 0x7f
    status = signal == 0 ? (ending >> 8) & 0xff : 128 + signal
    processor = [usage.ru_utime, usage.ru_stime]
      .reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
    peakBytes = PeakMemory.bytes(in: usage)
  }

  private static func start(_ command: [String], output: String, errors: String) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let create = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, create, 0o644)
    posix_spawn_file_actions_addopen(&actions, 2, errors, create, 0o644)
    let arguments = command.map { strdup($0) } + [nil]
    let environment =
      ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var process = pid_t()
    let code = posix_spawnp(&process, command[0], &actions, nil, arguments, environment)
    guard code == 0 else {
      throw ChildFailure(program: command[0], action: "be started", code: code)
    }
    return process
  }
}

/// A program that cannot be started or waited for.
struct ChildFailure: Error, CustomStringConvertible {
  let program: String
  /// What failed, in the passive.
  let action: String
  /// The system's error number.
  let code: Int32

  var description: String { "\(program) cannot \(action): \(String(cString: strerror(code)))" }
}

/// A folder for files that are needed for as long as a benchmark runs.
struct TemporaryFolder: ~Copyable {
  private let url: URL

  /// Makes an empty folder.
  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-benchmarks-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of the folder.
  var path: String { url.path }
}

/// A number with three significant digits.
func significant(_ value: Double) -> String {
  guard value.isFinite, value > 0 else { return "\(value)" }
  let digits = max(0, 2 - Int(log10(value).rounded(.down)))
  return String(format: "%.\(digits)f", value)
}

/// Prints rows in columns, the first of them to the left.
func printTable(_ rows: [[String]]) {
  let columns = rows.map(\.count).max() ?? 0
  let widths = (0..<columns).map { column in
    rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
  }
  for row in rows {
    let cells = row.enumerated().map { column, text in
      let space = String(repeating: " ", count: widths[column] - text.count)
      return column == 0 ? text + space : space + text
    }
    print(cells.joined(separator: "  "))
  }
}
