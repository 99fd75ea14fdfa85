import PoseModel
import PoseRecording

extension JointSearch {
  enum Triple {
    case depth, score, scoreFirst
  }

  func triple(_ places: [Joint: TableMap.Place]) -> (meaning: Triple, isSure: Bool) {
    let frames = tripleFrames(places)
    let all = frames.flatMap(\.values)
    guard !all.isEmpty else { return (.depth, true) }
    if all.allSatisfy({ [0, 1, 2].contains($0.z) }) { return (.score, true) }
    if isScoreFirst(frames) {
      return (.scoreFirst, all.contains { max($0.y.magnitude, $0.z.magnitude) > 5 })
    }
    let reach = min(all.map(\.x.magnitude).max() ?? 0, all.map(\.y.magnitude).max() ?? 0)
    let isScore = TableExamination.isConfidence(all.map(\.z))
    if reach > 5, isScore && hasImageSize || all.allSatisfy({ (0...1).contains($0.z) }) {
      return (.score, true)
    }
    return depthOrScore(frames, isNamedDepth: Self.namesDepth(places))
  }

  private static func namesDepth(_ places: [Joint: TableMap.Place]) -> Bool {
    let words = ["position", "depth", "3d", "xyz", "world"]
    let names = places.values.flatMap(\.paths).flatMap { $0.steps.compactMap(\.name) }
    return names.contains { name in words.contains { name.lowercased().contains($0) } }
  }

  /// Whether the first number is a score.
  ///
  /// Its values must be possible scores, the other two numbers must keep bone lengths clearly more
  /// constant than the first two, and it must not be a depth.
  private func isScoreFirst(_ frames: [[Joint: Vector3]]) -> Bool {
    let first = frames.flatMap { $0.values.map(\.x) }
    guard first.allSatisfy({ (0...100).contains($0) || $0 == -1 }) else { return false }
    // No body is a hundred times as wide and as high as it is deep.
    let others = [\Vector3.y, \.z].map { axis in
      frames.flatMap { $0.values.map { $0[keyPath: axis] } }
    }
    if first.allSatisfy({ $0 <= 1 }), Set(first).count > 1,
      others.allSatisfy({ ($0.max() ?? 0) - ($0.min() ?? 0) > 100 })
    {
      return true
    }
    let turned = frames.map { $0.mapValues { Vector3($0.y, $0.z, $0.x) } }
    func flat(_ frames: [[Joint: Vector3]]) -> BodySigns {
      BodySigns(frames.map { $0.mapValues { Vector3($0.x, $0.y, 0) } })
    }
    let (own, usual) = (flat(turned), flat(frames))
    guard let variation = own.boneVariation else { return false }
    if let other = usual.boneVariation, variation >= 0.5 * other { return false }
    // A steady score keeps lengths constant, too, but it hardly changes, and the limbs have
    // impossible proportions.
    let shapes = (own.proportionError ?? 9, usual.proportionError ?? 9)
    guard motion(frames, \.z) > motion(frames, \.x) || shapes.0 < 0.8 * shapes.1 else {
      return false
    }
    let third = frames.flatMap { $0.values.map(\.z) }
    let isLastScore = third.allSatisfy { (0...1).contains($0) }
    return (!isLastScore || first.allSatisfy { (0...1).contains($0) })
      && depthOrScore(turned).meaning == .score
  }

  private func motion(_ frames: [[Joint: Vector3]], _ axis: (Vector3) -> Double) -> Double {
    Skeleton.vision3d.joints.compactMap { joint -> Double? in
      let values = frames.compactMap { $0[joint].map(axis) }
      return values.median.flatMap { median in values.map { ($0 - median).magnitude }.median }
    }.median ?? 0
  }

  private func depthOrScore(
    _ all: [[Joint: Vector3]], isNamedDepth: Bool = false
  ) -> (meaning: Triple, isSure: Bool) {
    let negative = Set(all.flatMap { $0.values.map(\.z) }.filter { $0 < 0 })
    // One or two different negative numbers stand for missing joints.
    let frames = (1...2).contains(negative.count) ? all.map { $0.filter { $0.value.z >= 0 } } : all
    let signs = BodySigns(frames)
    let votes = signs.depthVotes
    // Bodies are neither flat nor far deeper than tall.
    guard signs.thickness.map((0.05...3).contains) ?? true else {
      return (.score, votes.depth < votes.all)
    }
    if negative.count > 2 {
      let isScore = votes.score > votes.depth
      return (isScore && (hasImageSize || !areAroundZero(frames)) ? .score : .depth, !isScore)
    }
    let numbers = frames.flatMap(\.values)
    guard TableExamination.isConfidence(numbers.map(\.z)) else {
      guard votes.score <= votes.depth else { return (.score, false) }
      return (.depth, !hasImageSize && votes.score * 2 < votes.depth && signs.hasShouldersOfPeople)
    }
    let isScore = votes.all > 2 && votes.depth * 4 < votes.all && !isNamedDepth
    let isShare = numbers.allSatisfy { (0...1).contains($0.z) }
    // Shares of the image with a score are common, and hardly any body fits a cube of one meter.
    let reach = -0.1...1.1
    if isShare, !isNamedDepth, numbers.allSatisfy({ reach.contains($0.x) && reach.contains($0.y) })
    {
      return (.score, isScore)
    }
    guard votes.all > 2 else { return (.depth, false) }
    return votes.depth * 2 > votes.all ? (.depth, !hasImageSize && !isShare) : (.score, isScore)
  }

