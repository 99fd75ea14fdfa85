import PoseModel
import PoseRecording

struct PeopleSearch {
  private(set) var lists: [FieldPath: Int] = [:]
  private(set) var points: (people: TableMap.People, key: String)?
  private(set) var recordings: (list: FieldPath, count: Int)?
  let fields: PersonNameSearch?
  let samples: [JSONNode]

  private static let peopleNames = [
    "people", "persons", "bodies", "poses", "skeletons", "tracks", "players", "humans", "users",
  ]
  private static let depthLimit = 4
  private static let fewestPoints = 6
  private static let checkedSamples = 60
  private static let mostUnnamed = 10

  init(_ samples: [JSONNode]) {
    self.samples = samples
    fields = PersonNameSearch(samples, notIn: Self.peopleNames)
    guard fields == nil else { return }
    var verdicts: [FieldPath: Bool] = [:]
    for sample in samples { visit(sample, FieldPath(), 0, &verdicts) }
    recordings = lists.sorted { $0.key.text < $1.key.text }
      .first { isRecording($0.key, $0.value) }.map { ($0.key, $0.value) }
    if lists.isEmpty { findPoints() }
  }

  private mutating func visit(
    _ node: JSONNode, _ path: FieldPath, _ depth: Int, _ verdicts: inout [FieldPath: Bool]
  ) {
    guard depth <= Self.depthLimit else { return }
    switch node.content {
    case .object(let keys, let values):
      if Self.peopleNames.contains(path.lastKey.lowercased()),
        let first = values.first(where: { !$0.isEmpty }),
        Set(keys.map(NaturalOrder.shape)).count == 1, Self.isBody(first)
      {
        lists[path] = max(lists[path] ?? 0, keys.count)
        return
      }
      // Wide tables have mostly numbers, whose names need not be examined.
      for (key, value) in zip(keys, values) where !value.isScalar && !JointNames.isJoint(key) {
        visit(value, path.appending(.key(key)), depth + 1, &verdicts)
      }
    case .list(let elements):
      guard let first = elements.first(where: { !$0.isEmpty }) else { return }
      if verdicts[path] == nil { verdicts[path] = Self.isBody(first) }
      if verdicts[path] == true {
        lists[path] = max(lists[path] ?? 0, elements.count)
      } else if elements.count == 1 {
        visit(first, path.appending(.element(0)), depth + 1, &verdicts)
      }
    default: return
    }
  }

  /// Whether the elements of a list are frames, not people.
  ///
  /// They are if there are too many for people, if they have times of their own, or if each frame
  /// has the same large number of unnamed elements.
  private func isRecording(_ list: FieldPath, _ most: Int) -> Bool {
    guard most > Self.mostUnnamed else { return false }
    let all = list.nodes(in: samples).compactMap(\.elements)
    guard let first = all.first(where: { $0.count == most }) else {
      return most > TableClips.mostPeople
    }
    if most > TableClips.mostPeople { return true }
    let keys = first[0].objectKeys
    guard keys.isEmpty else {
      return keys.contains { key in
        ClockName(key).meaning == .time
          && ClockGrowth(first.compactMap { $0[key]?.number }).isStrict
      }
    }
    return all.count > 1 && all.allSatisfy { $0.count == most }
  }

  static func isBody(_ node: JSONNode) -> Bool {
    if node.number != nil { return false }
    let search = FieldSearch(node)
    let families = Dictionary(grouping: search.points, by: \.family)
    if families.values.contains(where: { $0.count >= fewestPoints }) { return true }
    return search.numberLists.contains { list in
      let counts = (2...4).filter { list.count % $0 == 0 }.map { list.count / $0 }
      // As many numbers as a detector has points are one coordinate of all points.
      return list.count >= 2 * fewestPoints && !counts.isEmpty
        && (!areJoints(list.count) || counts.contains(where: areJoints))
    }
  }

  private static func areJoints(_ count: Int) -> Bool {
    JointOrder.all.contains { $0.count == count }
  }

