import PoseModel
import PoseRecording

struct JointSearch {
  struct Found {
    var joints: [Joint: TableMap.Place]
    var skeleton: Skeleton
    var coordinates = ["x", "y", "z"]
    var confidence: TableMap.Confidence?
    /// The order of a detector's list that they are in; nil if they have names.
    var order: JointOrder?
    var place: String
    var certainty = PoseDiagnosis.Certainty.sure
    var evidence: String
    var timeElement: FieldPath?
    var isMediaPipe = false
    var rank: Double

    var summary: String {
      let dimension = skeleton.dimension == 2 ? "2D" : "3D"
      return "\(joints.count) of \(order?.name ?? "a body") in \(dimension), \(place)"
    }

    func apply(to map: inout TableMap) {
      map.joints = joints
      map.skeleton = skeleton
      map.frame = skeleton.dimension == 2 ? .image : .camera
      if coordinates != ["x", "y"] { map.coordinates = coordinates }
      map.confidence = confidence
    }
  }

  let fields: FieldSearch
  let samples: [JSONNode]
  let names: [[String]]
  private(set) var others: [String] = []

  private static let fewestJoints = 6

  mutating func best(_ map: TableMap) -> Found? {
    var candidates: [Found] = []
    for (family, points) in Dictionary(grouping: fields.points, by: \.family) {
      for (size, points) in Dictionary(grouping: points, by: \.size) {
        candidates += found(points, family: family, size: size)
      }
    }
    for list in fields.numberLists { candidates += found(in: list) }
    let usable = candidates.filter { $0.joints.count >= Self.fewestJoints }
      .map { judged($0, layout: map.layout) }
      .sorted { ($1.rank, $0.place, $0.joints.count) < ($0.rank, $1.place, $1.joints.count) }
    guard var best = usable.first.map(withScores) else { return nil }
    others = usable.dropFirst().filter { $0.place != best.place }.prefix(3).map(\.summary)
    let rival = usable.dropFirst().first { $0.place == best.place && $0.skeleton == best.skeleton }
    if let rival, best.order != nil, best.rank - rival.rank < 0.5 {
      best.certainty = .unsure
      others.append("the order of \(rival.order?.name ?? "another detector")")
    }
    return best
  }

  private func found(_ points: [PointCandidate], family: String, size: Int) -> [Found] {
    var byName: [String: PointCandidate] = [:]
    var byIndex: [Int: PointCandidate] = [:]
    for point in points {
      switch point.label {
      case .name(let name): byName[name] = point
      case .index(let index): byIndex[index] = point
      }
    }
    var found: [Found] = []
    let named = JointNames(byName.keys)
    if named.found.count >= Self.fewestJoints {
      var places: [Joint: TableMap.Place] = [:]
      for (name, point) in byName { named[name].map { places[$0] = point.place } }
      let example = byName.keys.filter { named[$0] == .leftWrist || named[$0] == .leftHip }.sorted()
      let evidence = "by their names" + (example.first.map { ", such as `\($0.prefix(40))`" } ?? "")
      found.append(made(places, points, size, family, order: nil, evidence, rank: 10))
    }
    let count = (byIndex.keys.max() ?? -1) + 1
    guard byIndex.count >= Self.fewestJoints else { return found }
    for names in names where names.count == count {
      let known = JointNames(names)
      var places: [Joint: TableMap.Place] = [:]
      for (index, name) in names.enumerated() {
        if let joint = known[name], let point = byIndex[index] { places[joint] = point.place }
      }
      found.append(
        made(places, points, size, family, order: nil, "by the list of names in the file", rank: 9))
    }
    for order in JointOrder.all where order.count == count {
      var places: [Joint: TableMap.Place] = [:]
      for (joint, index) in order.joints { byIndex[index].map { places[joint] = $0.place } }
      found.append(
        made(
          places, points, size, family, order: order, "\(count) points, as \(order.name) has",
          rank: 5))
    }
    return found
  }

  private func made(
    _ places: [Joint: TableMap.Place], _ points: [PointCandidate], _ size: Int, _ family: String,
    order: JointOrder?, _ evidence: String, rank: Double
  ) -> Found {
    let isFlat =
      size == 2 || (size == 3 && (thirdIsConfidence(points) || thirdIsNoDepth(places, points)))
    let skeleton: Skeleton = isFlat ? (order == .coco ? .coco17 : .vision2d) : .vision3d
    let family = family.hasPrefix(".") ? String(family.dropFirst()) : family
    var found = Found(
      joints: places.filter { skeleton.joints.contains($0.key) }, skeleton: skeleton, order: order,
      place: family.isEmpty || family == "*_x" ? "as columns" : "under `\(family.prefix(60))`",
      evidence: evidence, rank: rank + Double(places.count) / 10)
    found.isMediaPipe =
      order == .mediaPipe
      || points.contains {
        if case .name(let name) = $0.label { Self.isMediaPipe(name) } else { false }
      }
    if let names = points.first?.coordinates, names.count >= 2 { found.coordinates = names }
    if isFlat { found.coordinates = Array(found.coordinates.prefix(2)) }
    if isFlat, size == 3 {
      found.confidence = TableMap.Confidence(field: FieldPath([.element(2)]), floor: 0)
    } else if let confidence = points.first?.confidence {
      let field = confidence.steps.isEmpty ? nil : confidence
      found.confidence = TableMap.Confidence(field: field, floor: 0)
    }
    found.rank += rankOfWords(family) - (isFlat ? 3 : 0) - (order == nil ? 0 : 1)
    return found
  }

