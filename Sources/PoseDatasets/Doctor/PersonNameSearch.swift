import PoseModel
import PoseRecording

/// People that only the names of fields tell apart: `p1_left_hip_x` and `p2_left_hip_x`,
/// `left_hip_x_1` and `left_hip_x_2`, or `person1` and `person2` with everything.
struct PersonNameSearch {
  /// The object that has the fields.
  let holder: FieldPath
  let names: [PersonName]
  /// Whether the names say that they are people, and do not only differ.
  let saysPeople: Bool

  private static let fewestJoints = 6
  private static let mostHolders = 20
  private static let separators: Set<Character> = ["_", ".", "-", " ", ":", "/", "|"]
  private static let people: Set<String> = [
    "p", "person", "people", "human", "body", "player", "subject", "track", "instance", "inst",
    "individual", "ind", "id", "pid", "user", "dancer", "athlete", "skeleton", "skel", "actor",
    "patient", "participant", "trainer", "client", "performer",
  ]
  /// Of the same body in another space, by another camera or program, or of something else.
  private static let otherThings: Set<String> = [
    "image", "img", "world", "raw", "filtered", "smooth", "smoothed", "pixel", "pixels", "px",
    "norm", "normalized", "normalised", "local", "global", "screen", "camera", "cam", "view",
    "sensor", "kinect", "device", "pred", "predicted", "gt", "truth", "hand", "hands", "face",
    "velocity", "vel", "acc", "acceleration", "speed", "angle", "angles", "std", "var", "mean",
    "rotation", "rot", "position", "quaternion", "orientation", "d", "d2", "d3", "model", "left",
    "right", "front", "side", "back", "top", "joints", "keypoints", "landmarks", "points", "pose",
    "poses", "positions", "coords", "data", "results",
  ]
  private static let bodies: Set<String> = ["pose", "poses", "keypoints", "landmarks", "joints"]

  init?(_ samples: [JSONNode], notIn lists: [String]) {
    var holders: [FieldPath: (keys: [String], values: [JSONNode])] = [:]
    for sample in samples { Self.visit(sample, FieldPath(), notIn: lists, &holders) }
    let found = holders.sorted {
      ($0.key.steps.count, $0.key.text) < ($1.key.steps.count, $1.key.text)
    }
    .lazy.compactMap { holder, fields in
      Self.names(fields.keys, fields.values).map { (holder, $0) }
    }.first
    guard let (holder, names) = found else { return nil }
    self.holder = holder
    self.names = names
    saysPeople = names.allSatisfy { name in
      name.name.hasSuffix("/")
        || ClockName.words(of: name.name).contains(where: Self.people.contains)
    }
  }

  var map: TableMap.People {
    var people = TableMap.People(list: holder)
    people.fields = names
    return people
  }

  /// Every object of the outer levels, with the fields that it has in some frame.
  private static func visit(
    _ node: JSONNode, _ path: FieldPath, notIn lists: [String],
    _ holders: inout [FieldPath: (keys: [String], values: [JSONNode])]
  ) {
    guard case .object(let keys, let values) = node.content, path.steps.count < 3,
      !lists.contains(path.lastKey.lowercased()),
      holders[path] != nil || holders.count < mostHolders
    else { return }
    if holders[path]?.keys != keys {
      var fields = holders[path] ?? ([], [])
      let known = Set(fields.keys)
      for (key, value) in zip(keys, values) where !known.contains(key) && !value.isEmpty {
        fields.keys.append(key)
        fields.values.append(value)
      }
      holders[path] = fields
    }
    for (key, value) in zip(keys, values) where !JointNames.isJoint(key) {
      if case .object = value.content {
        visit(value, path.appending(.key(key)), notIn: lists, &holders)
      }
    }
  }

  /// The people whose fields these are; nil for those of one body.
  static func names(_ keys: [String], _ values: [JSONNode]) -> [PersonName]? {
    var fields: [PersonName: Set<String>] = [:]
    var order: [PersonName] = []
    func add(_ name: PersonName, _ joints: Set<String>) {
      if fields[name] == nil { order.append(name) }
      fields[name, default: []].formUnion(joints)
    }
    for (key, value) in zip(keys, values) {
      if value.number == nil, !value.isEmpty, !JointNames.isJoint(key) {
        guard PeopleSearch.isBody(value), let joints = bodyJoints(value) else { continue }
        add(PersonName(key), joints)
      } else {
        for (name, joint) in columnNames(key) { add(name, [joint]) }
      }
    }
    let enough = order.filter { fields[$0]?.count ?? 0 >= fewestJoints }
    let kinds = Dictionary(grouping: enough) { [$0.hasStart, $0.hasEnd] }.values
      .sorted { $0.count > $1.count }
    for kind in kinds {
      if let people = numbered(kind) ?? named(kind) {
        let common = people.dropFirst().reduce(fields[people[0]] ?? []) {
          $0.intersection(fields[$1] ?? [])
        }
        if common.count >= fewestJoints { return people }
      }
    }
    return nil
  }

