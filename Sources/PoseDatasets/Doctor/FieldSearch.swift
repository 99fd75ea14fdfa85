import PoseModel
import PoseRecording

struct PointCandidate: Hashable {
  enum Label: Hashable {
    case name(String)
    case index(Int)

    var name: String? { if case .name(let name) = self { name } else { nil } }
    var index: Int? { if case .index(let index) = self { index } else { nil } }
  }

  let place: TableMap.Place
  /// The fields that are each one number of the point; empty for a point in one field.
  var fields: [FieldPath] { if case .fields(let fields) = place { fields } else { [] } }
  let label: Label
  let family: String
  let size: Int
  let coordinates: [String]
  let confidence: FieldPath?
  var fourth: FieldPath?
}

/// A list of numbers after `skip` texts, such as an image's name.
struct NumberList {
  let path: FieldPath
  let count: Int
  let skip: Int
}

struct FieldSearch {
  private(set) var points: [PointCandidate] = []
  private(set) var numberLists: [NumberList] = []
  private(set) var scalars: [(path: FieldPath, node: JSONNode)] = []
  private(set) var matrices: [FieldPath] = []

  private static let nameKeys = [
    "name", "joint", "landmark", "type", "id", "label", "part", "index",
  ]
  private static let confidenceKeys = [
    "visibility", "confidence", "inframelikelihood", "likelihood", "score", "conf", "c", "v",
    "presence", "probability", "p",
  ]
  private static let depthLimit = 8
  private static let fewestPoints = 5

  init(_ frame: JSONNode) { visit(frame, FieldPath(), label: nil, family: "", depth: 0) }

  func holdsNumbers(_ path: String) -> Bool {
    scalars.contains { $0.path.text == path } || numberLists.contains { $0.path.text == path }
  }

  private mutating func visit(
    _ node: JSONNode, _ path: FieldPath, label: PointCandidate.Label?, family: String, depth: Int
  ) {
    guard depth < Self.depthLimit else { return }
    switch node.content {
    case .object(let keys, let values):
      if let names = Self.coordinates(keys, values) {
        addPoint(node, path, label ?? Self.ownName(keys, values), family, names)
      }
      var columns = Self.columns(keys, values)
      let plain = columns.removeValue(forKey: "")
      for (name, axes) in columns.sorted(by: { $0.key < $1.key }) {
        addFields(name, axes, path, family)
      }
      // Of repeated columns, pandas and others number all but the first: `x`, `x.1`, `x.2`.
      let counted = columns.keys.compactMap { name in
        Self.label(of: name).index.map { (index: $0, name: name) }
      }
      if var plain, counted.count >= Self.fewestPoints, let next = counted.min(by: <) {
        // Alone, `s` may be a time in seconds.
        let haveScores = columns[next.name]?.contains { $0.axis == 3 } ?? false
        if !haveScores { plain.removeAll { $0.axis == 3 } }
        addFields(next.name, plain, path, family, number: next.index - 1)
        columns[""] = plain
      }
      let used = Set(columns.values.flatMap { $0.map(\.key) })
        .union(addBlocks(keys, values, path, family))
      let numbers = Self.numbered(keys)
      let words = Set(keys.map { $0.lowercased() })
      // These are the ends of a bone, as in Blender, not a body's head.
      let isBone =
        words.isSuperset(of: ["head", "tail"]) || label?.name.map(JointNames.isLimb) ?? false
      for (key, value) in zip(keys, values) where !used.contains(key) {
        let sided = JointNames.sided(key, in: path.lastKey)
        let (prefix, name) = sided.map { ("", $0) } ?? JointNames.split(key)
        let isName = JointNames.isJoint(name) && !(isBone && key.lowercased() == "head")
        let isHalf = JointNames.isHalf(key)
        let number = numbers[key].map { PointCandidate.Label.index($0) }
        visit(
          value, path.appending(.key(key)), label: isName ? .name(name) : number ?? label,
          family: family + "." + (isName ? prefix + "*" : number == nil && !isHalf ? key : "*"),
          depth: depth + 1)
      }
    case .list(let elements): visitList(node, elements, path, label, family, depth)
    default: scalars.append((path, node))
    }
  }

