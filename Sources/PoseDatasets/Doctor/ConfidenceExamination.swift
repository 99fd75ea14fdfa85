import PoseModel
import PoseRecording

extension TableExamination {
  mutating func examineConfidence() {
    guard var confidence = map.confidence else { return }
    let field =
      (confidence.field?.text ?? nameBesideJoints).map { "`\($0)`" }
      ?? "the number after the coordinates"
    let written = confidences()
    if let problem = Self.problem(of: written) {
      // Import itself reports a constant number.
      let isBuiltIn = builtIn != nil && written.allSatisfy { $0 == written[0] }
      if !isBuiltIn { map.confidence = nil }
      ignoresConfidence = true
      diagnosis.conclude(
        "confidence", "none that is informative; \(field) is not used", .sure, problem)
      return
    }
    let found = Self.scale(of: written)
    if let scale = found.scale {
      confidence.scale = scale
      map.confidence = confidence
    } else {
      map.confidence = nil
      ignoresConfidence = true
    }
    let values = written.map(confidence.share)
    if let text = found.text {
      if builtIn == nil, let floor = Self.floor(of: values), confidence.floor == 0 {
        map.confidence?.floor = floor
      }
      let floor = map.confidence?.floor ?? 0
      let low = values.count { $0 <= 0 || $0 < floor }
      return diagnosis.conclude(
        "confidence", "\(field), \(text)", found.isSure ? .likely : .unsure,
        "it goes from \(Self.short(written.min() ?? 0)) to \(Self.short(written.max() ?? 0))"
          + (map.confidence == nil
            ? "" : "; \(CountText.of(low, "joint")) of \(CountText.of(values.count)) are missing"),
        alternatives: ["`scale` and `floor` of `confidence` in the map, or a map without it"])
    }
    if builtIn == nil, confidence.floor == 0, let floor = Self.floor(of: values) {
      map.confidence?.floor = floor
      let low = values.count { $0 < floor }
      return diagnosis.conclude(
        "confidence", "\(field); joints below \(floor) are missing", .likely,
        "\(CountText.of(low, "value")) of \(CountText.of(values.count)) are below this, and none "
          + "is near it",
        alternatives: ["a `floor` of your own in the map"])
    }
    let dropped = confidence.floor > 0 ? "below \(confidence.floor)" : "at 0"
    let isLow = builtIn == nil && values.filter { $0 > 0 }.median.map { $0 < 0.1 } ?? false
    if isLow {
      return diagnosis.conclude(
        "confidence", "\(field); joints \(dropped) are missing", .unsure,
        "half of its values are below 0.1, which is typical of errors, not of confidences",
        alternatives: ["none; remove `confidence` and its field from the map"])
    }
    diagnosis.conclude(
      "confidence", "\(field); joints \(dropped) are missing", builtIn == nil ? .likely : .sure,
      builtIn == nil ? "it is next to the coordinates" : "the format defines it",
      alternatives: confidence.floor > 0 ? [] : ["a `floor` of your own in the map"])
  }

  private static func floor(of values: [Double]) -> Double? {
    let sorted = values.filter { $0 > 0 }.sorted()
    guard
      let index = sorted.indices.dropLast().first(where: {
        sorted[$0] < 0.15 && sorted[$0 + 1] - sorted[$0] >= 0.2
      }), index * 2 < sorted.count
    else { return nil }
    return ((sorted[index] + sorted[index + 1]) / 2 * 100).rounded() / 100
  }

  private static func problem(of values: [Double]) -> String? {
    guard values.count > 1, let least = values.min(), let most = values.max() else { return nil }
    if least == most { return "it is \(short(least)) everywhere" }
    if most == 2, values.allSatisfy({ [1, 2].contains($0) }) {
      return "it is only 1 or 2: a flag that a person set (COCO's v), not a confidence"
    }
    return nil
  }

  static func isConfidence(_ values: [Double]) -> Bool { scale(of: values).scale != nil }

  /// Finds the scale of confidences and a text that explains it.
  ///
  /// One or two different negative numbers, such as -1, stand for missing joints; more mean
  /// log-odds.
  private static func scale(
    of values: [Double]
  ) -> (scale: TableMap.Confidence.Scale?, text: String?, isSure: Bool) {
    let negative = Set(values.filter { $0 < 0 })
    let (least, most) = (values.min() ?? 0, values.max() ?? 0)
    guard negative.count <= 2 else {
      guard most <= 40, values.allSatisfy({ $0 >= -1000 }) else {
        return (nil, "not used: no confidence scale has such numbers", false)
      }
      return (.logit, "assumed to be log-odds (`scale: logit`)", false)
    }
    if most <= 1 { return (.number(1), nil, true) }
    if (2...5).contains(most), least == 0, values.allSatisfy({ $0 == $0.rounded() }) {
      return (.number(most), "levels: \(Int(most)) is certain, and 0 is missing", true)
    }
    // Peaks of heat maps slightly exceed 1.
    if most <= 1.5 { return (.number(1), "shares; those above 1 count as 1", true) }
    if (20...100).contains(most) {
      return (.number(100), "percent: 100 is certain, and 0 or less is missing", true)
    }
    if most > 100, most <= 255, values.allSatisfy({ $0 == $0.rounded() }) {
      return (.number(255), "bytes: 255 is certain, and 0 or less is missing", false)
    }
    return (nil, "not used: no confidence scale has such numbers", false)
  }

