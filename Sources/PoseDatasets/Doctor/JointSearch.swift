import PoseModel
import PoseRecording

struct JointSearch {
  struct Found {
    var joints: [Joint: TableMap.Place]
    var skeleton: Skeleton
    var coordinates = ["x", "y", "z"]
    var confidence: TableMap.Confidence?
    var order: JointOrder?
    var isInBlocks = false
    var offset = 0
    var place: String
    var certainty = PoseDiagnosis.Certainty.sure
    var evidence: String
    var timeElement: FieldPath?
    var isMediaPipe = false
    /// Whether the joints include a face but no spine.
    ///
    /// Such joints come from detectors in images, whose y points down, and not from motion capture.
    var hasFace = false
    var meaning: PointMeaning?
    var variation: Double?
    var strangeBones: String?
    var rank: Double
    var alternatives: [String] = []

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
  var hasImageSize = false
  private(set) var others: [String] = []
  private(set) var unusable: Found?

  private static let fewestJoints = 6
  private static let lowestRank = -20.0
  private static let lastPoint = 9999

  mutating func best() -> Found? {
    var candidates: [Found] = []
    for (family, points) in Dictionary(grouping: fields.points, by: \.family) {
      for (ownSize, own) in Dictionary(grouping: points, by: \.size) {
        let (points, size, isPlane) = withoutDepth(own, ownSize)
        candidates += found(points, family: family, size: size).map { one in
          var one = one
          if isPlane { one.meaning = .planar }
          return one
        }
      }
    }
    for list in fields.numberLists where !Self.isScore(list.path.lastKey) {
      candidates += found(in: list)
    }
    let all: [Found] = candidates.filter { one in
      let isOfSpace = one.order.map(JointOrder.ofSkeletons.contains) ?? false
      return one.joints.count >= Self.fewestJoints && (!isOfSpace || one.skeleton.dimension == 3)
    }
    .map { checked(judged($0)) }.filter { $0.rank > Self.lowestRank }
    unusable = all.filter { $0.meaning != nil }.max { $0.rank < $1.rank }
    let usable: [Found] = all.filter { $0.meaning == nil }
      .sorted { ($1.rank, $0.place, $0.joints.count) < ($0.rank, $1.place, $1.joints.count) }
    guard var best = usable.first.map(withScores) else { return nil }
    others = usable.dropFirst().filter { $0.place != best.place }.prefix(3).map(\.summary)
    // In an image, bones are weaker evidence for an order than in space.
    let dimension = best.skeleton.dimension
    let rivals = usable.dropFirst().filter {
      $0.place == best.place && $0.skeleton.dimension == dimension
        && best.rank - $0.rank < (dimension == 2 ? 1.5 : 0.5)
    }
    if !rivals.isEmpty, best.order != nil {
      best.certainty = .unsure
      for rival in rivals.map({ Self.difference($0, from: best) }) where !others.contains(rival) {
        others.append(rival)
      }
    }
    // The same joints in another place may be another body, such as a model to follow.
    let hasTwin = usable.dropFirst().contains {
      $0.place != best.place && $0.order == nil && best.order == nil
        && $0.skeleton == best.skeleton && Set($0.joints.keys) == Set(best.joints.keys)
    }
    if hasTwin { best.certainty = .unsure }
    best.doubt()
    return best
  }

  private static func difference(_ rival: Found, from best: Found) -> String {
    var parts: [String] = []
    if rival.order != best.order {
      parts.append("the order of \(rival.order?.name ?? "another detector")")
    }
    if rival.isInBlocks != best.isInBlocks {
      parts.append(rival.isInBlocks ? "all x before all y" : "x and y of each point in turn")
    }
    if rival.offset != best.offset || parts.isEmpty {
      parts.append("points that begin at number \(rival.offset + 1) of the list")
    }
    return parts.joined(separator: " with ")
  }