  private mutating func visitList(
    _ node: JSONNode, _ elements: [JSONNode], _ path: FieldPath, _ label: PointCandidate.Label?,
    _ family: String, _ depth: Int
  ) {
    guard !elements.isEmpty, elements.count <= 4000 else { return }
    if node.matrix != nil {
      if label == nil {
        matrices.append(path)
      } else {
        addPoint(node, path, label, family, [])
      }
      return
    }
    if elements.allSatisfy({ $0.isEmpty || $0.number != nil }) {
      if (2...4).contains(elements.count), label != nil {
        addPoint(node, path, label, family, [])
      } else {
        numberLists.append(NumberList(path: path, count: elements.count, skip: 0))
      }
      return
    }
    // labelme writes a named point as a list of one.
    if elements.count == 1, let point = elements[0].elements, case .name? = label,
      (2...4).contains(point.count), point.allSatisfy({ $0.number != nil })
    {
      return addPoint(elements[0], path.appending(.element(0)), label, family, [])
    }
    if let list = Self.numbersBetweenTexts(elements, path) {
      numberLists.append(list)
      for (index, element) in elements.enumerated() where element.number == nil {
        scalars.append((path.appending(.element(index)), element))
      }
      return
    }
    if addBlocks(elements, path, family) || addCounted(elements, path, family) { return }
    let nameKey = Self.nameKey(of: elements)
    for (index, element) in elements.enumerated() {
      let name = nameKey.flatMap { element[$0]?.text }
      let step: FieldPath.Step =
        name.flatMap { name in nameKey.map { .match(key: $0, text: name) } } ?? .element(index)
      let own: PointCandidate.Label? = name.map { Int($0).map { .index($0) } ?? .name($0) }
      visit(
        element, path.appending(step), label: own ?? .index(index),
        family: family + (elements.count < Self.fewestPoints ? "[\(index)]" : "[*]"),
        depth: depth + 1)
    }
  }

  mutating func add(_ point: PointCandidate) { points.append(point) }

  /// Adds points whose first number only counts them, as in cvzone's `[id, x, y]`.
  private mutating func addCounted(
    _ elements: [JSONNode], _ path: FieldPath, _ family: String
  ) -> Bool {
    let sizes = Set(elements.map { $0.elements?.count ?? 0 })
    guard elements.count > 12, let size = sizes.first, sizes.count == 1, (3...4).contains(size),
      elements.indices.allSatisfy({ elements[$0].elements?[0].number == Double($0) })
    else { return false }
    for index in elements.indices {
      let point = path.appending(.element(index))
      points.append(
        PointCandidate(
          place: .fields((1..<size).map { point.appending(.element($0)) }), label: .index(index),
          family: family + "[*]", size: size - 1, coordinates: [], confidence: nil))
    }
    return true
  }

  private mutating func addPoint(
    _ node: JSONNode, _ path: FieldPath, _ label: PointCandidate.Label?, _ family: String,
    _ names: [String]
  ) {
    guard let label else { return }
    var confidence: FieldPath?
    var fourth: FieldPath?
    let size: Int
    switch node.content {
    case .object(let keys, _):
      size = names.count
      let known = Self.confidenceKeys.first { word in
        keys.contains { $0.lowercased() == word } && !names.contains { $0.lowercased() == word }
      }
      confidence = keys.first { $0.lowercased() == known }.map { FieldPath([.key($0)]) }
      fourth = keys.first { $0.lowercased() == "w" }.map { path.appending(.key($0)) }
    case .list(let elements):
      size = node.matrix != nil ? 16 : min(3, elements.count)
      if size < 16, elements.count == 4 {
        confidence = FieldPath([.element(3)])
        fourth = path.appending(.element(3))
      }
    default: return
    }
    points.append(
      PointCandidate(
        place: .point(path), label: label, family: family, size: size, coordinates: names,
        confidence: confidence, fourth: fourth))
  }

