import Foundation
import Platform
import PoseModel

struct Timing {
  /// The median over the rounds.
  let processor: Double
  /// Wall-clock time of the best round; other programs can only make a round longer.
  let elapsed: Double
  let checksum: UInt64

  /// Times `work`, round by round, for every case in turn; checksums are not timed.
  ///
  /// - Precondition: a case gives the same checksum in every round.
  static func ofCases<Result>(
    _ cases: Int, rounds: Int, _ work: (Int) async throws -> Result,
    checksum: (Result) -> UInt64
  ) async rethrows -> [Timing] {
    let clock = ContinuousClock()
    var times = (0..<cases).map { _ in [(processor: Double, elapsed: Double)]() }
    var checksums = (0..<cases).map { _ in Set<UInt64>() }
    for _ in 0..<rounds {
      for index in 0..<cases {
        let (start, began) = (ProcessTime.seconds, clock.now)
        let result = try await work(index)
        times[index].append(
          (processor: ProcessTime.seconds - start, elapsed: seconds(clock.now - began)))
        checksums[index].insert(checksum(result))
      }
    }
    precondition(checksums.allSatisfy { $0.count == 1 }, "equal runs must give equal answers")
    return zip(times, checksums).map { times, sums in
      Timing(
        processor: median(times.map(\.processor)), elapsed: times.map(\.elapsed).min() ?? .nan,
        checksum: sums.first ?? 0)
    }
  }

  static func of(_ work: () throws -> UInt64) async rethrows -> Timing {
    let timings = try await ofCases(1, rounds: 5) { _ in
      try work()
    } checksum: {
      $0
    }
    return timings[0]
  }
}

func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
}

/// The higher one if two numbers are in the middle.
func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

enum ProcessTime {
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

enum PeakMemory {
  static var bytes: Int {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(RUSAGE_SELF.rawValue, &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    return bytes(in: usage)
  }

  static func bytes(in usage: rusage) -> Int {
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      return usage.ru_maxrss * 1024
    #endif
  }
}

/// FNV-1a over 64-bit words.
struct Checksum {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init() {}

  init(_ words: some Sequence<UInt64>) {
    for word in words { add(word) }
  }

  mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01b3 }

  mutating func add(_ number: Double) { add(number.bitPattern) }

  mutating func add(_ number: Float) {
    add(UInt64(number.isNaN ? Float.nan.bitPattern : number.bitPattern))
  }
}

struct Child {
  let status: Int32
  let processor: Double
  let elapsed: Double
  /// On Linux, at least the memory of this process when it started the child, so start children
  /// before anything large is loaded.
  let peakBytes: Int

  /// Searches for the program along `PATH` if the command has no slash.
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

struct ChildFailure: Error, CustomStringConvertible {
  let program: String
  let action: String
  let code: Int32

  var description: String { "\(program) cannot \(action): \(String(cString: strerror(code)))" }
}

struct TemporaryFolder: ~Copyable {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-benchmarks-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path }
}

func significant(_ value: Double) -> String {
  guard value.isFinite, value > 0 else { return "\(value)" }
  let digits = max(0, 2 - Int(log10(value).rounded(.down)))
  return String(format: "%.\(digits)f", value)
}

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

enum SyntheticText {
  static func recording(frames: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    let joints = Skeleton.vision3d.joints.map(\.name)
    let names = joints.map { "\"\($0)\"" }.joined(separator: ",")
    var text = Array(
      (#"{"format":"planklab-poses","version":1,"skeleton":"vision3d","joints":["#
        + names + #"],"frame":"camera","orientation":"portrait","body_height_m":1.8}"# + "\n")
        .utf8)
    text.reserveCapacity(frames * joints.count * 24)
    for frame in 0..<frames {
      text += Array("{\"t\":\(decimal(frame * 33_333, places: 6)),\"p\":[".utf8)
      for index in 0..<(joints.count * 3) {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text += Array(decimal(Int(random.next() % 20_000) - 10_000, places: 4).utf8)
      }
      text += Array("]}\n".utf8)
    }
    return text
  }

  private static func decimal(_ scaled: Int, places: Int) -> String {
    let digits = String(scaled.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return (scaled < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func uniform() -> Double { Double(next() >> 11) / Double(1 << 53) }

  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += uniform() }
    return sum
  }
}
