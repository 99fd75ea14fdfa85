import PoseModel
import PoseRecording

/// What points are instead of positions, such as rotations, by their names or their numbers.
struct PointMeaning: Hashable {
  let text: String

  static let quaternions = PointMeaning(text: "rotations (quaternions: 4 numbers of length 1)")
  static let parentRelative = PointMeaning(text: "positions relative to the parent joint")

  private static let stems: [(stems: [String], meaning: String)] = [
    (["rotation", "rotvec", "rodrigues", "quaternion", "orientation"], "rotations"),
    (["euler", "angle", "angular"], "angles"), (["accel"], "accelerations"),
    (["velocit"], "velocities"), (["direction"], "directions"),
    (["delta", "displacement"], "changes between frames"), (["torque"], "torques"),
    (["covarian", "variance", "uncertain", "stddev"], "uncertainties"),
  ]
  private static let words: [String: String] = [
    "rot": "rotations", "rots": "rotations", "quat": "rotations", "quats": "rotations",
    "orient": "rotations", "orients": "rotations", "acc": "accelerations",
    "accs": "accelerations", "vel": "velocities", "vels": "velocities", "speed": "velocities",
    "speeds": "velocities", "dir": "directions", "dirs": "directions", "diff": "changes",
    "diffs": "changes", "scale": "scales", "scales": "scales", "std": "uncertainties",
    "sigma": "uncertainties", "force": "forces", "forces": "forces",
  ]
  private static let positions = [
    "position", "pos", "location", "translation", "xyz", "coord", "keypoint", "landmark", "point",
  ]
  private static let otherThings: Set = [
    "camera", "cam", "device", "view", "rectangle", "triangle",
  ]

  private init(text: String) { self.text = text }

  /// Nil if names say nothing, or that these are positions; the innermost telling name decides.
  init?(names: [String]) {
    for name in names.reversed() {
      let words = ClockName.words(of: name)
      guard Self.otherThings.isDisjoint(with: words) else { continue }
      if let meaning = words.lazy.compactMap(Self.meaning).first {
        self.init(text: meaning)
        return
      }
      if words.contains(where: { word in Self.positions.contains(where: word.hasPrefix) }) {
        return nil
      }
    }
    return nil
  }

  private static func meaning(_ word: String) -> String? {
    words[word] ?? stems.first { $0.stems.contains(where: word.contains) }?.meaning
  }
}

extension PointCandidate {
  /// The paths of the coordinates, and of a fourth number beside them.
  func numberPaths(_ count: Int) -> [FieldPath] {
    switch place {
    case .fields(let paths): return Array(paths.prefix(count))
    case .point(let path):
      return (0..<count).map { axis in
        path.appending(axis < coordinates.count ? .key(coordinates[axis]) : .element(axis))
      }
    }
  }
}

// Tells positions from other points with the same names.
extension JointSearch {
  private static let checkedSamples = 60
  /// Steadier bones than these are those of a body whose joints are relative to the pelvis, not to
  /// their parents.
  private static let bodyVariation = 0.08
  private static let bodyProportions = 2.0

  func meaning(of points: [PointCandidate], family: String) -> PointMeaning? {
    let names = family.split(separator: ".").map(String.init)
    let fourth = points.compactMap { point in
      point.fourth.map { point.numberPaths(3) + [$0] }
    }
    return areQuaternions(fourth) ? .quaternions : PointMeaning(names: names)
  }

  func areQuaternions(_ points: [[FieldPath]]) -> Bool {
    guard points.count >= 5 else { return false }
    var (all, unit) = (0, 0)
    for paths in points {
      var readers = paths.map { FieldReader($0) }
      for sample in samples.prefix(Self.checkedSamples) {
        let numbers = readers.indices.compactMap { readers[$0].field(of: sample)?.number }
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { continue }
        let square = numbers.reduce(0) { $0 + $1 * $1 }
        guard square > 0 else { continue }
        all += 1
        unit += (0.96...1.04).contains(square) ? 1 : 0
      }
    }
    return all > 20 && unit * 20 >= all * 19
  }

  /// Judges points with names by their bones, whose lengths are constant if they are positions.
  func checked(_ candidate: Found) -> Found {
    guard candidate.order == nil, candidate.skeleton.dimension == 3,
      let variation = signs(of: candidate).boneVariation
    else { return candidate }
    var result = candidate
    result.variation = variation
    let words = ClockName.words(of: candidate.place)
    if words.contains(where: { ["local", "parent", "offset", "offsets"].contains($0) }) {
      let error = signs(of: candidate).proportionError ?? 1
      if variation > Self.bodyVariation || error > Self.bodyProportions {
        result.meaning = .parentRelative
      }
    }
    return result
  }
}

extension JointSearch.Found {
  private static let leastVariation = 0.2

  /// Doubts named joints whose bones change in length as no body's do.
  mutating func doubt() {
    guard let variation, variation > Self.leastVariation else { return }
    certainty = .unsure
    evidence +=
      ", but bone lengths vary by \(TableExamination.short(variation * 100)) %, as no "
      + "body's do"
    alternatives.append("these are rotations, velocities or the like, which are not positions")
  }
}

extension TableExamination {
  /// Refuses a file whose points are no positions.
  mutating func block(_ meaning: PointMeaning, at place: String) {
    diagnosis.block(
      "no positions of joints were found: the numbers \(place) are \(meaning.text), not positions",
      "save the position of every joint in space as well, such as left_hip: [x, y, z]; "
        + "motion-capture software exports them as global positions. If these are positions, "
        + "rename the field, or name it in a map that begins with `planklab import maps mlkit`")
  }

  /// Refuses points whose file is named after rotations or the like, if bones confirm it.
  mutating func blocksByFileName(_ found: JointSearch.Found) -> Bool {
    let name = diagnosis.file.split(separator: "/").last.map(String.init) ?? ""
    guard let variation = found.variation, variation > 0.1,
      let meaning = PointMeaning(names: [name])
    else { return false }
    block(meaning, at: found.place)
    return true
  }
}