  private mutating func addFields(
    _ name: String, _ axes: [(axis: Int, key: String)], _ path: FieldPath, _ family: String,
    number: Int? = nil
  ) {
    let sorted = axes.filter { $0.axis < 4 }.sorted { $0.axis < $1.axis }
    guard sorted.count >= 2, sorted[0].axis == 0, sorted[1].axis == 1 else { return }
    let hasZ = sorted.contains { $0.axis == 2 }
    let (prefix, own) = JointNames.split(name)
    let space = ClockName.words(of: own).first(where: Self.spaces.contains).map { "_" + $0 } ?? ""
    points.append(
      PointCandidate(
        place: .fields(sorted.map { path.appending(.key($0.key)) }),
        label: number.map { .index($0) } ?? Self.label(of: own),
        family: family + ".\(prefix)*\(space)_x",
        size: hasZ ? 3 : 2, coordinates: hasZ ? ["x", "y", "z"] : ["x", "y"],
        confidence: sorted.contains { $0.axis == 3 } ? FieldPath() : nil,
        fourth: axes.first { $0.axis == 4 }.map { path.appending(.key($0.key)) }))
  }

  private static let spaces: Set = [
    "world", "image", "screen", "norm", "normalized", "pixel", "px",
  ]

  static func coordinates(_ keys: [String], _ values: [JSONNode]) -> [String]? {
    for space in ["", "pos", "position", "p", "t", "world", "global", "camera"] {
      let found = ["x", "y", "z"].compactMap { axis in
        zip(keys, values).first {
          $0.lowercased().filter { $0 != "_" } == space + axis && ($1.number != nil || $1.isEmpty)
        }?.0
      }
      if found.count >= 2 { return found }
    }
    return nil
  }

  private static func ownName(_ keys: [String], _ values: [JSONNode]) -> PointCandidate.Label? {
    for (key, value) in zip(keys, values) where nameKeys.contains(key.lowercased()) {
      guard let text = value.text else { continue }
      if JointNames.isJoint(text) { return .name(text) }
    }
    return nil
  }

  private static func nameKey(of elements: [JSONNode]) -> String? {
    guard elements.count > 1, case .object(let keys, _)? = elements.first?.content else {
      return nil
    }
    func names(_ key: String) -> [String]? {
      elements.mapAll { $0[key]?.text }.flatMap { Set($0).count == $0.count ? $0 : nil }
    }
    let byValues = keys.first { key in
      (names(key) ?? []).count { JointNames.isJoint($0) } >= fewestPoints
    }
    let counting = keys.filter { key in
      guard !["x", "y", "z"].contains(key.lowercased()), elements.count > 12 else { return false }
      let numbers = (names(key) ?? []).compactMap { Int($0) }.sorted()
      return numbers.count == elements.count && numbers == Array(0..<numbers.count)
    }
    // In the first frame, the ids of a database's rows count like the points.
    return byValues ?? counting.first { $0.lowercased() != "id" }
      ?? keys.first { nameKeys.contains($0.lowercased()) && names($0) != nil } ?? counting.first
  }

  private static func columns(
    _ keys: [String], _ values: [JSONNode]
  ) -> [String: [(axis: Int, key: String)]] {
    var groups: [String: [(axis: Int, key: String)]] = [:]
    let countsFrom0 = keys.contains { $0.last == "0" && JointNames.isJoint(String($0.dropLast(2))) }
    for (key, value) in zip(keys, values) where value.number != nil || value.isEmpty {
      let plain = axes[key.lowercased()].map { (name: "", axis: $0) }
      guard let (name, axis) = plain ?? column(key) ?? counted(key, from: countsFrom0 ? 0 : 1)
      else { continue }
      // The first of several confidences, such as visibility and presence, is used.
      if axis == 3, groups[name]?.contains(where: { $0.axis == 3 }) == true { continue }
      groups[name, default: []].append((axis, key))
    }
    return groups.filter { name, axes in
      Set(axes.map(\.axis)).count == axes.count && axes.contains { $0.axis == 0 }
        && axes.contains { $0.axis == 1 }
    }
  }

