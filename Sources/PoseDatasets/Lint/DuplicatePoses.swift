import PoseModel

struct DuplicatePoses {
  /// The length of the shortest run that is reported; shorter runs may be chance.
  static let shortestRun = 5
  /// The difference below which two values are equal; rounding positions to 0.1 mm changes a value
  /// by about 0.0001, and noise of 1 cm by about 0.03.
  static let tolerance: Float = 1e-3
  private static let cellWidth: Float = 2 * tolerance
  /// The number of places that one cell of the index keeps for each file, to bound the work for
  /// still recordings.
  private static let placesKept = 64
  /// The number of files that one cell of the index keeps; a pose in more files is reported only
  /// with the first ones.
  private static let filesKept = 8

  struct Run: Hashable {
    let earlierStart: Int
    let laterStart: Int
    let length: Int
  }

  struct Pair: Hashable {
    let earlier: Int
    let later: Int
    let runs: [Run]
  }

  private typealias Cell = SIMD3<Int32>

  private struct Place {
    let file: Int
    let start: Int
  }

  private struct Places {
    var all: [Place] = []
    private var files = 0
    private var ofLastFile = 0

    mutating func add(_ place: Place) {
      if all.last?.file != place.file {
        guard files < DuplicatePoses.filesKept else { return }
        files += 1
        ofLastFile = 0
      }
      guard ofLastFile < DuplicatePoses.placesKept else { return }
      ofLastFile += 1
      all.append(place)
    }
  }

  private(set) var files: [PoseFingerprints] = []
  private(set) var pairs: [Pair] = []
  private var index: [Cell: Places] = [:]

  mutating func add(_ file: PoseFingerprints) {
    let later = files.count
    var runs: [Int: [Run]] = [:]
    for start in 0..<file.count {
      for (earlier, run) in longestRuns(of: file, from: start, beyond: runs) {
        runs[earlier, default: []].append(run)
      }
    }
    for (earlier, runs) in runs.sorted(by: { $0.key < $1.key }) {
      pairs.append(Pair(earlier: earlier, later: later, runs: runs))
    }
    files.append(file)
    for start in 0..<file.count {
      index[Self.cell(of: file.values[start]), default: Places()]
        .add(Place(file: later, start: start))
    }
  }

  private func longestRuns(
    of file: PoseFingerprints, from start: Int, beyond runs: [Int: [Run]]
  ) -> [(earlier: Int, run: Run)] {
    var best: [Int: Run] = [:]
    for place in places(near: file.values[start]) {
      if let last = runs[place.file]?.last, start < last.laterStart + last.length { continue }
      let length = runLength(files[place.file], place.start, file, start)
      let isWhole = length == file.count && length == files[place.file].count
      if length >= Self.shortestRun || isWhole, length > best[place.file]?.length ?? 0 {
        best[place.file] = Run(earlierStart: place.start, laterStart: start, length: length)
      }
    }
    return best.map { (earlier: $0.key, run: $0.value) }
  }

  private func runLength(
    _ earlier: PoseFingerprints, _ earlierStart: Int, _ later: PoseFingerprints, _ laterStart: Int
  ) -> Int {
    let limit = min(earlier.count - earlierStart, later.count - laterStart)
    var length = 0
    while length < limit {
      let (a, b) = (earlierStart + length, laterStart + length)
      let distance = earlier.values[a] - later.values[b]
      guard earlier.joints[a] == later.joints[b],
        all(distance .< Self.tolerance .& distance .> -Self.tolerance)
      else { break }
      length += 1
    }
    return length
  }

  private func places(near value: SIMD8<Float>) -> [Place] {
    let low = Self.cell(of: value - Self.tolerance)
    let high = Self.cell(of: value + Self.tolerance)
    var result: [Place] = []
    for x in low.x...high.x {
      for y in low.y...high.y {
        for z in low.z...high.z { result += index[Cell(x, y, z)]?.all ?? [] }
      }
    }
    return result
  }

  private static func cell(of value: SIMD8<Float>) -> Cell {
    // `Int32` suffices: a sum of 69 coordinates of a vector of length 1 is at most 9.
    func coordinate(_ number: Float) -> Int32 { Int32((number / cellWidth).rounded(.down)) }
    return Cell(coordinate(value[0]), coordinate(value[1]), coordinate(value[2]))
  }

  private static let listedRuns = 5