  /// Whether points are on both sides of 0, as those around the hips are and those of an image
  /// rarely are.
  private func areAroundZero(_ frames: [[Joint: Vector3]]) -> Bool {
    let around = frames.count { frame in
      [\Vector3.x, \.y].allSatisfy { axis in
        let values = frame.values.map { $0[keyPath: axis] }
        return (values.min() ?? 0) < 0 && (values.max() ?? 0) > 0
      }
    }
    return 2 * around > frames.count
  }

  private func tripleFrames(_ places: [Joint: TableMap.Place]) -> [[Joint: Vector3]] {
    let head = samples.prefix(120)
    let columns = places.mapValues { $0.paths.map { $0.fields(of: head) } }
    return head.indices.map { index in
      columns.compactMapValues { fields in
        let numbers = fields.flatMap { $0[index]?.flatNumbers ?? [] }
        // A point at 0 is missing.
        guard numbers.count == 3, numbers.allSatisfy(\.isFinite),
          numbers.count(where: { $0 == 0 }) < 2
        else { return nil }
        return Vector3(numbers[0], numbers[1], numbers[2])
      }
    }
  }

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
    return withOwnScores(found) ?? found
  }

  private func withOwnScores(_ found: Found) -> Found? {
    let values = fields.scalars.filter { !$0.path.steps.isEmpty }
    let scores = values.filter { Self.isScore($0.path.lastKey) && $0.node.text != nil }
    let states = values.filter { JointState.isState($0.path.lastKey) || isStateObject($0.path) }
    for group in [scores, states] {
      guard
        let joints = Self.joined(found, group.map(\.path), in: fields), !joints.isEmpty,
        joints.values.flatMap({ $0.paths.suffix(1) }).allSatisfy(isReadable)
      else { continue }
      var result = found
      result.joints = joints
      result.confidence = TableMap.Confidence(field: nil, floor: 0)
      return result
    }
    return nil
  }

  private func isStateObject(_ path: FieldPath) -> Bool {
    path.steps.dropLast().compactMap(\.name).contains { JointState.isState($0) || Self.isScore($0) }
  }

  private func isReadable(_ path: FieldPath) -> Bool {
    let nodes = path.nodes(in: samples).filter { !$0.isEmpty }
    return !nodes.isEmpty && nodes.allSatisfy { JointState.share($0, named: path.lastKey) != nil }
  }

  private static func joined(
    _ found: Found, _ fields: [FieldPath], in search: FieldSearch
  ) -> [Joint: TableMap.Place]? {
    let points = Dictionary(
      search.points.map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
    var joints: [Joint: TableMap.Place] = [:]
    var used: Set<FieldPath> = []
    for (joint, place) in found.joints {
      guard case .point(let path) = place, let point = points[place], point.size < 16,
        let field = fields.first(where: { belongs($0, to: path) }), used.insert(field).inserted
      else { return nil }
      joints[joint] = .fields(point.numberPaths(found.skeleton.dimension) + [field])
    }
    return joints
  }

  private static func belongs(_ field: FieldPath, to point: FieldPath) -> Bool {
    guard field.parent != point else { return true }
    if let key = point.steps.last?.name, !JointNames.isJoint(key), field.parent == point.parent {
      return true
    }
    return areBeside(field, point) && field.steps.last == point.steps.last
  }

  static func isScore(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["score", "conf", "visib", "likelihood", "prob"].contains { name.contains($0) }
  }

  private static func areBeside(_ one: FieldPath, _ other: FieldPath) -> Bool {
    guard one.steps.count == other.steps.count else { return false }
    let different = zip(one.steps, other.steps).filter { $0 != $1 }
    guard different.count == 1, case (.key, .key) = different[0] else { return false }
    return true
  }

  private func fields(
    of place: TableMap.Place, _ found: Found
  ) -> (fields: (paths: [FieldPath], list: FieldPath?), index: Int)? {
    let dimension = found.skeleton.dimension
    switch place {
    case .point(let path):
      guard case .element(let index)? = path.steps.last else { return nil }
      let isObject = path.nodes(in: samples).contains {
        if case .object = $0.content { true } else { false }
      }
      let paths = (0..<dimension).map { axis in
        path.appending(isObject ? .key(found.coordinates[axis]) : .element(axis))
      }
      return ((paths, path.parent), index)
    case .fields(let paths):
      guard paths.count == dimension, case .element(let first)? = paths[0].steps.last else {
        return nil
      }
      return ((paths, paths[0].parent), first / dimension)
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
      evidence += "; the first number is a score, because bone lengths are steady in the other two"
    }
    guard !triple.isSure else { return }
    certainty = .unsure
    switch triple.meaning {
    case .depth:
      alternatives.append(
        "the third number may be a score beside image points; then write a map with `skeleton: "
          + "vision2d` and `frame: image`")
    case .score:
      alternatives.append(
        "the third number may be a depth; then write a map with `skeleton: vision3d`")
    case .scoreFirst:
      alternatives.append("the first number may not be a score; then name the fields in a map")
    }
  }
}

