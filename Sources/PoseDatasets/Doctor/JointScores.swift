import PoseModel
import PoseRecording

// What the third number of points is, and scores in a list beside them.
extension JointSearch {
  /// Whether the third number of points is a confidence or a flag, and no depth.
  ///
  /// It is depth only if it could not be a confidence, or if limbs keep their lengths better with it
  /// than without.
  func thirdIsNoDepth(_ places: [Joint: TableMap.Place]) -> Bool {
    var frames: [[Joint: Vector3]] = []
    var isFlag = true
    var largest = 0.0
    var deepest = 0.0
    var readers = places.mapValues { place -> [FieldReader] in
      switch place {
      case .point(let path): [FieldReader(path)]
      case .fields(let paths): paths.map { FieldReader($0) }
      }
    }
    for sample in samples.prefix(120) {
      var frame: [Joint: Vector3] = [:]
      for joint in readers.keys {
        var numbers: [Double] = []
        for index in readers[joint]?.indices ?? 0..<0 {
          guard let field = readers[joint]?[index].field(of: sample) else { continue }
          guard field.flatNumbers.count > 0 || field.isEmpty else { return false }
          numbers += field.flatNumbers
        }
        guard numbers.count == 3, numbers.allSatisfy(\.isFinite) else { continue }
        isFlag = isFlag && [0, 1, 2].contains(numbers[2])
        guard isFlag || (0...100).contains(numbers[2]) else { return false }
        deepest = max(deepest, numbers[2])
        largest = max(largest, numbers[0].magnitude, numbers[1].magnitude)
        // A point at 0 is missing.
        if numbers[0] != 0 || numbers[1] != 0 {
          frame[joint] = Vector3(numbers[0], numbers[1], numbers[2])
        }
      }
      frames.append(frame)
    }
    guard frames.contains(where: { !$0.isEmpty }) else { return false }
    if isFlag || (largest > 5 && deepest <= 1) { return true }
    let flat = frames.map { $0.mapValues { Vector3($0.x, $0.y, 0) } }
    guard let with = BodySigns(frames).boneVariation, let without = BodySigns(flat).boneVariation
    else { return false }
    return with > without
  }

  /// The fields of points with those of a list of as many scores beside their list.
  func withScores(_ found: Found) -> Found {
    guard found.confidence == nil else { return found }
    var result = found
    for list in fields.numberLists where Self.isScore(list.path.lastKey) {
      let path = list.path
      var joints: [Joint: TableMap.Place] = [:]
      for (joint, place) in found.joints {
        guard let (fields, index) = fields(of: place, found), let points = fields.list,
          Self.areBeside(path, points)
        else { break }
        joints[joint] = .fields(fields.paths + [path.appending(.element(index))])
      }
      guard joints.count == found.joints.count else { continue }
      result.joints = joints
      result.confidence = TableMap.Confidence(field: nil, floor: 0)
      return result
    }
    return found
  }

  private static func isScore(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["score", "conf", "visib", "likelihood", "prob"].contains { name.contains($0) }
  }

  /// Whether two lists have the same way but for one key, such as `people[0].scores` and
  /// `people[0].keypoints`.
  private static func areBeside(_ one: FieldPath, _ other: FieldPath) -> Bool {
    guard one.steps.count == other.steps.count else { return false }
    let different = zip(one.steps, other.steps).filter { $0 != $1 }
    guard different.count == 1, case (.key, .key) = different[0] else { return false }
    return true
  }

  /// The fields of a joint's coordinates, the list that they are in, and the joint's place there.
  private func fields(
    of place: TableMap.Place, _ found: Found
  ) -> (fields: (paths: [FieldPath], list: FieldPath?), index: Int)? {
    let dimension = found.skeleton.dimension
    switch place {
    case .point(let path):
      guard case .element(let index)? = path.steps.last else { return nil }
      let list = FieldPath(Array(path.steps.dropLast()))
      let isObject = samples.contains { sample in
        var reader = FieldReader(path)
        guard case .object? = reader.field(of: sample)?.content else { return false }
        return true
      }
      let paths = (0..<dimension).map { axis in
        path.appending(isObject ? .key(found.coordinates[axis]) : .element(axis))
      }
      return ((paths, list), index)
    case .fields(let paths):
      guard paths.count == dimension, case .element(let first)? = paths[0].steps.last else {
        return nil
      }
      return ((paths, FieldPath(Array(paths[0].steps.dropLast()))), first / dimension)
    }
  }
}