  private mutating func findPoints() {
    for sample in samples.prefix(Self.checkedSamples) {
      for (list, value) in sample.fields {
        guard let elements = value.elements, elements.count > Self.fewestPoints,
          let keys = elements.first?.objectKeys
        else { continue }
        for key in keys where ImageRows.isPointName(key) {
          guard let names = elements.mapAll({ $0[key]?.text }), Set(names).count < names.count,
            Set(names).count >= Self.fewestPoints
          else { continue }
          let track = keys.first { track in
            ImageRows.isTrackName(track) && track != key
              && Set(elements.map { [$0[track]?.text, $0[key]?.text] }).count == elements.count
          }
          let path = FieldPath([.key(list)])
          let field = track.map { path.appending(.element(0)).appending(.key($0)) }
          points = (TableMap.People(list: path, track: field), key)
          return
        }
      }
    }
  }
}

extension TableExamination {
  mutating func block(recordings: (list: FieldPath, count: Int)) {
    let list = recordings.list.text.isEmpty ? "it" : "`\(recordings.list.text)`"
    guard table.form != .arrays else {
      return diagnosis.block(
        "the array has \(table.count) times \(recordings.count) poses, like windows or clips, not like "
          + "that many people",
        "save an array of one recording: frames, joints, coordinates")
    }
    let path = map.layout.frames.map { "." + $0.text } ?? "."
    let pipe = table.form == .jsonLines ? "" : "jq -c '\(path)[]' FILE | "
    diagnosis.block(
      "\(list) has up to \(recordings.count) poses in each of \(CountText.of(table.count, "value")), "
        + "as recordings do, not the people of one frame",
      "save every recording to a file of its own, for example with "
        + (pipe.isEmpty ? "split -l 1 FILE clip-" : pipe + "split -l 1 - clip-"))
  }

  mutating func takeFirstPerson(_ search: PeopleSearch) {
    var readers: [PeopleReader] = []
    if let fields = search.fields {
      readers = [PeopleReader(fields.map, paths: [])]
    } else if let points = search.points {
      let path = points.people.list.appending(.match(key: points.key, text: ""))
      readers = [PeopleReader(points.people, paths: [path])]
    } else {
      readers = search.lists.keys.map { PeopleReader(TableMap.People(list: $0), paths: []) }
    }
    guard !readers.isEmpty else { return }
    func one(_ sample: JSONNode) -> JSONNode {
      var sample = sample
      for index in readers.indices {
        let split = readers[index].split(sample)
        sample = split.people.first?.frame ?? split.nobody
      }
      return sample
    }
    samples = samples.map(one)
    if search.lists[FieldPath([.key(PoseTable.rowsKey)])] != nil, map.layout.kind == .rows {
      let shared = Self.sharedKeys(search.samples)
      samples = samples.map { sample in
        guard case .object = sample.content else { return sample }
        return JSONNode(fields: sample.fields.filter { shared.contains($0.0) }, line: sample.line)
      }
    }
  }

  /// Returns the keys with the same value in all rows of each frame.
  ///
  /// A frame also has the other fields of its first row, but they belong to one person.
  private static func sharedKeys(_ frames: [JSONNode]) -> Set<String> {
    let groups = frames.map { $0[PoseTable.rowsKey]?.elements ?? [] }
    guard let first = groups.first(where: { $0.count > 1 }) ?? groups.first,
      let keys = first.first?.objectKeys
    else { return [] }
    let bodies = Set(
      FieldSearch(first[0]).points.flatMap(\.place.paths).compactMap(\.steps.first?.name))
    let shared = keys.filter { key in
      guard !bodies.contains(key), let value = first[0][key], value.elements == nil else {
        return false
      }
      return groups.allSatisfy { rows in
        rows.allSatisfy { $0[key]?.content == rows.first?[key]?.content }
      }
    }
    return Set(shared).union([PoseTable.rowsKey])
  }