  /// Names that differ in a number only.
  private static func numbered(_ names: [PersonName]) -> [PersonName]? {
    let groups = Dictionary(grouping: names) { NaturalOrder.shape($0.name) }
      .filter { shape, group in
        group.count > 1 && group.count <= TableClips.mostPeople && shape.contains("#")
          && otherThings.subtracting(bodies).isDisjoint(with: ClockName.words(of: shape))
      }
    let largest = groups.sorted { $0.key < $1.key }.max { $0.value.count < $1.value.count }
    return largest?.value.sorted { NaturalOrder.isBefore($0.name, $1.name) }
  }

  private static func named(_ names: [PersonName]) -> [PersonName]? {
    // Of one person and a body in another space, nothing says what is what.
    let others = names.contains { !otherThings.isDisjoint(with: ClockName.words(of: $0.name)) }
    return names.count > 1 && !others ? names : nil
  }

  private static func bodyJoints(_ node: JSONNode) -> Set<String>? {
    let search = FieldSearch(node)
    let labels = search.points.map { point in
      switch point.label {
      case .name(let name): name
      case .index(let index): "\(index)"
      }
    }
    if Set(labels).count >= fewestJoints { return Set(labels) }
    let count = search.numberLists.map(\.count).max() ?? 0
    return count > 2 * fewestJoints ? Set((0..<count).map(String.init)) : nil
  }

  /// How the name of a column may be that of a person's joint.
  private static func columnNames(_ key: String) -> [(PersonName, joint: String)] {
    guard key.utf8.count < 120 else { return [] }
    var found: [(PersonName, joint: String)] = []
    // `left_hip_x_1`, `left_hip_x1`
    let digits = key.reversed().prefix { $0.isASCII && $0.isNumber }.count
    var base = key.dropLast(digits)
    if digits > 0, digits < 4 {
      if let last = base.last, separators.contains(last) { base = base.dropLast() }
      if let joint = joint(ofColumn: String(base)) {
        found.append((PersonName(String(key[base.endIndex...]), hasStart: true), joint))
      }
    } else if let cut = key.lastIndex(where: separators.contains),
      isPerson(key[key.index(after: cut)...]), let joint = joint(ofColumn: String(key[..<cut]))
    {
      found.append((PersonName(String(key[cut...]), hasStart: true), joint))
    }
    let name = FieldSearch.column(key)?.name ?? key
    if let range = key.ranges(of: name).last {
      found += prefix(name).map { prefix, joint in
        (
          PersonName(prefix, hasStart: range.lowerBound > key.startIndex, hasEnd: true), joint
        )
      }
      // `left_hip_1_x`
      if range.upperBound < key.endIndex, let cut = name.lastIndex(where: separators.contains),
        isPerson(name[name.index(after: cut)...]), JointNames.isJoint(String(name[..<cut]))
      {
        let own = name[cut...] + key[range.upperBound...].prefix(1)
        found.append(
          (PersonName(String(own), hasStart: true, hasEnd: true), String(name[..<cut])))
      }
    }
    return found
  }

  private static func joint(ofColumn key: String) -> String? {
    let name = FieldSearch.column(key)?.name ?? key
    return JointNames.isJoint(name) ? name : nil
  }

  /// Such as `1`, `p2` and `B`.
  private static func isPerson(_ word: Substring) -> Bool {
    let letters = word.prefix { $0.isLetter }.lowercased()
    let rest = word.dropFirst(letters.count)
    guard rest.count < 4, rest.allSatisfy({ $0.isASCII && $0.isNumber }) else { return false }
    if letters.isEmpty { return !rest.isEmpty }
    return people.contains(letters) || rest.isEmpty && ["a", "b", "c"].contains(letters)
  }

  /// The person in front of a joint's name.
  private static func prefix(_ name: String) -> [(prefix: String, joint: String)] {
    var end = name.startIndex
    while let cut = name[end...].firstIndex(where: separators.contains), isPerson(name[end..<cut]) {
      end = name.index(after: cut)
    }
    if end == name.startIndex {
      // `person1LeftHip`
      let letters = name.prefix { $0.isLetter }
      let digits = name[letters.endIndex...].prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty, people.contains(letters.lowercased()) { end = digits.endIndex }
    }
    if end > name.startIndex, JointNames.isJoint(String(name[end...])) {
      return [(String(name[..<end]), String(name[end...]))]
    }
    let (prefix, joint) = JointNames.split(name)
    return prefix.isEmpty ? [] : [(upToNumber(prefix), joint)]
  }

  /// Of `p1_world_`, the person.
  private static func upToNumber(_ prefix: String) -> String {
    guard let number = prefix.firstIndex(where: { $0.isASCII && $0.isNumber }) else {
      return prefix
    }
    let end = prefix[number...].firstIndex { separators.contains($0) } ?? prefix.endIndex
    return end < prefix.endIndex ? String(prefix[...end]) : prefix
  }
}