  private func found(_ points: [PointCandidate], family: String, size: Int) -> [Found] {
    var byName: [String: PointCandidate] = [:]
    var byIndex: [Int: PointCandidate] = [:]
    for point in points {
      switch point.label {
      case .name(let name): byName[name] = point
      case .index(let index) where (-1...Self.lastPoint).contains(index): byIndex[index] = point
      case .index: break
      }
    }
    // Some files count from 1, and others only the repeated columns, from 0.
    if let first = byIndex.keys.min(), first == -1 || first == 1,
      byIndex.keys.max() == byIndex.count + first - 1
    {
      byIndex = Dictionary(uniqueKeysWithValues: byIndex.map { ($0.key - first, $0.value) })
    }
    var found: [Found] = []
    let named = JointNames(byName.keys)
    if named.found.count >= Self.fewestJoints {
      var places: [Joint: TableMap.Place] = [:]
      for (name, point) in byName { named[name].map { places[$0] = point.place } }
      let example = byName.keys.filter { named[$0] == .leftWrist || named[$0] == .leftHip }.sorted()
      let evidence = "by their names" + (example.first.map { ", such as `\($0.prefix(40))`" } ?? "")
      var one = made(places, points, size, family, order: nil, evidence, rank: 10)
      one.doubt(beside: byName.keys.filter { !JointNames.isJoint($0) })
      found.append(one)
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
      found.append(
        made(
          order.joints.compactMapValues { byIndex[$0]?.place }, points, size, family, order: order,
          "\(count) points, as \(order.name) has", rank: 5))
    }
    return found
  }

  private func made(
    _ places: [Joint: TableMap.Place], _ points: [PointCandidate], _ size: Int, _ family: String,
    order: JointOrder?, _ evidence: String, rank: Double
  ) -> Found {
    let triple = size == 3 && points.allSatisfy(\.coordinates.isEmpty) ? triple(places) : nil
    let isFlat = size == 2 || triple.map { $0.meaning != .depth } ?? false
    let skeleton: Skeleton = isFlat ? (order == .coco ? .coco17 : .vision2d) : .vision3d
    let family = family.hasPrefix(".") ? String(family.dropFirst()) : family
    var found = Found(
      joints: places.filter { skeleton.joints.contains($0.key) }, skeleton: skeleton, order: order,
      place: family.isEmpty || family == "*_x" ? "as columns" : "under `\(family.prefix(60))`",
      evidence: evidence, rank: rank + Double(places.count) / 10)
    found.isMediaPipe =
      order == .mediaPipe || points.contains { $0.label.name.map(Self.isMediaPipe) ?? false }
    found.hasFace =
      places[.root] == nil && places[.centerShoulder] == nil
      && points.contains { $0.label.name?.lowercased().hasSuffix("nose") ?? false }
    if let names = points.first?.coordinates, names.count >= 2 { found.coordinates = names }
    if isFlat { found.coordinates = Array(found.coordinates.prefix(2)) }
    if isFlat, size == 3 {
      let isPoint = if case .point? = points.first?.place { true } else { false }
      found.confidence = TableMap.Confidence(
        field: isPoint ? FieldPath([.element(2)]) : nil, floor: 0)
    } else if let confidence = points.first?.confidence {
      let field = confidence.steps.isEmpty ? nil : confidence
      found.confidence = TableMap.Confidence(field: field, floor: 0)
    }
    found.meaning = meaning(of: points, family: family)
    found.rank += rankOfWords(family) - (isFlat ? 3 : 0) - (order == nil ? 0 : 1)
    if let triple { found.take(triple) }
    return found
  }

  private static func isMediaPipe(_ name: String) -> Bool {
    let letters = name.lowercased().filter(\.isLetter)
    return ["footindex", "pinky", "eyeinner", "eyeouter"].contains { letters.contains($0) }
  }

