internal import ArgumentParser
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Synchronization
internal import Tuning

/// Whether measurements of earlier runs are used.
struct CacheOption: ParsableArguments {
  @Flag(
    name: .customLong("no-cache"),
    help: ArgumentHelp(
      "Measure every recording anew.",
      discussion:
        "Otherwise measurements of earlier runs are taken from your folder for caches, where nothing "
        + "has changed since."))
  var isOff = false

  /// The cache of the user; nil if it is off or there is no folder for it.
  var opened: MeasurementCache? {
    isOff ? nil : MeasurementCache(environment: ProcessInfo.processInfo.environment)
  }
}

/// A command that may take measurements of earlier runs.
///
/// What decides in CI, `gate` and `baseline update`, measures every time.
protocol MeasuringCommand: BenchCommand {
  /// Whether it does.
  var cache: CacheOption { get }
}

/// The measurements of earlier runs, in the user's folder for caches.
///
/// An entry has the columns of one recording. Its name is a hash of all that they depend on: every
/// number of the recording as it was read, the measurements with their formulas, the axes, the
/// smoothing and the program. A change of any of them leads to another entry, and an entry that is
/// damaged, cut off or renamed is not used. The folder can be deleted at any time.
final class MeasurementCache: Sendable {
  /// The cache of the current task and its children; nil if every recording is measured.
  @TaskLocal static var current: MeasurementCache?

  /// The variable that says where entries are: a folder, or `none`.
  static let variable = "PLANKLAB_CACHE"
  /// The fewest frames of a recording for which an entry pays.
  static let fewestFrames = 256
  /// How many bytes the entries may have; the oldest ones make room.
  static let mostBytes = 1_000_000_000

  /// Where the entries are; it belongs to the user alone.
  let folder: String
  private let program: @Sendable () throws -> String
  private let mostBytes: Int
  private let state = Mutex(State())

  private struct State {
    /// The hashes of what does not depend on the recording.
    var settings: [Settings: SHA256Digest] = [:]
    /// The hashes of headers, without their subjects.
    var headers: [RecordingHeader: SHA256Digest] = [:]
    /// Whether an entry could not be written, and no other one is.
    var isClosed = false
    /// Whether old entries were looked for.
    var isPruned = false
  }

  private struct Settings: Hashable {
    let measurements: MeasurementSet
    let reading: AxisReading
    let smoothing: SmoothingChoice
  }

  /// Opens the user's cache.
  ///
  /// - Returns: nil if a variable turns it off, and if there is no folder that belongs to the user
  ///   alone.
  convenience init?(environment: [String: String]) {
    guard let folder = Self.folder(environment) else { return nil }
    self.init(folder: folder)
  }

  /// Opens a cache, and makes its folder if it is missing.
  ///
  /// - Parameters:
  ///   - program: the program that measures, asked for when something is; if it is unknown, nothing
  ///     is kept.
  ///   - mostBytes: how many bytes the entries may have.
  /// - Returns: nil if the folder cannot be made, or does not belong to the user alone.
  init?(
    folder: String,
    program: @autoclosure @escaping @Sendable () throws -> String = try ProgramIdentity.hash(),
    mostBytes: Int = MeasurementCache.mostBytes
  ) {
    guard OutputFile.makeFolder(folder, mode: 0o700) == 0 else { return nil }
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0
    else { return nil }
    self.folder = folder
    self.program = program
    self.mostBytes = mostBytes
  }

  /// Where the environment puts the entries; nil for nowhere.
  static func folder(_ environment: [String: String]) -> String? {
    if let named = environment[variable], !named.isEmpty { return named == "none" ? nil : named }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    #if canImport(Darwin)
      let base = home.map { $0 + "/Library/Caches" }
    #else
      let base =
        environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        ?? home.map { $0 + "/.cache" }
    #endif
    return base.map { $0 + "/planklab/measurements" }
  }