/// Recognizes joints by their names.
///
/// If a rig has both `arm` and `shoulder`, the arm begins at the shoulder joint, and `shoulder` is
/// the collarbone. A rig's `hips` are the body's root.
struct JointNames {
  private let joints: [String: Joint]

  init(_ labels: some Sequence<String>) {
    let names = labels.sorted().map { (label: $0, name: Name($0)) }
    let parts = Set(names.map(\.name.part))
    let isRig =
      !parts.isDisjoint(with: ["upleg", "upperleg", "forearm", "farm", "lowerarm", "thigh"])
      && !parts.isDisjoint(with: Name.armBones)
    var found: [Joint: (rank: Int, labels: [String])] = [:]
    for (label, name) in names {
      guard let (joint, rank) = name.joint(isRig: isRig) else { continue }
      if let known = found[joint], known.rank <= rank {
        if known.rank == rank { found[joint]?.labels.append(label) }
      } else {
        found[joint] = (rank, [label])
      }
    }
    var joints: [String: Joint] = [:]
    // The middle one of `spine_1_joint` to `spine_7_joint` is the spine. Beside an unnumbered limb,
    // numbered ones are markers.
    for (joint, one) in found {
      let plain = joint == .spine ? nil : one.labels.first { !$0.contains(where: \.isNumber) }
      joints[plain ?? one.labels[(one.labels.count - 1) / 2]] = joint
    }
    self.joints = joints
  }

  subscript(label: String) -> Joint? { joints[label] }

  var found: Set<Joint> { Set(joints.values) }

  static func isJoint(_ label: String) -> Bool { Name(label).joint(isRig: false) != nil }

  static func isLimb(_ label: String) -> Bool {
    let name = Name(label)
    return !name.side.isEmpty && name.joint(isRig: false) != nil
  }

  static func sided(_ key: String, in outer: String) -> String? {
    let (own, around) = (Name(key), Name(outer))
    if own.side.isEmpty, own.isLimb, !around.side.isEmpty { return "\(around.side)_\(own.part)" }
    if own.part.isEmpty, !own.side.isEmpty, around.isLimb { return "\(own.side)_\(around.part)" }
    return nil
  }

  static func isHalf(_ label: String) -> Bool {
    let name = Name(label)
    return name.side.isEmpty ? name.isLimb : name.part.isEmpty
  }

  static func split(_ label: String) -> (prefix: String, name: String) {
    guard label.utf8.count < 120, !isJoint(label) else { return ("", label) }
    var start = label.startIndex
    while let cut = label[start...].firstIndex(where: { "./:|_ -".contains($0) }) {
      start = label.index(after: cut)
      let name = label[start...]
      if name.first?.isLetter ?? false, isJoint(String(name)) {
        return (String(label[..<start]), String(name))
      }
    }
    return ("", label)
  }
}

private struct Name {
  private(set) var side = ""
  private(set) var part = ""

  private static let noise: Set<String> = [
    "human", "d", "joint", "mixamorig", "bip", "pos", "position", "landmark", "body", "world",
    "point", "keypoint", "kp", "j", "base", "jnt", "def", "bone", "type", "full", "bend", "jc",
    "xr", "fb", "meta", "m",
  ]
  private static let sides = ["left": "left", "l": "left", "right": "right", "r": "right"]

  private static let enums = ["landmark", "part", "joint", "point", "bones", "type", "name"]

  /// The enumeration case in Python's `PoseLandmark.LEFT_HIP` or in Swift's `(rawValue: left_hip)`.
  private static func rawValue(of label: String) -> String {
    if let point = label.lastIndex(of: "."),
      let type = label[..<point].split(separator: ".").last, type.first?.isUppercase ?? false,
      type.allSatisfy(\.isLetter), enums.contains(where: type.lowercased().hasSuffix),
      case let name = String(label[label.index(after: point)...]), JointNames.isJoint(name)
    {
      return name
    }
    guard let mark = label.ranges(of: "rawValue: ").last else { return label }
    return String(label[mark.upperBound...].prefix { $0 != ")" })
  }