  mutating func followPeople(_ search: PeopleSearch) throws {
    if builtIn == nil { map.people = people(search) }
    guard map.people != nil else { return }
    var trial = map
    trial.time = TableMap.Time(field: nil, rate: 30)
    trial.labels = nil
    if trial.imageSize == nil { trial.imageSize = ImageSize(width: 1, height: 1) }
    if builtIn == nil { trial.units = trial.skeleton.dimension == 2 ? .pixels : .m }
    let options = TableOptions(map: trial)
    let people = try TableClips(table, options: options).people(in: 0..<table.count)
    guard let choice = try people.chosen(options).first else { return }
    var reader = PeopleReader(map)
    func chosen(_ index: Int) throws -> JSONNode? {
      guard let split = reader?.split(try table.frame(index)) else { return nil }
      return choice[index].value.map { split.people[$0].frame } ?? split.nobody
    }
    for sample in samples.indices {
      samples[sample] = try chosen(sample * table.count / samples.count) ?? samples[sample]
    }
    for index in first.indices { first[index] = try chosen(index) ?? first[index] }
    guard people.shared > 0 else { return }
    let jump = people.tracks.first?.jumps.first.map {
      ", but jumps in frame \($0) and may be someone else from then on"
    }
    let isUnsure = people.isByShape || search.fields?.saysPeople == false || jump != nil
    diagnosis.conclude(
      "people", people.summary + "; the most prominent is imported" + (jump ?? ""),
      isUnsure ? .unsure : .likely,
      evidence(map.people), alternatives: ["--person 2", "--everyone"])
  }

  private func evidence(_ people: TableMap.People?) -> String {
    if let names = people?.fields, !names.isEmpty {
      let shown = names.prefix(4).map { "`\($0.text.prefix(40))`" }.joined(separator: ", ")
      return "fields are called \(shown)" + (names.count > 4 ? " and so on" : "")
    }
    return people?.list.steps.isEmpty == true
      ? "a frame is a list of them" : "`\(people?.list.text ?? "")` lists them"
  }

  private func people(_ search: PeopleSearch) -> TableMap.People? {
    let paths = map.joints.values.flatMap(\.paths)
    if let fields = search.fields {
      let isTheirs = paths.allSatisfy { $0.steps.starts(with: fields.holder.steps) }
      return isTheirs ? fields.map : nil
    }
    guard let path = paths.first else { return nil }
    if let people = search.points?.people, path.steps.starts(with: people.list.steps) {
      return people
    }
    let lists = search.lists.keys.sorted { $0.text < $1.text }
    guard
      let list = lists.first(where: { list in
        paths.allSatisfy { $0.steps.starts(with: list.steps + [.element(0)]) }
      })
    else { return nil }
    var people = TableMap.People(list: list)
    people.track = track(search, list)
    if map.skeleton.dimension == 3 {
      people.place = lists.first { other in
        other != list && search.lists[other] == search.lists[list]
          && !other.text.lowercased().contains("world")
      }
    }
    return people
  }

  private func track(_ search: PeopleSearch, _ list: FieldPath) -> FieldPath? {
    let frames = list.nodes(in: search.samples).compactMap(\.elements).filter { !$0.isEmpty }
    guard let first = frames.first?.first, frames.contains(where: { $0.count > 1 }) else {
      return nil
    }
    let sightings = frames.reduce(0) { $0 + $1.count }
    func tells(_ id: (JSONNode) -> String?) -> Bool {
      let ids = frames.map { $0.map(id) }
      let isWhole = ids.allSatisfy { ids in
        ids.allSatisfy { $0 != nil } && Set(ids).count == ids.count
      }
      let isPlace = ids.allSatisfy { ids in
        zip(ids.indices, ids).allSatisfy { $1 == "\($0)" || $1 == "\($0 + 1)" }
      }
      return isWhole && !isPlace && 2 * Set(ids.joined()).count <= sightings
    }
    let person = list.appending(.element(0))
    if let numbers = first.elements {
      // Trackers write the person's number after the points.
      let last = numbers.count - 1
      let path = person.appending(.element(last))
      let isFree = !map.joints.values.contains { $0.paths.contains(path) }
      let isId = tells { $0.element(last)?.number.flatMap { Int(exactly: $0) }.map(String.init) }
      return last > 0 && isFree && isId ? path : nil
    }
    return first.objectKeys.first { key in ImageRows.isTrackName(key) && tells { $0[key]?.text } }
      .map { person.appending(.key($0)) }
  }

  mutating func concludeStretches(_ stretches: ClockStretches) {
    let parts = Set(table.parts.map(\.frames.lowerBound))
    let starts = stretches.ranges.dropFirst().map(\.lowerBound).filter { !parts.contains($0) }
    guard let first = starts.first else { return }
    diagnosis.conclude(
      "recordings", CountText.of(stretches.ranges.count, "recording"), .likely,
      "the clock restarts at frame \(first)"
        + (starts.count > 1 ? " and \(CountText.of(starts.count - 1, "more time"))" : ""))
    diagnosis.warn(
      "the clock restarts at frame \(first): " + CountText.of(stretches.ranges.count, "recording"),
      "each part is imported as a separate sequence, with its number at the end of the name")
  }
}