  /// The measurements of a recording: those of an earlier run, or else what is measured now.
  ///
  /// Formulas alone take no longer than an entry; expressions and smoothing do.
  ///
  /// - Parameter measure: measures, with these settings.
  static func columns(
    _ recording: Recording, _ measurements: MeasurementSet, reading: AxisReading,
    smoothing: SmoothingChoice, measure: () -> MeasurementColumns
  ) -> MeasurementColumns {
    guard let cache = current, recording.frameCount >= fewestFrames,
      !smoothing.isNone || !measurements.members.allSatisfy(\.isBuiltIn),
      let key = try? cache.key(
        recording,
        Settings(measurements: measurements, reading: reading, smoothing: smoothing))
    else { return measure() }
    if let known = cache.read(key, measurements, frames: recording.frameCount) { return known }
    let columns = measure()
    cache.write(columns, key)
    return columns
  }
}

extension SmoothingChoice {
  /// Measures a recording with this smoothing, or takes what an earlier run measured.
  func columns(
    of recording: Recording, for detector: BatchDetector, also extra: MeasurementSet = []
  ) -> MeasurementColumns {
    MeasurementCache.columns(
      recording, detector.measurements.union(extra), reading: detector.definition.axes,
      smoothing: self
    ) {
      measure(recording, detector, also: extra)
    }
  }
}

extension MeasurementCache {
  private func key(_ recording: Recording, _ settings: Settings) throws -> SHA256Digest {
    let stream = try SHA256Stream()
    try stream.add(hash(settings).bytes)
    try stream.add(hash(recording.header).bytes)
    try stream.add(bytesOf: [UInt64(recording.frameCount)])
    try stream.add(bytesOf: recording.times)
    try stream.add(bytesOf: (0..<recording.frameCount).map(recording.hasPose))
    try stream.add(bytesOf: recording.positions)
    try stream.add(bytesOf: [UInt64(recording.confidences.count)])
    try stream.add(bytesOf: recording.confidences)
    try stream.add(bytesOf: extras(of: recording))
    return try stream.finish()
  }

  /// Every number of the frames besides positions and confidences, each after a number for its kind.
  private func extras(of recording: Recording) -> [UInt64] {
    var numbers: [UInt64] = []
    for frame in 0..<recording.frameCount {
      let extras = recording.extras(at: frame)
      func add(_ kind: UInt64, _ values: [Double]) {
        numbers += [UInt64(frame), kind] + values.map(\.bitPattern)
      }
      if let up = extras.up { add(0, [up.x, up.y, up.z]) }
      if let camera = extras.camera { add(1, camera.columnMajor) }
      if let height = extras.bodyHeight { add(2, [height.value]) }
      switch extras.heightEstimation {
      case .reference: add(3, [])
      case .measured: add(4, [])
      case nil: break
      }
    }
    return numbers
  }

  private func hash(_ settings: Settings) throws -> SHA256Digest {
    if let known = state.withLock({ $0.settings[settings] }) { return known }
    var text = "\(try program())\n\(settings.reading)\n\(settings.smoothing.text)\n"
    // Everything that a measurement is made of, whatever that will be.
    for measurement in settings.measurements.members { dump(measurement, to: &text) }
    let hash = try SHA256Digest(of: Array(text.utf8))
    state.withLock { $0.settings[settings] = hash }
    return hash
  }

  private func hash(_ header: RecordingHeader) throws -> SHA256Digest {
    var header = header
    header.subject = nil
    if let known = state.withLock({ $0.headers[header] }) { return known }
    var text = ""
    dump(header, to: &text)
    let hash = try SHA256Digest(of: Array(text.utf8))
    state.withLock { $0.headers[header] = hash }
    return hash
  }
}

extension MeasurementCache {
  /// What an entry begins with: the hash of its name and its numbers.
  private static func seal(_ key: SHA256Digest, _ values: [Float]) -> [UInt8]? {
    guard let stream = try? SHA256Stream(), (try? stream.add(key.bytes)) != nil,
      (try? stream.add(bytesOf: values)) != nil
    else { return nil }
    return try? stream.finish().bytes
  }

