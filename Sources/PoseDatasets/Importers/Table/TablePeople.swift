import PoseModel
import PoseRecording

extension TableMap {
  /// Where the people of a frame are: a list in which each element is a person, or in which the
  /// elements are points of several people; or fields whose names say whose they are.
  ///
  /// In the paths of joints, `[0]` after the list stands for every person, and so does `[0]` after a
  /// list beside it that is as long.
  package struct People: Hashable, Sendable {
    package var list: FieldPath
    /// A list beside it with the same people as points of the image, by which they are followed.
    package var place: FieldPath?
    /// The number or name that a person keeps from frame to frame.
    package var track: FieldPath?
    /// Names of the fields of each person in the object at `list`; in the paths of joints, fields
    /// are called without them.
    package var fields: [PersonName] = []

    package init(list: FieldPath, place: FieldPath? = nil, track: FieldPath? = nil) {
      self.list = list
      self.place = place
      self.track = track
    }

    init(_ node: YAMLNode) throws {
      if case .scalar = node.content {
        self.init(list: try node.path())
        return
      }
      let map = try node.map()
      try map.rejectUnknownKeys(known: ["list", "place", "track", "fields"])
      guard let names = map.optional("fields") else {
        self.init(
          list: try map.required("list").path(), place: try map.optional("place")?.path(),
          track: try map.optional("track")?.path())
        return
      }
      self.init(list: try map.optional("list")?.path() ?? FieldPath())
      for name in try names.list() {
        guard let one = PersonName(text: try name.string()) else {
          throw name.error(
            allowed: "what a person's fields have in common, with * for the rest",
            remedy: "write for example [p1_*, p2_*], [*_1, *_2] or [person1, person2]")
        }
        fields.append(one)
      }
    }

    var yaml: String {
      var parts = [("list", list), ("place", place), ("track", track)].compactMap { key, path in
        path.map { "\(key): \(TableMap.scalar($0.text))" }
      }
      if !fields.isEmpty {
        if list.steps.isEmpty { parts.removeFirst() }
        parts.append("fields: [\(fields.map { TableMap.scalar($0.text) }.joined(separator: ", "))]")
      }
      return "{\(parts.joined(separator: ", "))}"
    }
  }
}

/// Splits a frame into frames with one person each: lists of people keep one element, the person's.
struct PeopleReader {
  private let people: TableMap.People
  /// Paths of other lists in which `[0]` is the person, too.
  private let beside: [FieldPath]
  /// The field that tells the points of a person apart, where elements are points.
  private let pointKey: String?
  private var list: FieldReader
  private var track: FieldReader?
  /// Whose fields those of the last frame were: all frames of a table have the same.
  private var fields: PersonFields?

  init?(_ map: TableMap) {
    guard let people = map.people else { return nil }
    let paths = map.joints.values.flatMap(\.paths)
    self.init(people, paths: paths)
  }

  init(_ people: TableMap.People, paths: [FieldPath]) {
    self.people = people
    list = FieldReader(people.list)
    track = people.track.map { FieldReader($0) }
    let count = people.list.steps.count
    pointKey =
      paths.lazy.compactMap { path -> String? in
        guard path.steps.starts(with: people.list.steps), path.steps.count > count,
          case .match(let key, _) = path.steps[count]
        else { return nil }
        return key
      }.first
    var beside = Set([people.place].compactMap(\.self))
    for path in paths + [people.track].compactMap(\.self)
    where !path.steps.starts(with: people.list.steps) {
      guard let first = path.steps.firstIndex(of: .element(0)) else { continue }
      beside.insert(FieldPath(Array(path.steps[..<first])))
    }
    self.beside = beside.filter { $0 != people.list }.sorted { $0.text < $1.text }
  }

  /// The frame without anybody, and one frame for each person with the person's id.
  mutating func split(
    _ frame: JSONNode
  ) -> (nobody: JSONNode, people: [(frame: JSONNode, id: String?)]) {
    guard people.fields.isEmpty else { return splitFields(of: frame) }
    let elements = list.field(of: frame)?.people ?? []
    let groups = pointKey.map { points(of: elements, $0) } ?? elements.indices.map { [$0] }
    func with(_ indices: [Int]) -> JSONNode {
      var result = frame.replacing(
        people.list.steps[...], JSONNode(.list(indices.map { elements[$0] }), line: frame.line))
      for path in beside where pointKey == nil {
        var reader = FieldReader(path)
        guard let others = reader.field(of: frame)?.people, others.count == elements.count else {
          continue
        }
        result = result.replacing(
          path.steps[...], JSONNode(.list(indices.map { others[$0] }), line: frame.line))
      }
      return result
    }
    return (
      with([]),
      groups.map { indices in
        let one = with(indices)
        return (one, track?.field(of: one).flatMap { $0.isEmpty ? nil : $0.text })
      }
    )
  }

  private mutating func splitFields(
    of frame: JSONNode
  ) -> (nobody: JSONNode, people: [(frame: JSONNode, id: String?)]) {
    guard case .object(let keys, let values)? = list.field(of: frame)?.content else {
      return (frame, [])
    }
    let plan: PersonFields
    if let fields, fields.keys == keys {
      plan = fields
    } else {
      plan = PersonFields(keys, people.fields)
    }
    fields = plan
    let split = plan.split(values, line: frame.line)
    func with(_ one: JSONNode) -> JSONNode { frame.replacing(people.list.steps[...], one) }
    return (with(split.nobody), split.people.map { (with($0), nil) })
  }

  /// Points with the same track are one person's; without one, a point that comes again begins or
  /// continues the next person.
  private func points(of elements: [JSONNode], _ pointKey: String) -> [[Int]] {
    var track = people.track.map {
      FieldReader(FieldPath(Array($0.steps.dropFirst(people.list.steps.count + 1))))
    }
    var groups: [[Int]] = []
    var places: [String: Int] = [:]
    var counts: [String: Int] = [:]
    for (index, element) in elements.enumerated() {
      let place: Int
      if let id = track?.field(of: element)?.text {
        place = places[id] ?? groups.count
        places[id] = place
      } else {
        let name = element[pointKey]?.text ?? ""
        place = counts[name] ?? 0
        counts[name] = place + 1
      }
      if place < groups.count { groups[place].append(index) } else { groups.append([index]) }
    }
    return groups
  }
}

extension TableMap.Place {
  var paths: [FieldPath] {
    switch self {
    case .point(let path): [path]
    case .fields(let paths): paths
    }
  }
}

extension JSONNode {
  /// The elements of a list, or the values of an object whose keys are people.
  fileprivate var people: [JSONNode] {
    switch content {
    case .list(let elements): elements
    case .object(_, let values): values
    default: []
    }
  }

  func replacing(_ steps: ArraySlice<FieldPath.Step>, _ value: JSONNode) -> JSONNode {
    guard let step = steps.first else { return value }
    let rest = steps.dropFirst()
    switch (step, content) {
    case (.key(let key), .object(let keys, var values)):
      guard let index = keys.firstIndex(of: key) else { return self }
      values[index] = values[index].replacing(rest, value)
      return JSONNode(.object(keys: keys, values: values), line: line)
    case (.element(let index), .list(var elements)) where elements.indices.contains(index):
      elements[index] = elements[index].replacing(rest, value)
      return JSONNode(.list(elements), line: line)
    default: return self
    }
  }
}
