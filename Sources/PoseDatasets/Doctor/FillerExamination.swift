import PoseModel
import PoseRecording

// What files have in place of joints that were not found.
extension TableExamination {
  /// Looked for in the file's own numbers, before axes, sides or matrices change them.
  mutating func examineFillers() throws {
    var plain = self
    plain.map.fillers = []
    let (frames, _) = try plain.sampledPoses(anchored: false)
    let found = FillerSearch(frames).found
    for one in found where !map.fillers.contains(one.filler) { map.fillers.append(one.filler) }
    guard !found.isEmpty else { return }
    let positions = frames.reduce(0) { $0 + $1.count }
    let texts = found.map { "\($0.filler.text) (\($0.count) times)" }
    diagnosis.conclude(
      "missing", "joints at exactly \(texts.joined(separator: ", ")) are missing", .sure,
      "of \(CountText.of(positions, "position")) in \(CountText.of(frames.count, "frame")) looked at, "
        + "these repeat exactly at several joints, which bodies never do",
      alternatives: ["`missing` in the map"])
  }

  /// Poses that a program repeats while it has lost the person.
  mutating func examineRepeats(_ clips: TableClips) -> Bool {
    let (longest, median) = clips.repeats
    guard map.longestRepeat == nil, longest >= 10, Double(longest) >= 4 * median else {
      return false
    }
    let limit = max(2, Int(median.rounded()))
    map.longestRepeat = limit
    diagnosis.conclude(
      "repeats",
      "a pose that stays for more than \(CountText.of(limit, "frame")) is the last that was found",
      .likely,
      "one stays exactly the same for \(CountText.of(longest, "frame")), which no detector finds twice",
      alternatives: ["without `repeats` in the map, they are poses"])
    return true
  }
}

struct FillerSearch {
  let found: [(filler: PoseFiller, count: Int)]

  /// Points of two dimensions have no z, which is 0 here.
  init(_ frames: [[Joint: Vector3]]) {
    var counts: [Vector3: (count: Int, joints: Set<Joint>)] = [:]
    let isPlane = frames.allSatisfy { $0.values.allSatisfy { $0.z == 0 } }
    let largest = BodySigns(frames).largest
    let noise = (isPlane && largest > 5 ? TableMap.Units.pixels : .m).noise
    for frame in frames {
      for (joint, own) in frame where joint != .root {
        let isZero = PoseFiller.zero.fills([own.x, own.y, own.z], noise: noise)
        let position = isZero ? Vector3(0, 0, 0) : own
        counts[position, default: (0, [])].count += 1
        counts[position]?.joints.insert(joint)
      }
    }
    var sums: [PoseFiller: Int] = [:]
    for (point, seen) in counts {
      let isEven = point.x == point.y && (isPlane || point.y == point.z)
      let isFiller =
        isEven ? seen.count >= (point.x == 0 ? 1 : 3) : seen.joints.count >= 3 && seen.count >= 5
      guard isFiller else { continue }
      let numbers = isPlane ? [point.x, point.y] : [point.x, point.y, point.z]
      sums[PoseFiller(numbers), default: 0] += seen.count
    }
    found = sums.map { (filler: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.filler.text) < ($0.count, $1.filler.text) }.prefix(8).map { $0 }
  }
}
