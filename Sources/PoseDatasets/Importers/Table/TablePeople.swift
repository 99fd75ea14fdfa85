import PoseModel
import PoseRecording

extension TableMap {
  /// Where the people of a frame are.
  ///
  /// They are elements of a list, groups of elements in a list of points, or fields whose names
  /// differ by person. In joint paths, `[0]` after the list stands for each person, and so does
  /// `[0]` after any parallel list of the same length.
  package struct People: Hashable, Sendable {
    package var list: FieldPath
    package var place: FieldPath?
    package var track: FieldPath?
    package var fields: [PersonName] = []
  }
}

extension TableMap.People {
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
    fields = try names.fieldNames(
      allowed: "what a person's fields have in common, with * for the rest",
      remedy: "write, for example, [p1_*, p2_*], [*_1, *_2] or [person1, person2]")
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

struct PeopleReader {
  private let people: TableMap.People
  private let beside: [FieldPath]
  private let pointKey: String?
  private var list: FieldReader
  private var track: FieldReader?
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

  mutating func split(
    _ frame: JSONNode
  ) -> (nobody: JSONNode, people: [(frame: JSONNode, id: String?)]) {
    guard people.fields.isEmpty else { return splitFields(of: frame) }
    let elements = list.field(of: frame)?.children ?? []
    let groups = pointKey.map { points(of: elements, $0) } ?? elements.indices.map { [$0] }
    func with(_ indices: [Int]) -> JSONNode {
      var result = frame.replacing(
        people.list.steps[...], JSONNode(.list(indices.map { elements[$0] }), line: frame.line))
      for path in beside where pointKey == nil {
        guard let others = path.node(in: frame)?.children, others.count == elements.count else {
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
    let plan = fields.flatMap { $0.keys == keys ? $0 : nil } ?? PersonFields(keys, people.fields)
    fields = plan
    let split = plan.split(values, line: frame.line)
    func with(_ one: JSONNode) -> JSONNode { frame.replacing(people.list.steps[...], one) }
    return (with(split.nobody), split.people.map { (with($0), nil) })
  }

  /// Groups points by person: points with the same track belong to one person.
  ///
  /// Without tracks, a point whose name occurs again belongs to the next person.
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
  var pointPath: FieldPath? { if case .point(let path) = self { path } else { nil } }

  var paths: [FieldPath] {
    switch self {
    case .point(let path): [path]
    case .fields(let paths): paths
    }
  }
}

extension JSONNode {
  var children: [JSONNode] {
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

/// The common pattern of one person's field names: `p1_*`, `*_1`, `*_1_*`, or a field `person1`.
package struct PersonName: Hashable, Sendable {
  let name: String
  let hasStart: Bool
  let hasEnd: Bool

  static let wholeKey = "person"

  init(_ name: String, hasStart: Bool = false, hasEnd: Bool = false) {
    (self.name, self.hasStart, self.hasEnd) = (name, hasStart, hasEnd)
  }

  init?(text: String) {
    let start = text.hasPrefix("*") ? text.dropFirst() : text[...]
    let name = start.hasSuffix("*") ? start.dropLast() : start
    guard !name.isEmpty, !name.contains("*") else { return nil }
    self.init(String(name), hasStart: text.hasPrefix("*"), hasEnd: start.hasSuffix("*"))
  }

  var text: String { (hasStart ? "*" : "") + name + (hasEnd ? "*" : "") }

  func field(_ key: String) -> String? {
    switch (hasStart, hasEnd) {
    case (false, false): return key == name ? Self.wholeKey : nil
    case (false, true):
      return key.hasPrefix(name) && key != name ? String(key.dropFirst(name.count)) : nil
    case (true, false):
      return key.hasSuffix(name) && key != name ? String(key.dropLast(name.count)) : nil
    case (true, true):
      guard let range = key.ranges(of: name).last, range.lowerBound > key.startIndex,
        range.upperBound < key.endIndex
      else { return nil }
      return key[..<range.lowerBound] + String(name.suffix(1)) + key[range.upperBound...]
    }
  }
}

struct PersonFields {
  let keys: [String]
  private let common: [Int]
  private let own: [(key: String, places: [Int?])]
  private let count: Int

  init(_ keys: [String], _ names: [PersonName]) {
    self.keys = keys
    count = names.count
    var common: [Int] = []
    var own: [(key: String, places: [Int?])] = []
    var slots: [String: Int] = [:]
    for (place, key) in keys.enumerated() {
      let found = names.indices.lazy.compactMap { person in
        names[person].field(key).map { (person, $0) }
      }.first
      guard let (person, field) = found else {
        common.append(place)
        continue
      }
      let slot = slots[field] ?? own.count
      if slot == own.count {
        slots[field] = slot
        own.append((field, names.map { _ in nil }))
      }
      own[slot].places[person] = place
    }
    self.common = common.filter { slots[keys[$0]] == nil }
    self.own = own
  }

  func split(_ values: [JSONNode], line: Int) -> (nobody: JSONNode, people: [JSONNode]) {
    func node(_ person: Int?) -> JSONNode {
      let fields = own.map { field in
        person.flatMap { field.places[$0] }.map { values[$0] } ?? JSONNode(.null, line: line)
      }
      return JSONNode(
        fields: common.map { (keys[$0], values[$0]) } + zip(own.map(\.key), fields), line: line)
    }
    let present = (0..<count).filter { person in
      own.contains { field in field.places[person].map { !values[$0].isVoid } ?? false }
    }
    return (node(nil), present.map { node($0) })
  }
}

extension JSONNode {
  fileprivate var isVoid: Bool {
    switch content {
    case .list, .object: children.allSatisfy(\.isEmpty)
    default: isEmpty
    }
  }
}

struct FollowedPeople {
  enum Way {
    case place, points, shape
  }

  private(set) var tracks: [PersonTrack] = []
  private(set) var shared = 0
  private let numbers: [[Int]]
  private var way: Way?
  private var hasIds = false

  init(numbers: [Int?]) { self.numbers = numbers.map { $0.map { [$0] } ?? [] } }

  init(_ people: [[ImagePerson]], ids: [[String?]], numbers: [[Int]], times: [Double], way: Way) {
    self.numbers = numbers
    self.way = way
    shared = people.count { $0.count > 1 }
    hasIds = ids.contains { $0.contains { $0 != nil } }
    guard shared > 0 else { return }
    // Widely spaced images get shorter intervals, so that the tracker's time limit does not apply.
    let steps = times.steps
    let step = steps.median ?? 0
    let usual = FrameTiming.longestGap / 4
    let scaled = step > usual ? times.map { $0 * usual / step } : times
    tracks = Self.joined(PersonTracker.tracks(of: people, times: scaled, ids: ids))
  }

  var count: Int { tracks.count }

  func chosen(_ options: TableOptions) throws -> [[(key: Int, value: Int?)]] {
    guard !tracks.isEmpty else {
      guard options.person ?? 1 == 1 else { throw unknown(options.person) }
      return [self.numbers.enumerated().map { ($0.offset, $0.element.first) }]
    }
    func places(_ track: PersonTrack) -> [(key: Int, value: Int?)] {
      self.numbers.indices.map { image in
        (image, track.numbers[image].map { self.numbers[image][$0] })
      }
    }
    if options.isEveryone { return tracks.map(places) }
    let index = (options.person ?? 1) - 1
    guard tracks.indices.contains(index) else { throw unknown(options.person) }
    return [places(tracks[index])]
  }

  private func unknown(_ person: Int?) -> PoseSourceError {
    let count = max(1, tracks.count)
    return .invalidOption(
      "--person", found: "\(person ?? 0)",
      allowed: count == 1
        ? "1, because one person is visible" : "1 to \(count), the most prominent first")
  }

  func notes(_ options: TableOptions, _ index: Int) -> [String] {
    let number = options.isEveryone ? index : (options.person ?? 1) - 1
    guard tracks.indices.contains(number) else { return [] }
    let track = tracks[number]
    var notes = [
      summary + "; the one imported is "
        + (number == 0 ? "the most prominent one" : "person \(number + 1)")
        + ", seen in \(CountText.of(track.images.count, "frame"))"
        + (options.isEveryone ? "" : "; --person imports another one, --everyone all")
    ]
    if let image = track.jumps.first {
      notes.append(
        "the person jumps in \(CountText.of(track.jumps.count, "frame")), first in frame \(image): "
          + "from then on, it may be someone else")
    }
    if let image = track.returns.first {
      notes.append(
        "the person was lost \(CountText.of(track.returns.count, "time")), first before frame "
          + "\(image), and the next person seen there is assumed to be the same")
    }
    return notes
  }

  var summary: String {
    "\(CountText.of(tracks.count, "person", plural: "people")) seen, more than one in \(shared) of "
      + "\(CountText.of(numbers.count, "frame")), tracked \(wayText)"
  }

  var wayText: String {
    if hasIds { return "by the person numbers in the file" }
    return switch way {
    case .place: "by their points in the image"
    case .shape: "only by body shape, since every body has its own origin; check the result"
    default: "by place"
    }
  }

  var isByShape: Bool { !hasIds && way == .shape }

  private static let mostNeighbors = 40

  /// Joins tracks if one begins near where another one ended, the nearest pairs first.
  ///
  /// After that, a new track continues that of a missing person, if exactly one person is missing
  /// or if one is by far the most prominent.
  static func joined(_ tracks: [PersonTrack]) -> [PersonTrack] {
    let pieces = tracks.compactMap { track in track.images.keys.min().map { (first: $0, track) } }
      .sorted { ($0.first, $0.1.last) < ($1.first, $1.1.last) }
    var links: [(from: Int, to: Int, distance: Double)] = []
    for (index, (first, track)) in pieces.enumerated() {
      for before in (0..<index).reversed().prefix(mostNeighbors) {
        let other = pieces[before].1
        guard other.last < first, let distance = distance(other, track, first),
          distance <= PersonTracker.farthest
        else { continue }
        links.append((before, index, distance))
      }
    }
    var next: [Int: Int] = [:]
    var isFound = pieces.map { _ in false }
    for link in links.sorted(by: { ($0.distance, $0.to, $0.from) < ($1.distance, $1.to, $1.from) })
    where next[link.from] == nil && !isFound[link.to] {
      next[link.from] = link.to
      isFound[link.to] = true
    }
    var chains: [(first: Int, track: PersonTrack)] = []
    for index in pieces.indices where !isFound[index] {
      var chain = pieces[index].1
      var current = index
      while let following = next[current] {
        chain.append(pieces[following].1, from: pieces[following].first)
        current = following
      }
      chains.append((pieces[index].first, chain))
    }
    return PersonTracker.byProminence(withReturns(chains))
  }

  private static func withReturns(_ chains: [(first: Int, track: PersonTrack)]) -> [PersonTrack] {
    var whole: [PersonTrack] = []
    for (first, track) in chains {
      let missing = whole.indices.suffix(mostNeighbors).filter { whole[$0].last < first }
        .map { (index: $0, prominence: whole[$0].prominence) }
        .sorted { $0.prominence > $1.prominence }
      guard let most = missing.first,
        missing.count == 1 || most.prominence > 3 * missing[1].prominence,
        distance(whole[most.index], track, first) != nil
      else {
        whole.append(track)
        continue
      }
      whole[most.index].append(track, from: first)
    }
    return whole
  }

  private static func distance(_ one: PersonTrack, _ next: PersonTrack, _ first: Int) -> Double? {
    guard let lost = one.images[one.last], let found = next.images[first],
      lost.isOfSimilarSize(to: found)
    else { return nil }
    return lost.distance(to: found)
  }
}