  private func confidences() -> [Double] {
    var paths: [FieldPath] = []
    for place in map.joints.values {
      switch place {
      case .point(let path):
        if let field = map.confidence?.field { paths.append(FieldPath(path.steps + field.steps)) }
      case .fields(let fields):
        if fields.count > map.skeleton.dimension, let last = fields.last { paths.append(last) }
      }
    }
    return paths.flatMap { path in
      path.nodes(in: samples).compactMap { JointState.share($0, named: path.lastKey) }
        .filter(\.isFinite)
    }
  }

  private var nameBesideJoints: String? {
    let names = map.joints.values.map { place -> String? in
      guard case .fields(let paths) = place, paths.count > map.skeleton.dimension,
        case .key(let key)? = paths.last?.steps.last
      else { return nil }
      return key
    }
    return Set(names).count == 1 ? names[0] : nil
  }

  private static let presenceNames: Set = [
    "posedetected", "persondetected", "bodydetected", "humandetected", "skeletondetected",
    "istracked", "tracked", "bodytracked", "isbodytracked", "isposetracked", "posefound",
    "personfound", "bodyfound", "haspose", "hasbody", "hasperson", "posevalid", "isposevalid",
    "ispersondetected", "isposedetected", "isbodydetected",
  ]

  mutating func examinePresence() {
    guard builtIn == nil, map.presence == nil else { return }
    let places = map.joints.values.flatMap(\.paths)
    for fact in facts where fact.isOfFrame && Self.presenceNames.contains(fact.name) {
      // A field of one joint says nothing about other joints.
      let parent = fact.path.steps.dropLast()
      guard places.allSatisfy({ $0.steps.starts(with: parent) }) else { continue }
      let key = fact.path.lastKey
      let values = fact.path.nodes(in: samples).compactMap { JointState.share($0, named: key) }
      let absent = values.count { $0 == 0 }
      guard absent > 0, absent < values.count else { continue }
      map.presence = fact.path
      diagnosis.conclude(
        "presence", "frames without a pose, according to `\(fact.path.text)`", .likely,
        "in \(CountText.of(absent, "frame")) of \(CountText.of(values.count)) looked at",
        alternatives: ["without `presence` in the map, these frames have poses, too"])
      return
    }
  }

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
        + "these repeat exactly at several joints, which no body's joints do",
      alternatives: ["`missing` in the map"])
  }

  /// Warns of a joint that stays exactly where it is while others move, as where it was lost.
  mutating func nameStandstill() throws {
    guard samples.count == table.count, !diagnosis.problems.contains(where: \.isBlocking) else {
      return
    }
    let (frames, _) = try sampledPoses(anchored: false)
    var longest: (joint: Joint, place: Vector3, steps: Int)?
    for joint in Set(frames.flatMap(\.keys)).subtracting([.root]) {
      // Whole pixels stay the same in a hold.
      let places = frames.compactMap { $0[joint] }
      guard !places.allSatisfy({ $0.x == $0.x.rounded() && $0.y == $0.y.rounded() }) else {
        continue
      }
      var steps = 0
      for (last, frame) in zip(frames, frames.dropFirst()) {
        let moved = frame.count { last[$0.key] != $0.value }
        guard let place = frame[joint], place == last[joint], 2 * moved > frame.count else {
          steps = 0
          continue
        }
        steps += 1
        if steps >= max(Self.fewestStill, longest?.steps ?? 0) { longest = (joint, place, steps) }
      }
    }
    guard let (joint, place, steps) = longest else { return }
    let numbers = [place.x, place.y] + (map.skeleton.dimension == 3 ? [place.z] : [])
    diagnosis.warn(
      "\(joint.name) stays exactly where it is for \(steps + 1) frames in which others move, so it "
        + "was probably lost",
      "write no numbers for a joint that was not found; one place can be named in the map, as "
        + "`missing: [\(numbers)]`")
  }

  private static let fewestStill = 9

  mutating func examineRepeats(_ clips: TableClips) -> Bool {
    let (longest, median) = clips.repeats
    guard map.longestRepeat == nil, longest >= 10, Double(longest) >= 4 * median else {
      return false
    }
    let limit = max(2, Int(median.rounded()))
    map.longestRepeat = limit
    diagnosis.conclude(
      "repeats",
      "a pose that stays for more than \(CountText.of(limit, "frame")) is the last one found, repeated",
      .likely,
      "one stays exactly the same for \(CountText.of(longest, "frame")), which a detector never "
        + "does",
      alternatives: ["without `repeats` in the map, they count as poses"])
    return true
  }
}

struct FillerSearch {
  let found: [(filler: PoseFiller, count: Int)]

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
