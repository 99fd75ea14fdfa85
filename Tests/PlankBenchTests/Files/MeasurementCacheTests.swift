import Foundation
import PlankDetection
import PoseModel
import Testing

@testable import PlankBench
@testable import Tuning

@Suite("Cache of measurements")
struct MeasurementCacheTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("planklab-cache-\(UUID().uuidString)").path
  private static let frames = 300
  /// Measurements by expressions, which are kept.
  private static let reach = own("reach", "distance(shoulders, root)")
  private static let length = own("length_of_body", "distance(shoulders, ankles)")

  private static func own(_ name: String, _ expression: String) -> PlankDetection.Measurement {
    do {
      return try PlankDetection.Measurement(name, expression)
    } catch {
      fatalError("\(error)")
    }
  }

  /// Changes a frame by its number: its positions and what it has besides.
  private typealias Change = (Int, inout [Float], inout FrameExtras) -> Void

  private static func recording(
    _ header: RecordingHeader? = nil, _ change: Change? = nil, clock: Double = 30
  ) -> Recording {
    var recording = Recording(
      header: header
        ?? RecordingHeader(skeleton: .vision3d, joints: Joint.allCases, frame: .world))
    for frame in 0..<frames {
      var pose = (0..<3 * recording.layout.joints.count).map { Float($0 % 7 * (frame % 5)) / 10 }
      var extras = FrameExtras()
      change?(frame, &pose, &extras)
      recording.append(time: Seconds(Double(frame) / clock), pose: pose, extras: extras)
    }
    return recording
  }

  /// Measures with a cache, and says whether anything had to be measured.
  private func measure(
    _ recording: Recording, _ measurements: MeasurementSet = [Self.reach],
    reading: AxisReading = .gravity, smoothing: SmoothingChoice = .none, program: String = "one"
  ) throws -> (columns: MeasurementColumns, isMeasured: Bool) {
    let cache = try #require(MeasurementCache(folder: folder, program: program))
    var isMeasured = false
    let columns = MeasurementCache.$current.withValue(cache) {
      MeasurementCache.columns(recording, measurements, reading: reading, smoothing: smoothing) {
        isMeasured = true
        return MeasurementColumns(recording, measurements, reading: reading)
      }
    }
    return (columns, isMeasured)
  }

  private var entries: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  @Test("What was measured once comes back to the bit")
  func comesBack() throws {
    defer { remove() }
    let recording = Self.recording()
    let all: MeasurementSet = [Self.reach, .signedHipAngle]
    let first = try measure(recording, all)
    let second = try measure(recording, all)
    #expect(first.isMeasured && !second.isMeasured)
    for measurement in all.members {
      let columns = [first.columns[measurement], second.columns[measurement]]
      #expect(columns[0].count == Self.frames)
      #expect(columns[0].map(\.bitPattern) == columns[1].map(\.bitPattern))
    }
    #expect(try entries.count == 1)
  }

  @Test("Any number of a recording leads to another entry")
  func keyOfRecordings() throws {
    defer { remove() }
    #expect(try measure(Self.recording()).isMeasured)
    let camera = CameraMatrix(rotation: .identity, translation: Vector3(0, 0, 2))
    let changes: [Change] = [
      { frame, pose, _ in if frame == 299 { pose[50] = pose[50].nextUp } },
      { frame, pose, _ in if frame == 0 { pose[0] = .nan } },
      { frame, _, extras in if frame == 7 { extras.up = .unitY } },
      { frame, _, extras in if frame == 8 { extras.up = .unitY } },
      { frame, _, extras in if frame == 7 { extras.camera = camera } },
      { frame, _, extras in if frame == 7 { extras.bodyHeight = Meters(1.7) } },
      { frame, _, extras in if frame == 7 { extras.heightEstimation = .measured } },
      { frame, _, extras in if frame == 7 { extras.heightEstimation = .reference } },
    ]
    for (place, change) in changes.enumerated() {
      #expect(try measure(Self.recording(nil, change)).isMeasured, "change \(place)")
    }
    #expect(try measure(Self.recording(clock: 31)).isMeasured)
    var missing = Self.recording()
    missing.append(time: Seconds(100), pose: nil)
    #expect(try measure(missing).isMeasured)
    #expect(try entries.count == changes.count + 3)
    #expect(try !measure(Self.recording()).isMeasured)
  }

  @Test("Any field of a header leads to another entry, but for the name of the person")
  func keyOfHeaders() throws {
    defer { remove() }
    let plain = RecordingHeader(skeleton: .vision3d, joints: Joint.allCases, frame: .world)
    #expect(try measure(Self.recording(plain)).isMeasured)
    let changes: [(inout RecordingHeader) -> Void] = [
      { $0.frame = .camera }, { $0.frame = .pelvis }, { $0.orientation = .landscapeLeft },
      { $0.cameraPosition = .front }, { $0.buffer = .fixed },
      { $0.bufferRotation = BufferRotation(quarterTurns: 1) }, { $0.isMirrored = true },
      { $0.up = .unitY }, { $0.bodyHeight = Meters(1.71) }, { $0.heightEstimation = .reference },
      { $0.nominalRate = Hertz(30) }, { $0.imageWidth = 640 }, { $0.imageHeight = 480 },
      { $0.joints = Joint.allCases.reversed() },
    ]
    for (place, change) in changes.enumerated() {
      var header = plain
      change(&header)
      #expect(try measure(Self.recording(header)).isMeasured, "change \(place)")
    }
    var named = plain
    named.subject = "somebody"
    #expect(try !measure(Self.recording(named)).isMeasured)
  }

  @Test("Confidences lead to another entry, even where they hide no joint")
  func keyOfConfidences() throws {
    defer { remove() }
    func recording(_ confidence: Float?) -> Recording {
      var recording = Recording(
        header: RecordingHeader(skeleton: .vision3d, joints: Joint.allCases, frame: .world))
      let pose = [Float](repeating: 1, count: recording.layout.stride)
      let confidences = confidence.map {
        [Float](repeating: $0, count: recording.layout.joints.count)
      }
      for frame in 0..<Self.frames {
        pose.withUnsafeBufferPointer { pose in
          guard let confidences else {
            return recording.append(time: Double(frame), pose: pose)
          }
          confidences.withUnsafeBufferPointer {
            recording.append(time: Double(frame), pose: pose, confidences: $0)
          }
        }
      }
      return recording
    }
    for confidence in [nil, 0.5, 0.75] as [Float?] {
      #expect(try measure(recording(confidence)).isMeasured, "\(String(describing: confidence))")
    }
  }

  @Test("Measurements, formulas, axes, smoothing and the program lead to other entries")
  func keyOfSettings() throws {
    defer { remove() }
    let recording = Self.recording()
    #expect(try measure(recording).isMeasured)
    #expect(try measure(recording, [Self.length]).isMeasured)
    #expect(try measure(recording, [Self.reach, Self.length]).isMeasured)
    #expect(try measure(recording, reading: .article).isMeasured)
    #expect(try measure(recording, smoothing: SmoothingChoice(text: "ema:cutoff=3")).isMeasured)
    #expect(try measure(recording, smoothing: SmoothingChoice(text: "ema:cutoff=4")).isMeasured)
    #expect(try measure(recording, program: "two").isMeasured)
    // The same text, of another measurement behind the name that it uses.
    for base in ["distance(shoulders, root)", "distance(shoulders, ankles)"] {
      let part = try PlankDetection.Measurement("part", base)
      let twice = try PlankDetection.Measurement("twice", "part * 2", using: [part])
      #expect(try measure(recording, MeasurementSet([twice])).isMeasured, "\(base)")
    }
    #expect(try !measure(recording).isMeasured)
  }

  @Test("An entry that is damaged, cut off, longer, another's or a link is made anew")
  func damagedEntries() throws {
    defer { remove() }
    let (recording, other) = (
      Self.recording(), Self.recording(nil) { frame, pose, _ in pose[0] += Float(frame) }
    )
    let right = try measure(recording).columns[Self.reach].map(\.bitPattern)
    let name = try #require(entries.first)
    let entry = URL(fileURLWithPath: folder + "/" + name)
    _ = try measure(other)
    let second = try #require(entries.first { $0 != name })
    let bytes = try Data(contentsOf: entry)
    var damage: [() throws -> Void] = [0, 31, 32, bytes.count - 1].map { place in
      {
        var changed = bytes
        changed[place] ^= 1
        try changed.write(to: entry)
      }
    }
    damage += [0, 31, bytes.count - 1].map { count in
      { try bytes.prefix(count).write(to: entry) }
    }
    damage += [
      { try (bytes + [0]).write(to: entry) },
      { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + second)).write(to: entry) },
      {
        try FileManager.default.removeItem(at: entry)
        try FileManager.default.createSymbolicLink(
          atPath: entry.path, withDestinationPath: folder + "/" + second)
      },
    ]
    for (place, damage) in damage.enumerated() {
      try damage()
      let found = try measure(recording)
      #expect(found.isMeasured, "damage \(place)")
      #expect(found.columns[Self.reach].map(\.bitPattern) == right)
      #expect(try Data(contentsOf: entry) == bytes, "damage \(place)")
      #expect(try !measure(recording).isMeasured)
    }
  }

  @Test("Formulas alone are measured every time; smoothed ones are kept")
  func cheapMeasurements() throws {
    defer { remove() }
    let recording = Self.recording()
    for _ in 0..<2 { #expect(try measure(recording, [.bodyAngle]).isMeasured) }
    #expect(try entries.isEmpty)
    let smoothing = try SmoothingChoice(text: "ema")
    #expect(try measure(recording, [.bodyAngle], smoothing: smoothing).isMeasured)
    #expect(try !measure(recording, [.bodyAngle], smoothing: smoothing).isMeasured)
  }

  @Test("A short recording, and a folder in the place of an entry, are measured every time")
  func unkept() throws {
    defer { remove() }
    var short = Recording(
      header: RecordingHeader(skeleton: .vision3d, joints: Joint.allCases, frame: .world))
    short.append(time: Seconds(0), pose: nil)
    for _ in 0..<2 { #expect(try measure(short).isMeasured) }
    #expect(try entries.isEmpty)
    let recording = Self.recording()
    _ = try measure(recording)
    let entry = try folder + "/" + #require(entries.first)
    try FileManager.default.removeItem(atPath: entry)
    try FileManager.default.createDirectory(
      atPath: entry + "/inside", withIntermediateDirectories: true)
    for _ in 0..<2 { #expect(try measure(recording).isMeasured) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: entry) == ["inside"])
    #expect(try entries.count == 1, "nothing unfinished is left")
  }

  @Test("The entries that were not used for longest make room")
  func room() throws {
    defer { remove() }
    let recordings = (0..<4).map { number in
      Self.recording(nil) { _, pose, _ in pose[0] = Float(number) }
    }
    var names: [String] = []
    for (place, recording) in recordings.enumerated() {
      _ = try measure(recording)
      let name = try #require(entries.first { !names.contains($0) })
      names.append(name)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000 + Double(place))],
        ofItemAtPath: folder + "/" + name)
    }
    #expect(try !measure(recordings[0]).isMeasured, "used again")
    let size = 32 + 4 * Self.frames
    let cache = try #require(
      MeasurementCache(folder: folder, program: "one", mostBytes: 4 * size - 1))
    let new = Self.recording(nil) { _, pose, _ in pose[0] = 100 }
    MeasurementCache.$current.withValue(cache) {
      _ = MeasurementCache.columns(new, [Self.reach], reading: .gravity, smoothing: .none) {
        MeasurementColumns(new, [Self.reach], reading: .gravity)
      }
    }
    let left = try Set(entries)
    #expect(left.isSuperset(of: [names[0], names[3]]))
    #expect(left.isDisjoint(with: [names[1], names[2]]))
    #expect(left.count == 3)
  }

  @Test("A folder that others may write to, a link and a file are no cache")
  func foreignFolders() throws {
    defer { remove() }
    let files = FileManager.default
    #expect(MeasurementCache(folder: folder) != nil)
    let rights = try files.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
    #expect(rights == 0o700)
    for mode in [0o722, 0o777, 0o720] {
      try files.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
      #expect(MeasurementCache(folder: folder) == nil)
    }
    try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    try files.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder)
    #expect(MeasurementCache(folder: folder + "/link") == nil)
    try Data().write(to: URL(fileURLWithPath: folder + "/file"))
    #expect(MeasurementCache(folder: folder + "/file") == nil)
    #expect(MeasurementCache(folder: folder + "/file/inside") == nil)
  }

  @Test("The environment says where entries are; without a home there is no cache")
  func places() {
    func folder(_ environment: [String: String]) -> String? {
      MeasurementCache.folder(environment)
    }
    #expect(folder(["PLANKLAB_CACHE": "none", "HOME": "/home/a"]) == nil)
    #expect(folder(["PLANKLAB_CACHE": "here", "HOME": "/home/a"]) == "here")
    #expect(folder([:]) == nil)
    #expect(folder(["HOME": ""]) == nil)
    #expect(folder(["HOME": "relative"]) == nil)
    #if os(macOS)
      let own = "/home/a/Library/Caches/planklab/measurements"
      #expect(folder(["HOME": "/home/a", "XDG_CACHE_HOME": "/x"]) == own)
    #else
      #expect(folder(["HOME": "/home/a"]) == "/home/a/.cache/planklab/measurements")
      #expect(folder(["XDG_CACHE_HOME": "/x"]) == "/x/planklab/measurements")
      #expect(
        folder(["HOME": "/home/a", "XDG_CACHE_HOME": "x"])
          == "/home/a/.cache/planklab/measurements")
    #endif
    #expect(folder(["PLANKLAB_CACHE": "", "HOME": "/home/a"]) == folder(["HOME": "/home/a"]))
  }
}