  /// Parses a number after a joint's name as an axis, as in MATLAB's `left_hip_1` to `left_hip_3`.
  private static func counted(_ key: String, from base: Int) -> (name: String, axis: Int)? {
    guard let digit = key.last?.wholeNumberValue, (0...3).contains(digit - base),
      let mark = key.dropLast().last, "_. -".contains(mark),
      JointNames.isJoint(String(key.dropLast(2)))
    else { return nil }
    return (String(key.dropLast(2)), digit - base)
  }

  private static func label(of name: String) -> PointCandidate.Label {
    guard !JointNames.isJoint(name), let number = Int(name.suffix(name.trailingDigits)) else {
      return .name(name)
    }
    return .index(number)
  }

  private static let lengthUnits: Set = ["m", "cm", "mm", "in", "ft", "px", "pixel", "pixels"]

  private static func withoutUnit(_ key: String) -> String {
    if let cut = key.lastIndex(where: { "_. ".contains($0) }),
      lengthUnits.contains(key[cut...].dropFirst().lowercased()),
      let axis = key[..<cut].last, "xyzXYZ".contains(axis)
    {
      return String(key[..<cut])
    }
    guard let last = key.last, last == ")" || last == "]",
      let open = key.lastIndex(of: last == ")" ? "(" : "["),
      lengthUnits.contains(key[key.index(after: open)...].dropLast().lowercased())
    else { return key }
    let name = key[..<open]
    return String(name.last == " " || name.last == "_" ? name.dropLast() : name)
  }

  private static let axes = [
    "x": 0, "y": 1, "z": 2, "tx": 0, "ty": 1, "tz": 2, "translatex": 0, "translatey": 1,
    "translatez": 2, "v": 3, "c": 3, "visibility": 3, "confidence": 3, "score": 3, "likelihood": 3,
    "conf": 3, "vis": 3, "visible": 3, "prob": 3, "p": 3, "presence": 3, "s": 3, "w": 4,
  ]

  static func column(_ name: String) -> (name: String, axis: Int)? {
    let key = withoutUnit(name)
    let separators: Set<Character> = ["_", ".", "-", " ", ":", "/"]
    if let cut = key.lastIndex(where: separators.contains), cut > key.startIndex {
      let end = key[key.index(after: cut)...].lowercased()
      if let axis = axes[end] { return (String(key[..<cut]), axis) }
    }
    if let cut = key.firstIndex(where: separators.contains), cut < key.index(before: key.endIndex) {
      if let axis = axes[key[..<cut].lowercased()] {
        return (String(key[key.index(after: cut)...]), axis)
      }
    }
    // The capital letter is an axis, as in `leftHipX`, or in `x11` for numbered points.
    if let last = key.last, "XYZ".contains(last), let axis = axes[last.lowercased()], key.count > 2,
      JointNames.isJoint(String(key.dropLast()))
    {
      return (String(key.dropLast()), axis)
    }
    if let first = key.first, let axis = axes[first.lowercased()], Int(key.dropFirst()) != nil {
      return (String(key.dropFirst()), axis)
    }
    if let last = key.last, let axis = axes[last.lowercased()], key.count > 2,
      key.dropLast().last?.isNumber == true
    {
      return (String(key.dropLast()), axis)  // as in `kp0x`
    }
    return nil
  }
}

struct PointMeaning: Hashable {
  let text: String

  static let quaternions = PointMeaning(text: "rotations (quaternions: 4 numbers of length 1)")
  static let bodyModel = PointMeaning(text: "rotations of a body model's joints")
  static let parentRelative = PointMeaning(text: "positions relative to the parent joint")
  static let planar = PointMeaning(text: "points in a plane, whose third number is always 0")

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

extension JSONNode {
  /// The numbers of a 4x4 matrix, which are NaN where a joint is missing; nil for anything else.
  var matrix: [Double]? {
    guard let elements, elements.count == 4 || elements.count == 16 else { return nil }
    let values = elements.count == 4 ? elements.flatMap { $0.elements ?? [] } : elements
    let numbers = values.compactMap { $0.isEmpty ? .nan : $0.number }
    return numbers.count == 16 && values.count == 16 ? numbers : nil
  }
}

extension PointCandidate {
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

extension JointSearch {
  /// The largest variation of bone lengths at which joints count as relative to the pelvis, not to
  /// their parents.
  private static let bodyVariation = 0.08
  private static let bodyProportions = 2.0