  /// Removes a depth that is 0 everywhere, which 2D detectors write into formats for 3D.
  private func withoutDepth(
    _ points: [PointCandidate], _ size: Int
  ) -> (points: [PointCandidate], size: Int, isPlane: Bool) {
    guard size == 3 else { return (points, size, false) }
    var places: [TableMap.Place] = []
    var counts = (values: 0, outside: 0, large: 0)
    for point in points {
      for numbers in numbers(at: point.numberPaths(3)) {
        guard numbers[2] == 0 else { return (points, size, false) }
        counts.values += 1
        counts.outside += numbers.prefix(2).contains { !(0...1).contains($0) } ? 1 : 0
        counts.large += numbers.contains { $0.magnitude > 20 } ? 1 : 0
      }
      if case .fields(var paths) = point.place {
        paths.remove(at: 2)
        places.append(.fields(paths))
      } else {
        places.append(point.place)
      }
    }
    guard counts.values > 20 else { return (points, size, false) }
    // Sports2D writes meters in a plane, which are neither pixels nor shares of the image.
    guard counts.outside == 0 || counts.large * 2 > counts.values else {
      return (points, size, true)
    }
    let flat = zip(points, places).map { point, place in
      PointCandidate(
        place: place, label: point.label, family: point.family, size: 2,
        coordinates: Array(point.coordinates.prefix(2)), confidence: point.confidence)
    }
    return (flat, 2, false)
  }

  /// The numbers at the paths in each of the first samples where all are finite.
  func numbers(at paths: [FieldPath]) -> [[Double]] {
    let head = samples.prefix(60)
    let columns = paths.map { $0.fields(of: head).map { $0?.number } }
    return head.indices.compactMap { index in
      columns.mapAll { $0[index].flatMap { $0.isFinite ? $0 : nil } }
    }
  }

  private func rankOfWords(_ place: String) -> Double {
    let words: [(String, Double)] = [
      ("world", 3), ("local", -5), ("image", -2), ("2d", -3), ("screen", -2), ("pixel", -2),
      ("3d", 1), ("[1]", -2), ("[2]", -3), ("raw", -0.5), ("global", 3), ("position", 0.5),
      ("target", -4), ("ideal", -4), ("reference", -4), ("template", -4), ("previous", -4),
      ("ghost", -4), ("offset", -4), ("tail", -4), ("proj", -4), ("colorspace", -3),
      ("depthspace", -3),
    ]
    let text = place.lowercased()
    return words.reduce(0) { text.contains($1.0) ? $0 + $1.1 : $0 }
  }