/// People whose fields differ only in their names, such as `p1_left_hip_x` and `p2_left_hip_x`, or
/// `person1` and `person2` with whole people inside.
struct PersonNameSearch {
  let holder: FieldPath
  let names: [PersonName]
  let saysPeople: Bool

  private static let fewestJoints = 6
  private static let mostHolders = 20
  private static let separators: Set<Character> = ["_", ".", "-", " ", ":", "/", "|"]
  private static let people: Set<String> = [
    "p", "person", "people", "human", "body", "player", "subject", "track", "instance", "inst",
    "individual", "ind", "id", "pid", "user", "dancer", "athlete", "skeleton", "skel", "actor",
    "patient", "participant", "trainer", "client", "performer",
  ]
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
    }.lazy.compactMap { holder, fields in
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
        for (name, joint) in columnNames(key, isNumber: value.isScalar) { add(name, [joint]) }
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
    // A pattern may mean a body in another space instead of another person.
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

  private static func columnNames(_ key: String, isNumber: Bool) -> [(PersonName, joint: String)] {
    guard key.utf8.count < 120 else { return [] }
    var found: [(PersonName, joint: String)] = []
    // The number is at the end, as in `left_hip_x_1` or `left_hip_x1`.
    let digits = key.trailingDigits
    var base = key.dropLast(digits)
    if digits > 0, digits < 4 {
      if let last = base.last, separators.contains(last) { base = base.dropLast() }
      // Numbers without an axis, such as `left_hip_1`, are one person's coordinates.
      let hasAxis = !isNumber || FieldSearch.column(String(base)) != nil
      if hasAxis, let joint = joint(ofColumn: String(base)) {
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
        (PersonName(prefix, hasStart: range.lowerBound > key.startIndex, hasEnd: true), joint)
      }
      // The number is between joint and axis, as in `left_hip_1_x`.
      if range.upperBound < key.endIndex, let cut = name.lastIndex(where: separators.contains),
        isPerson(name[name.index(after: cut)...]), JointNames.isJoint(String(name[..<cut]))
      {
        let own = name[cut...] + key[range.upperBound...].prefix(1)
        found.append((PersonName(String(own), hasStart: true, hasEnd: true), String(name[..<cut])))
      }
    }
    return found
  }

  private static func joint(ofColumn key: String) -> String? {
    let name = FieldSearch.column(key)?.name ?? key
    return JointNames.isJoint(name) ? name : nil
  }

  private static func isPerson(_ word: Substring) -> Bool {
    let letters = word.prefix { $0.isLetter }.lowercased()
    let rest = word.dropFirst(letters.count)
    guard rest.count < 4, rest.allSatisfy(\.isDigit) else { return false }
    if letters.isEmpty { return !rest.isEmpty }
    return people.contains(letters) || rest.isEmpty && ["a", "b", "c"].contains(letters)
  }

  private static func prefix(_ name: String) -> [(prefix: String, joint: String)] {
    var end = name.startIndex
    while let cut = name[end...].firstIndex(where: separators.contains), isPerson(name[end..<cut]) {
      end = name.index(after: cut)
    }
    if end == name.startIndex {
      // The joint may follow without a separator, as in `person1LeftHip`.
      let letters = name.prefix { $0.isLetter }
      let digits = name[letters.endIndex...].prefix(while: \.isDigit)
      if !digits.isEmpty, people.contains(letters.lowercased()) { end = digits.endIndex }
    }
    if end > name.startIndex, JointNames.isJoint(String(name[end...])) {
      return [(String(name[..<end]), String(name[end...]))]
    }
    let (prefix, joint) = JointNames.split(name)
    return prefix.isEmpty ? [] : [(upToNumber(prefix), joint)]
  }

  private static func upToNumber(_ prefix: String) -> String {
    guard let number = prefix.firstIndex(where: \.isDigit) else { return prefix }
    let end = prefix[number...].firstIndex { separators.contains($0) } ?? prefix.endIndex
    return end < prefix.endIndex ? String(prefix[...end]) : prefix
  }
}