  func meaning(of points: [PointCandidate], family: String) -> PointMeaning? {
    let names = family.split(separator: ".").map(String.init)
    let fourth = points.compactMap { point in point.fourth.map { point.numberPaths(3) + [$0] } }
    return areQuaternions(fourth) ? .quaternions : PointMeaning(names: names)
  }

  func areQuaternions(_ points: [[FieldPath]]) -> Bool {
    guard points.count >= 5 else { return false }
    var (all, unit) = (0, 0)
    for numbers in points.filter({ $0.count == 4 }).flatMap(numbers) {
      let square = numbers.reduce(0) { $0 + $1 * $1 }
      guard square > 0 else { continue }
      all += 1
      unit += (0.96...1.04).contains(square) ? 1 : 0
    }
    return all > 20 && unit * 20 >= all * 19
  }

  func checked(_ candidate: Found) -> Found {
    guard candidate.order == nil, candidate.skeleton.dimension == 3 else { return candidate }
    let signs = signs(of: candidate)
    guard let variation = signs.boneVariation else { return candidate }
    var result = candidate
    result.variation = variation
    result.strangeBones = signs.strangeBones
    let words = ClockName.words(of: candidate.place)
    let isSaid = words.contains { ["local", "parent", "offset", "offsets"].contains($0) }
    let isBody =
      variation <= Self.bodyVariation && signs.proportionError ?? 1 <= Self.bodyProportions
      && !signs.isFrozen
    let isFrozen = signs.isFrozen && result.strangeBones != nil
    if isSaid && !isBody || signs.areOffsets || isFrozen { result.meaning = .parentRelative }
    return result
  }
}

extension JointSearch.Found {
  private static let sided: [Joint] = Array(Set(BodySigns.limbs.flatMap { [$0, $1] }))
  private static let mostNamed = 6

  /// Doubts joints of which some are missing, if names of other points may be theirs.
  mutating func doubt(beside unknown: [String]) {
    let missing = Self.sided.filter { joints[$0] == nil }
    guard !missing.isEmpty, 2 * unknown.count >= missing.count else { return }
    func list(_ names: [String]) -> String {
      names.sorted().prefix(Self.mostNamed).map { "`\($0.prefix(40))`" }.joined(separator: ", ")
        + (names.count > Self.mostNamed ? " and so on" : "")
    }
    certainty = .unsure
    evidence +=
      ", but \(list(missing.map(\.name))) \(missing.count == 1 ? "is" : "are") missing, and names "
      + "such as \(list(unknown)) mean nothing here"
    alternatives.append("the joints that you name in a map")
  }

  mutating func doubt() {
    guard let strangeBones else { return }
    certainty = .unsure
    evidence += ", but " + strangeBones
    alternatives.append(
      "these are rotations, velocities or similar numbers, not positions, or names are wrong")
  }
}

extension TableExamination {
  mutating func block(_ meaning: PointMeaning, at place: String) {
    diagnosis.block(
      "no positions of joints were found: the numbers \(place) are \(meaning.text), not positions",
      "save the position of every joint in space as well, such as left_hip: [x, y, z]; "
        + "motion-capture software exports them as global positions. If these are positions, "
        + "rename the field, or name it in a map that begins with `planklab import maps mlkit`")
  }

  mutating func blocksByFileName(_ found: JointSearch.Found) -> Bool {
    guard let variation = found.variation, variation > 0.1,
      let meaning = PointMeaning(names: [diagnosis.file.lastComponent])
    else { return false }
    block(meaning, at: found.place)
    return true
  }
}