  /// The numbers of values that may precede and follow the points.
  ///
  /// A time or a frame number may come first, and a label last. YOLO puts the class and the box
  /// first, MoveNet the box and its score last.
  private static let surroundings = [
    (0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (5, 0), (5, 1), (5, 2), (0, 5),
    (0, holisticRest),
  ]
  /// MediaPipe Holistic's 468 points of the face and 21 of each hand, which follow the pose.
  private static let holisticRest = 3 * (468 + 2 * 21)

  private func found(in list: NumberList) -> [Found] {
    var found: [Found] = []
    for (offset, rest) in Self.surroundings where list.count > offset + rest {
      let size = list.count - offset - rest
      for perPoint in [3, 4, 2] where size % perPoint == 0 {
        let count = size / perPoint
        let numbers = Numbers(
          list: list, offset: offset, rest: rest, perPoint: perPoint, count: count)
        for names in names where names.count == count {
          let known = JointNames(names)
          var joints: [Joint: Int] = [:]
          for (index, name) in names.enumerated() { known[name].map { joints[$0] = index } }
          let evidence = "the list of names in the file"
          found.append(flat(numbers, joints, order: nil, evidence, 9))
        }
        for order in JointOrder.all where order.count == count {
          guard max(offset, rest) < 5 || order == (rest > 5 ? .mediaPipe : .coco) else { continue }
          // 52 numbers are more likely a time and Vision's 17 points in 3D than Halpe's 26 points
          // in 2D.
          guard perPoint == 3 || !JointOrder.beyondCOCO.contains(order),
            perPoint > 2 || !JointOrder.ofSkeletons.contains(order)
          else { continue }
          let evidence = "\(count) points of \(perPoint) numbers, as in \(order.name)"
          let isBoxed = offset == 5 && hasBox(numbers)
          found.append(
            flat(
              numbers, order.joints, order: order,
              evidence + (isBoxed ? ", behind the box around them" : ""), isBoxed ? 10 : 4))
          guard offset + rest < 2 else { continue }
          var blocks = numbers
          blocks.isInBlocks = true
          // Nearly all programs write the numbers of a point next to each other.
          found.append(
            flat(blocks, order.joints, order: order, evidence + ", all x before all y", 2))
        }
      }
    }
    return found
  }

  private struct Numbers {
    let list: NumberList
    let offset: Int
    let rest: Int
    let perPoint: Int
    let count: Int
    var isInBlocks = false

    func place(_ index: Int) -> TableMap.Place {
      let start = list.skip + offset
      return .fields(
        (0..<perPoint).map { axis in
          list.path.appending(
            .element(start + (isInBlocks ? axis * count + index : index * perPoint + axis)))
        })
    }
  }

  private func hasBox(_ numbers: Numbers) -> Bool {
    var (inside, all) = (0, 0)
    for elements in numbers.list.path.nodes(in: samples.prefix(60)).compactMap(\.elements) {
      let values = elements.dropFirst(numbers.list.skip).map { $0.number ?? .nan }
      guard values.count >= 5 + numbers.perPoint * numbers.count else { continue }
      for index in 0..<numbers.count {
        let start = 5 + index * numbers.perPoint
        let (x, y) = (values[start], values[start + 1])
        guard x != 0 || y != 0 else { continue }
        all += 1
        let isInside =
          (x - values[1]).magnitude <= 0.6 * values[3]
          && (y - values[2]).magnitude <= 0.6 * values[4]
        inside += isInside ? 1 : 0
      }
    }
    return all >= numbers.count && inside * 10 >= all * 9
  }

  private func flat(
    _ numbers: Numbers, _ joints: [Joint: Int], order: JointOrder?, _ evidence: String,
    _ rank: Double
  ) -> Found {
    let (path, perPoint, offset) = (numbers.list.path, numbers.perPoint, numbers.offset)
    let all = joints.mapValues { numbers.place($0) }
    let triple = perPoint == 3 && offset != 5 ? triple(all) : nil
    let isFlat = perPoint == 2 || perPoint == 3 && (triple.map { $0.meaning != .depth } ?? true)
    let skeleton: Skeleton = isFlat ? (order == .coco ? .coco17 : .vision2d) : .vision3d
    let places = all.filter { skeleton.joints.contains($0.key) }
    let hasConfidence = perPoint == 4 || (perPoint == 3 && isFlat)
    let name = path.text.isEmpty ? "as bare numbers" : "as numbers under `\(path.text.prefix(60))`"
    var found = Found(
      joints: places, skeleton: skeleton, order: order, place: name, evidence: evidence,
      rank: rank + Double(places.count) / 10 + rankOfWords(path.text)
        - Double(min(2, offset) + min(2, numbers.rest)))
    found.isMediaPipe = order == .mediaPipe
    found.isInBlocks = numbers.isInBlocks
    found.offset = offset
    found.meaning = meaning(of: numbers, all.values)
    if hasConfidence { found.confidence = TableMap.Confidence(field: nil, floor: 0) }
    if isFlat { found.coordinates = ["x", "y"] }
    found.timeElement = timeElement(numbers)
    if let triple { found.take(triple) }
    return found
  }

  private func meaning(
    of numbers: Numbers, _ places: some Sequence<TableMap.Place>
  ) -> PointMeaning? {
    if numbers.perPoint == 4, areQuaternions(places.map(\.paths)) { return .quaternions }
    if ["pose", "poses"].contains(numbers.list.path.text), fields.holdsNumbers("betas") {
      return .bodyModel
    }
    return PointMeaning(names: numbers.list.path.steps.compactMap(\.name))
  }

  private func timeElement(_ numbers: Numbers) -> FieldPath? {
    guard (1...2).contains(numbers.offset) else { return nil }
    let fields = (0..<numbers.offset).map {
      numbers.list.path.appending(.element(numbers.list.skip + $0))
    }
    return fields.last { field in
      let values = field.nodes(in: samples).compactMap(\.number)
      return zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
    } ?? fields.first
  }

  /// Why these points cannot be the joints for which their order takes them.
  func problem(of found: Found) -> (found: String, remedy: String)? {
    guard let path = found.joints.values.first?.paths.first, found.order != nil else { return nil }
    let frames = found.skeleton.dimension == 3 ? signs(of: found).frames : []
    let counter = found.joints.keys.first { joint in
      let points = frames.compactMap { $0[joint] }
      return points.count > 4 && Set(points.map(\.x)).count > 1
        && points.allSatisfy { $0.x == $0.y && $0.x == $0.z }
    }
    if let counter = counter.flatMap({ found.order?.joints[$0] }) {
      return (
        "x, y and z of point \(counter) are the same number in every frame, which may count frames",
        "remove that point, so that every point is a joint"
      )
    }
    guard
      let step = path.steps.lastIndex(where: { if case .element = $0 { true } else { false } })
    else { return nil }
    let list = FieldPath(Array(path.steps[..<step]))
    let counts = list.nodes(in: samples).compactMap(\.elements?.count).filter { $0 > 0 }
    guard let most = counts.max(), let least = counts.min(), least < most else { return nil }
    let short = counts.count { $0 < most }
    return (
      "`\(list.text)` has \(least) to \(most) elements, fewer than \(most) in "
        + "\(CountText.of(short, "frame")) of \(counts.count) looked at, and nothing says which "
        + "joints are missing there",
      "save a number or a name with every point, or null in place of those that are missing"
    )
  }

  func signs(of candidate: Found) -> BodySigns {
    var map = TableMap()
    candidate.apply(to: &map)
    map.imageSize = ImageSize(width: 1, height: 1)
    map.units = map.skeleton.dimension == 2 ? .pixels : .m
    return BodySigns(samples.prefix(120), map)
  }

  private var hasNumbers: Bool {
    fields.numberLists.contains { list in
      list.path.nodes(in: samples).contains { node in
        node.flatNumbers.contains { $0.isFinite && $0 != 0 }
      }
    }
  }

  private func judged(_ candidate: Found) -> Found {
    guard candidate.order != nil else { return candidate }
    var result = candidate
    let signs = signs(of: candidate)
    guard let variation = signs.boneVariation else {
      result.rank -= signs.isEmpty && hasNumbers ? 40 : 4
      return result
    }
    let isFlat = candidate.skeleton.dimension == 2
    if isFlat ? signs.mixesScores : variation > 0.25 { result.rank -= 40 }
    // Hardly any program writes image points of Vision's 3D bodies.
    if isFlat, candidate.order == .vision3d { result.rank -= 3 }
    let misfit = isFlat ? Self.misfitInImage(signs) : Self.misfitInSpace(signs)
    result.rank -= misfit.cost + min(3, variation * (isFlat ? 3 : 20))
    let lengths = "bone lengths vary by"
    let percent = TableExamination.percent(variation)
    let doubts = (variation > (isFlat ? 0.3 : 0.1) ? ["\(lengths) \(percent)"] : []) + misfit.doubts
    if doubts.isEmpty {
      result.evidence += ", and \(lengths) only \(percent)"
    } else {
      result.certainty = .unsure
      result.evidence += ", but " + doubts.joined(separator: ", and ")
      result.alternatives.append("another order, if you name the joints in a map")
    }
    return result
  }

  /// Perspective changes the proportions of limbs, but hardly the other two signs.
  private static func misfitInImage(_ signs: BodySigns) -> (cost: Double, doubts: [String]) {
    let error = signs.proportionError ?? 3
    let (unevenness, head) = (signs.unevenness ?? 1.5, signs.headShare ?? 0)
    var doubts = unevenSides(unevenness, above: 1.75)
    if head > 0.25 { doubts.append("eyes or ears are far from the nose") }
    return (
      min(1.5, (error - 1) / 2) + min(3, 2 * (unevenness - 1))
        + (head > 0.25 ? 5 : 6 * head), doubts
    )
  }

  /// In 85 films, the two sides differ by a factor of at most 1.23 in space.
  private static func misfitInSpace(_ signs: BodySigns) -> (cost: Double, doubts: [String]) {
    let error = signs.proportionError ?? 3
    return (
      min(3, error - 1) + signs.strangeness,
      (error > 2 ? [BodySigns.disproportion(error)] : [])
        + (signs.hasStrangeWidths ? ["shoulders or hips are not as wide as people's"] : [])
        + unevenSides(signs.unevenness ?? 1, above: 1.4)
    )
  }

  private static func unevenSides(_ factor: Double, above limit: Double) -> [String] {
    factor > limit
      ? [
        "limbs of the two sides differ in length by a factor of " + TableExamination.short(factor)
      ] : []
  }
}
