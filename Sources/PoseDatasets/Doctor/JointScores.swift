import PoseModel
import PoseRecording

// What the third number of points is, and scores in a list beside them.
extension JointSearch {
  /// What the three numbers of points are that have no names.
  enum Triple {
    case depth, score, scoreFirst
  }

  /// The meaning of three numbers, by ranges and by which of them keep the lengths of bones.
  func triple(_ places: [Joint: TableMap.Place]) -> (meaning: Triple, isSure: Bool) {
    let frames = tripleFrames(places)
    let all = frames.flatMap(\.values)
    guard !all.isEmpty else { return (.depth, true) }
    if all.allSatisfy({ [0, 1, 2].contains($0.z) }) { return (.score, true) }
    if isScoreFirst(frames) {
      return (.scoreFirst, all.contains { max($0.y.magnitude, $0.z.magnitude) > 5 })
    }
    let reach = min(all.map(\.x.magnitude).max() ?? 0, all.map(\.y.magnitude).max() ?? 0)
    if reach > 5, hasImageSize || all.allSatisfy({ (0...1).contains($0.z) }) {
      return (.score, true)
    }
    return depthOrScore(frames)
  }

  /// Whether the first number could be a score, the others keep the lengths of bones clearly better than
  /// the first two, and the first is no depth beside them.
  private func isScoreFirst(_ frames: [[Joint: Vector3]]) -> Bool {
    let first = frames.flatMap { $0.values.map(\.x) }
    guard first.allSatisfy({ (-1...100).contains($0) }) else { return false }
    let turned = frames.map { $0.mapValues { Vector3($0.y, $0.z, $0.x) } }
    func flat(_ frames: [[Joint: Vector3]]) -> BodySigns {
      BodySigns(frames.map { $0.mapValues { Vector3($0.x, $0.y, 0) } })
    }
    let (own, usual) = (flat(turned), flat(frames))
    guard let variation = own.boneVariation else { return false }
    if let other = usual.boneVariation, variation >= 0.5 * other { return false }
    // A steady score keeps lengths, too, but moves little, and makes no limbs of people.
    let shapes = (own.proportionError ?? 9, usual.proportionError ?? 9)
    guard motion(frames, \.z) > motion(frames, \.x) || shapes.0 < 0.8 * shapes.1 else {
      return false
    }
    let third = frames.flatMap { $0.values.map(\.z) }
    let isLastScore = third.allSatisfy { (0...1).contains($0) }
    return (!isLastScore || first.allSatisfy { (0...1).contains($0) })
      && depthOrScore(turned).meaning == .score
  }

  /// How far a number of the same joint is from its median: half of the frames, and of the joints.
  private func motion(_ frames: [[Joint: Vector3]], _ axis: (Vector3) -> Double) -> Double {
    Skeleton.vision3d.joints.compactMap { joint -> Double? in
      let values = frames.compactMap { $0[joint].map(axis) }
      return values.median.flatMap { median in values.map { ($0 - median).magnitude }.median }
    }.median ?? 0
  }

  private func depthOrScore(_ all: [[Joint: Vector3]]) -> (meaning: Triple, isSure: Bool) {
    let negative = Set(all.flatMap { $0.values.map(\.z) }.filter { $0 < 0 })
    // One or two negative numbers stand for missing joints.
    let frames =
      (1...2).contains(negative.count) ? all.map { $0.filter { $0.value.z >= 0 } } : all
    let signs = BodySigns(frames)
    let votes = signs.depthVotes
    // Bodies are neither flat as paper nor far deeper than tall.
    guard signs.thickness.map((0.05...3).contains) ?? true else {
      return (.score, votes.depth < votes.all)
    }
    if negative.count > 2 {
      let isScore = votes.score > votes.depth
      return (isScore ? .score : .depth, !isScore)
    }
    guard votes.all > 2 else { return (.depth, false) }
    return votes.depth * 2 > votes.all
      ? (.depth, !hasImageSize) : (.score, votes.depth * 4 < votes.all)
  }

  private func tripleFrames(_ places: [Joint: TableMap.Place]) -> [[Joint: Vector3]] {
    var readers = places.mapValues { place -> [FieldReader] in
      switch place {
      case .point(let path): [FieldReader(path)]
      case .fields(let paths): paths.map { FieldReader($0) }
      }
    }
    return samples.prefix(120).map { sample in
      var frame: [Joint: Vector3] = [:]
      for joint in readers.keys {
        var numbers: [Double] = []
        for index in readers[joint]?.indices ?? 0..<0 {
          numbers += readers[joint]?[index].field(of: sample)?.flatNumbers ?? []
        }
        guard numbers.count == 3, numbers.allSatisfy(\.isFinite) else { continue }
        // A point at 0 is missing.
        guard numbers.count(where: { $0 == 0 }) < 2 else { continue }
        frame[joint] = Vector3(numbers[0], numbers[1], numbers[2])
      }
      return frame
    }
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

extension JointSearch.Found {
  mutating func take(_ triple: (meaning: JointSearch.Triple, isSure: Bool)) {
    if triple.meaning == .scoreFirst {
      confidence = TableMap.Confidence(field: nil, floor: 0)
      joints = joints.mapValues { place in
        let paths =
          switch place {
          case .point(let path): (0..<3).map { path.appending(.element($0)) }
          case .fields(let paths): paths
          }
        return .fields([paths[1], paths[2], paths[0]])
      }
      evidence += "; the first number is a score: bones keep their lengths in the other two"
    }
    guard !triple.isSure else { return }
    certainty = .unsure
    switch triple.meaning {
    case .depth:
      alternatives.append(
        "the third number may be a score beside points of an image: then give --image-size")
    case .score:
      alternatives.append(
        "the third number may be a depth: then write a map with `skeleton: vision3d`")
    case .scoreFirst:
      alternatives.append("the first number may be no score: then name the fields in a map")
    }
  }
}