  private func path(_ key: SHA256Digest) -> String { "\(folder)/\(key)" }

  /// Reads an entry; nil if there is none or it is not as it was written.
  private func read(
    _ key: SHA256Digest, _ measurements: MeasurementSet, frames: Int
  ) -> MeasurementColumns? {
    let descriptor = open(path(key), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let count = measurements.members.count * frames
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      Int(status.st_size) == SHA256Digest.size + MemoryLayout<Float>.stride * count,
      let seal: [UInt8] = Self.numbers(SHA256Digest.size, from: descriptor),
      let values: [Float] = Self.numbers(count, from: descriptor), seal == Self.seal(key, values)
    else { return nil }
    futimens(descriptor, nil)
    return MeasurementColumns(of: measurements, values: values, frameCount: frames)
  }

  private static func numbers<Number: BitwiseCopyable>(
    _ count: Int, from descriptor: Int32
  ) -> [Number]? {
    let numbers = [Number](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = UnsafeMutableRawBufferPointer(buffer).fill(from: descriptor) ? count : 0
    }
    return numbers.count == count ? numbers : nil
  }

  /// Keeps columns; a cache that cannot be written is done without.
  private func write(_ columns: MeasurementColumns, _ key: SHA256Digest) {
    guard !state.withLock({ $0.isClosed }) else { return }
    makeRoom()
    let values = columns.measurements.members.flatMap { columns[$0] }
    guard let seal = Self.seal(key, values) else { return }
    let staging = path(key) + StagingPlaces.mark()
    let (descriptor, _) = StagingPlaces.make(staging) {
      open(staging, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    var isWhole = descriptor >= 0
    if isWhole {
      isWhole =
        seal.withUnsafeBytes { $0.put(to: descriptor) }
        && values.withUnsafeBytes { $0.put(to: descriptor) }
      isWhole = close(descriptor) == 0 && isWhole && rename(staging, path(key)) == 0
      StagingPlaces.remove(staging)
    }
    if !isWhole { state.withLock { $0.isClosed = true } }
  }

  /// Removes the entries that were not used for longest, once, if there are too many bytes.
  private func makeRoom() {
    let isFirst = state.withLock { state in
      defer { state.isPruned = true }
      return !state.isPruned
    }
    guard isFirst,
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else { return }
    var entries: [(path: String, bytes: Int, seconds: Int)] = []
    for name in names {
      var status = stat()
      let path = "\(folder)/\(name)"
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      entries.append((path, Int(status.st_size), status.modifiedSeconds))
    }
    var bytes = entries.reduce(0) { $0 + $1.bytes }
    guard bytes > mostBytes else { return }
    for entry in entries.sorted(by: { ($0.seconds, $0.path) < ($1.seconds, $1.path) }) {
      guard bytes > mostBytes / 4 * 3 else { return }
      if unlink(entry.path) == 0 { bytes -= entry.bytes }
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Reads as many bytes as there is room for; false if there are fewer.
  fileprivate func fill(from descriptor: Int32) -> Bool {
    var rest = self[...]
    while !rest.isEmpty {
      let got = read(
        descriptor, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return false }
      rest = rest.dropFirst(got)
    }
    return true
  }
}

extension UnsafeRawBufferPointer {
  /// Writes all bytes; false if that fails.
  fileprivate func put(to descriptor: Int32) -> Bool {
    var rest = self[...]
    while !rest.isEmpty {
      let put = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if put < 0, errno == EINTR { continue }
      guard put > 0 else { return false }
      rest = rest.dropFirst(put)
    }
    return true
  }
}

extension stat {
  /// When the file was last written or used by the cache, in seconds.
  fileprivate var modifiedSeconds: Int {
    #if canImport(Darwin)
      st_mtimespec.tv_sec
    #else
      st_mtim.tv_sec
    #endif
  }
}