  private static func isMediaPipe(_ name: String) -> Bool {
    let letters = name.lowercased().filter(\.isLetter)
    return ["footindex", "pinky", "eyeinner", "eyeouter"].contains { letters.contains($0) }
  }

  private func thirdIsConfidence(_ points: [PointCandidate]) -> Bool {
    var largest = 0.0
    for point in points {
      guard case .point(let path) = point.place, point.coordinates.isEmpty else { return false }
      var reader = FieldReader(path)
      for sample in samples {
        let numbers = reader.field(of: sample)?.flatNumbers ?? []
        guard numbers.count == 3 else { continue }
        guard (0...1).contains(numbers[2]) else { return false }
        largest = max(largest, numbers[0].magnitude, numbers[1].magnitude)
      }
    }
    return largest > 5
  }

  private func rankOfWords(_ place: String) -> Double {
    let words: [(String, Double)] = [
      ("world", 3), ("local", -5), ("image", -2), ("2d", -3), ("screen", -2), ("pixel", -2),
      ("3d", 1), ("[1]", -2), ("[2]", -3), ("raw", -0.5),
    ]
    let text = place.lowercased()
    return words.reduce(0) { text.contains($1.0) ? $0 + $1.1 : $0 }
  }

  /// Bare numbers in a list, in the order of a detector or of names.
  private func found(in list: (path: FieldPath, count: Int)) -> [Found] {
    var found: [Found] = []
    for offset in [0, 1] {
      for perPoint in [3, 4, 2] where (list.count - offset) % perPoint == 0 {
        let count = (list.count - offset) / perPoint
        for names in names where names.count == count {
          let known = JointNames(names)
          var joints: [Joint: Int] = [:]
          for (index, name) in names.enumerated() { known[name].map { joints[$0] = index } }
          found.append(
            flat(
              list.path, joints, perPoint, offset, order: nil, "the list of names in the file", 9))
        }
        for order in JointOrder.all where order.count == count {
          found.append(
            flat(
              list.path, order.joints, perPoint, offset, order: order,
              "\(count) points of \(perPoint) numbers, as \(order.name) has", 4))
        }
      }
    }
    return found
  }

  private func flat(
    _ path: FieldPath, _ joints: [Joint: Int], _ perPoint: Int, _ offset: Int, order: JointOrder?,
    _ evidence: String, _ rank: Double
  ) -> Found {
    let isFlat =
      perPoint == 2
      || (perPoint == 3
        && (thirdIsConfidence(path, offset) || thirdIsNoDepth(joints, at: path, offset)))
    let skeleton: Skeleton = isFlat ? (order == .coco ? .coco17 : .vision2d) : .vision3d
    let used = joints.filter { skeleton.joints.contains($0.key) }
    let places = used.mapValues { index in
      TableMap.Place.fields(
        (0..<perPoint).map { path.appending(.element(offset + index * perPoint + $0)) })
    }
    let hasConfidence = perPoint == 4 || (perPoint == 3 && isFlat)
    let name = path.text.isEmpty ? "as bare numbers" : "as numbers under `\(path.text.prefix(60))`"
    var found = Found(
      joints: places, skeleton: skeleton, order: order, place: name, evidence: evidence,
      rank: rank + Double(places.count) / 10 + rankOfWords(path.text) - Double(offset))
    found.isMediaPipe = order == .mediaPipe
    if hasConfidence { found.confidence = TableMap.Confidence(field: nil, floor: 0) }
    if isFlat { found.coordinates = ["x", "y"] }
    if offset == 1 { found.timeElement = path.appending(.element(0)) }
    return found
  }

  private func thirdIsConfidence(_ path: FieldPath, _ offset: Int) -> Bool {
    var reader = FieldReader(path)
    var largest = 0.0
    for sample in samples {
      let numbers = (reader.field(of: sample)?.flatNumbers ?? []).dropFirst(offset)
      for (position, number) in numbers.enumerated() where number.isFinite {
        if position % 3 != 2 {
          largest = max(largest, number.magnitude)
        } else if !(0...1).contains(number) {
          return false
        }
      }
    }
    return largest > 2
  }

  private func judged(_ candidate: Found, layout: PoseTable.Layout) -> Found {
    guard candidate.order != nil else { return candidate }
    var result = candidate
    var map = TableMap()
    candidate.apply(to: &map)
    map.time = TableMap.Time(field: nil, rate: 30)
    map.imageSize = ImageSize(width: 1, height: 1)
    map.units = map.skeleton.dimension == 2 ? .pixels : .m
    let joints = map.skeleton.joints.filter { map.joints[$0] != nil }
    var reader = FrameReader(map: map, joints: joints)
    var frames: [[Joint: Vector3]] = []
    for sample in samples.prefix(120) {
      let place = SourcePlace(file: "", line: 0)
      guard let frame = try? reader.frame(sample, number: 0, at: place) else { continue }
      var positions: [Joint: Vector3] = [:]
      for (joint, position) in zip(joints, frame.positions) where position.isFinite {
        positions[joint] = position
      }
      frames.append(positions)
    }
    let signs = BodySigns(frames)
    guard let variation = signs.boneVariation else {
      result.rank -= 2
      return result
    }
    let error = signs.proportionError ?? 3
    result.rank -= min(3, variation * (map.skeleton.dimension == 3 ? 20 : 3)) + min(3, error - 1)
    if map.skeleton.dimension == 3, variation > 0.1 || error > 2 { result.certainty = .unsure }
    result.evidence +=
      ", and bones keep their lengths to \(TableExamination.short(variation * 100)) %"
    return result
  }
}