  var findings: [LintFinding] {
    pairs.map { pair in
      let earlier = files[pair.earlier]
      let later = files[pair.later]
      let whole = Run(earlierStart: 0, laterStart: 0, length: later.count)
      return pair.runs == [whole] && earlier.count == later.count
        ? duplicate(of: earlier, later) : shared(pair.runs, earlier: earlier, later: later)
    }
  }

  private func duplicate(of twin: PoseFingerprints, _ file: PoseFingerprints) -> LintFinding {
    .warning(
      .duplicateRecording, file: file.path,
      message: "all \(CountText.of(file.count, "pose")) equal those of \(twin.path), up to scale",
      remedy: "remove one of the two, or keep both in the same split")
  }

  private func shared(
    _ runs: [Run], earlier: PoseFingerprints, later: PoseFingerprints
  ) -> LintFinding {
    let poses = runs.reduce(0) { $0 + $1.length }
    var list = runs.prefix(Self.listedRuns).map { run in
      let there = frames(of: earlier, run.earlierStart, run.length)
      return "frames \(frames(of: later, run.laterStart, run.length)) are its frames \(there)"
    }
    if runs.count > Self.listedRuns { list.append("and \(runs.count - Self.listedRuns) more") }
    let first = runs.first.map { later.frames[$0.laterStart] + RecordingLint.firstFrameLine }
    return .warning(
      .duplicateFrames, file: later.path, line: first,
      message: "\(CountText.of(poses)) poses are also in \(earlier.path), up to scale; "
        + list.joined(separator: ", "),
      remedy: "remove them from one of the two, or keep both in the same split")
  }

  private func frames(of file: PoseFingerprints, _ start: Int, _ length: Int) -> String {
    "\(file.frames[start])-\(file.frames[start + length - 1])"
  }
}

/// Fingerprints of a recording's poses, which find poses that occur in two files.
///
/// Each pose has eight values: sums of all coordinates with fixed signs, after centering and
/// scaling to length 1. Equal poses have equal values, whatever the order of the joints or the body
/// height, and poses that differ only by rounding have nearly equal values (a random projection:
/// Achlioptas 2003, doi:10.1016/S0022-0000(03)00025-4).
struct PoseFingerprints: Sendable {
  let path: String
  private(set) var values: [SIMD8<Float>] = []
  private(set) var joints: [UInt32] = []
  private(set) var frames: [Int] = []

  init(path: String, recording: Recording) {
    self.path = path
    for frame in 0..<recording.frameCount where recording.hasPose(at: frame) {
      guard let print = Self.fingerprint(of: recording, at: frame) else { continue }
      values.append(print.values)
      joints.append(print.joints)
      frames.append(frame)
    }
  }

  var count: Int { values.count }

  private static func fingerprint(
    of recording: Recording, at frame: Int
  ) -> (values: SIMD8<Float>, joints: UInt32)? {
    var sums = SIMD8<Double>()
    var signSums = [SIMD8<Double>](repeating: SIMD8(), count: 3)
    var total = Vector3(0, 0, 0)
    var squares = 0.0
    var joints: UInt32 = 0
    for joint in Joint.allCases {
      guard let position = recording.position(of: joint, at: frame) else { continue }
      joints |= 1 << UInt32(joint.index)
      for (axis, number) in [position.x, position.y, position.z].enumerated() {
        let signs = signs[3 * joint.index + axis]
        sums += signs * number
        signSums[axis] += signs
      }
      total = total + position
      squares += position.dot(position)
    }
    let count = Double(joints.nonzeroBitCount)
    guard count > 0 else { return nil }
    let center = total / count
    let length = (squares - count * center.dot(center)).squareRoot()
    guard length > 1e-6 else { return nil }
    let moved = sums - signSums[0] * center.x - signSums[1] * center.y - signSums[2] * center.z
    return (SIMD8<Float>(moved / length), joints)
  }

  /// Eight signs for each coordinate of each joint, from a fixed SplitMix64 stream.
  private static let signs: [SIMD8<Double>] = {
    var state: UInt64 = 0
    return (0..<(3 * Joint.count)).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      bits ^= bits >> 31
      var signs = SIMD8<Double>()
      for lane in 0..<8 { signs[lane] = (bits >> UInt64(lane)) & 1 == 0 ? 1 : -1 }
      return signs
    }
  }()
}