  init(_ label: String) {
    var rest: [String] = []
    let isLetter: (Character) -> Bool = { $0.isLetter && $0.isASCII }
    for word in ClockName.words(of: Self.rawValue(of: label), longest: 80, isLetter: isLetter) {
      if side.isEmpty, let known = Self.sides[word] {
        side = known
      } else if !Self.noise.contains(word) || word == "base" && rest.last == "spine" {
        rest.append(word)
      }
    }
    part = rest.joined()
    guard side.isEmpty else { return }
    // Names such as `leftwrist`, `lwrist` and `wristleft` have no separator.
    for (mark, known) in [("left", "left"), ("right", "right"), ("l", "left"), ("r", "right")] {
      for stripped in [
        part.hasPrefix(mark) ? part.dropFirst(mark.count) : nil,
        part.hasSuffix(mark) ? part.dropLast(mark.count) : nil,
      ] {
        guard let stripped, label != "rank", Self.limbRanks[String(stripped)] != nil else {
          continue
        }
        side = known
        part = String(stripped)
        return
      }
    }
  }

  var isLimb: Bool { Self.limbRanks[part] != nil }

  private static let limbRanks: [String: (part: String, rank: Int)] = [
    "shoulder": ("Shoulder", 1), "upperarm": ("Shoulder", 2), "arm": ("Shoulder", 3),
    "uparm": ("Shoulder", 2), "uarm": ("Shoulder", 2), "elbow": ("Elbow", 0),
    "forearm": ("Elbow", 1), "farm": ("Elbow", 1), "lowarm": ("Elbow", 1),
    "lowerarm": ("Elbow", 1), "wrist": ("Wrist", 0), "hand": ("Wrist", 1), "hip": ("Hip", 0),
    "upleg": ("Hip", 1), "upperleg": ("Hip", 1), "thigh": ("Hip", 1), "knee": ("Knee", 0),
    "leg": ("Knee", 2), "shin": ("Knee", 1), "calf": ("Knee", 1), "lowerleg": ("Knee", 1),
    "sho": ("Shoulder", 1), "elb": ("Elbow", 0), "wri": ("Wrist", 0), "kne": ("Knee", 0),
    "ank": ("Ankle", 0), "ankle": ("Ankle", 0), "foot": ("Ankle", 1), "eye": ("Eye", 0),
    "ear": ("Ear", 0), "armupper": ("Shoulder", 2), "armlower": ("Elbow", 1),
    "handwrist": ("Wrist", 0), "footankle": ("Ankle", 0), "shldr": ("Shoulder", 2),
    "lowleg": ("Knee", 1), "sjc": ("Shoulder", 0), "ejc": ("Elbow", 0), "wjc": ("Wrist", 0),
    "hjc": ("Hip", 0), "kjc": ("Knee", 0), "ajc": ("Ankle", 0),
  ]
  static let armBones = ["arm", "upperarm", "uparm", "uarm", "armupper"]
  private static let legBones = ["upleg", "upperleg", "thigh"]
  private static let middles: [String: (joint: Joint, rank: Int)] = [
    "root": (.root, 0), "spinebase": (.root, 1), "pelvis": (.root, 0), "hips": (.root, 1),
    "midhip": (.root, 0), "hip": (.root, 2), "hipcenter": (.root, 0), "centerhip": (.root, 0),
    "hipmid": (.root, 0), "spine": (.spine, 0), "midspine": (.spine, 0), "spinemid": (.spine, 0),
    "torso": (.spine, 1), "centershoulder": (.centerShoulder, 0),
    "midshoulder": (.centerShoulder, 0), "shouldercenter": (.centerShoulder, 0),
    "spineshoulder": (.centerShoulder, 1), "centerhead": (.centerHead, 0), "head": (.centerHead, 1),
    "headcenter": (.centerHead, 0), "tophead": (.topHead, 0), "headtop": (.topHead, 0),
    "headend": (.topHead, 1), "nose": (.nose, 0), "neck": (.neck, 0),
  ]

  func joint(isRig: Bool) -> (Joint, Int)? {
    if side.isEmpty {
      // A rig's root may be on the ground.
      let rank = isRig && part == "root" ? 3 : nil
      return Self.middles[part].map { ($0.joint, rank ?? $0.rank) }
    }
    guard let (limb, usualRank) = Self.limbRanks[part] else { return nil }
    // A rig's bones begin at the joints, whatever its other bones are called.
    let rank = isRig && (Self.armBones + Self.legBones).contains(part) ? -1 : usualRank
    return Joint(name: side + limb).map { ($0, rank) }
  }
}
