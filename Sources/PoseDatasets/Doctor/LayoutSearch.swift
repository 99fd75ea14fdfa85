import PoseModel
import PoseRecording

enum LayoutSearch {
  private static let sampleSize = 400

  static func layout(of content: TableContent) throws -> PoseTable.Layout {
    var layout = PoseTable.Layout()
    if case .json(let text) = content {
      if let shape = text.shape {
        layout = shape.layout
        layout.recordings = try RecordingSearch(PoseTable([content], layout: layout)).recordings()
        return layout
      }
      layout = text.roots.count > 1 ? try headed(text) : try nested(text)
    }
    guard layout.kind == .frames, !layout.isFramePerFile, !content.isEmpty else { return layout }
    let search = try RecordingSearch(PoseTable([content], layout: layout))
    layout.recordings = try search.recordings()
    if let grouped = try grouped(layout, content) ?? ImageRows(content, layout)?.layout {
      return grouped
    }
    if layout.recordings == nil { layout.recordings = search.bodies() }
    return layout
  }

  private static func headed(_ text: JSONText) throws -> PoseTable.Layout {
    var layout = PoseTable.Layout()
    guard text.roots.count > 2 else { return layout }
    let keys = try text.roots.prefix(3).map { Set(try text.node($0).objectKeys) }
    if keys[0].intersection(keys[1]).count * 3 < keys[0].count, keys[1] == keys[2] {
      layout.skip = 1
    }
    return layout
  }

  private static func nested(_ text: JSONText) throws -> PoseTable.Layout {
    var layout = PoseTable.Layout()
    guard let root = text.roots.first else { return layout }
    if let elements = try text.elements(of: root), elements.count > 1 { return layout }
    let lists = try text.lists().filter { $0.elements.count > 1 }
    let containers = try lists.filter { list in
      try isContainer(text.node(list.elements[0])) && !isPeople(list)
    }
    if let keyed = try keyedObjects(text, root, FieldPath(), depth: 0).first {
      let longest = lists.map(\.elements.count).max() ?? 0
      if keyed.count > longest {
        layout.frames = keyed.path.steps.isEmpty ? nil : keyed.path
        return layout
      }
    }
    if let longest = containers.max(by: { $0.elements.count < $1.elements.count }) {
      let count = longest.elements.count
      if lists.count(where: { $0.elements.count == count }) > 1 {
        layout.kind = .columns
      } else {
        layout.frames = longest.path
      }
      return layout
    }
    let named = lists.filter {
      $0.path.steps.compactMap(\.name).contains(where: JointNames.isJoint)
    }
    if let count = named.map(\.elements.count).max(), named.count >= 8, count > 4 {
      layout.kind = .columns
    }
    return layout
  }

  private static func isPeople(_ list: JSONText.FoundList) -> Bool {
    list.elements.count <= 20
      && ["people", "persons", "instances", "skeletons", "detections", "predictions"]
        .contains(list.path.lastKey.lowercased())
  }

  /// Whether the value is neither a number nor a point.
  static func isContainer(_ element: JSONNode) -> Bool {
    switch element.content {
    case .object(let keys, let values):
      let numbers = zip(keys, values).filter { $0.1.isEmpty || $0.1.number != nil }.map(\.0)
      return !Set(numbers.map { $0.lowercased() }).isSuperset(of: ["x", "y"])
    case .list(let elements):
      return elements.count > 4 || !elements.allSatisfy { $0.isEmpty || $0.number != nil }
    default: return false
    }
  }

  struct KeyedObject {
    let path: FieldPath
    let count: Int
    let isOfBodies: Bool
  }

  private static let fewestInSession = 30
  private static let deepestKeys = 5

  /// The objects whose members are frames, in the order of the file.
  static func keyedObjects(
    _ text: JSONText, _ element: TableElement, _ path: FieldPath, depth: Int
  ) throws -> [KeyedObject] {
    let members = try text.members(of: element)
    var own: KeyedObject?
    var place = 0
    if let order = FrameKeys.frames(among: members.map(\.0)), order.count > 1 {
      place = order[0]
      if isContainer(try text.node(members[place].1)) {
        let isOfBodies = PeopleSearch.isBody(try text.frame(members[place].1))
        own = KeyedObject(path: path, count: order.count, isOfBodies: isOfBodies)
      } else if order.count == members.count {
        return []
      }
    }
    if own == nil, let documents = try KeyedDocuments(members, in: text) {
      own = KeyedObject(path: path, count: documents.count, isOfBodies: true)
    }
    func inside(_ members: some Sequence<(String, TableElement)>) throws -> [KeyedObject] {
      guard depth < deepestKeys else { return [] }
      return try members.flatMap { key, member in
        try keyedObjects(text, member, path.appending(.key(key)), depth: depth + 1)
      }
    }
    guard let own else { return try inside(members) }
    // The keys of a few sessions or users, each with frames, are no frames.
    let holdsFrames = try inside([members[place]]).contains {
      $0.isOfBodies && $0.count >= max(fewestInSession, own.count)
    }
    return holdsFrames ? try inside(members) : [own]
  }

  private static func grouped(
    _ layout: PoseTable.Layout, _ content: TableContent
  ) throws -> PoseTable.Layout? {
    let table = try PoseTable([content], layout: layout)
    guard table.count > 4 else { return nil }
    let (keys, values) = (try table.frame(0).objectKeys, try table.frame(0).fields.map(\.1))
    let coordinates = FieldSearch.coordinates(keys, values) ?? []
    // The first row suffices, so the other rows of a wide table need not be read.
    guard !coordinates.isEmpty || keys.contains(where: { $0.lowercased() == "position" }) else {
      return nil
    }
    let rows = try (0..<min(table.count, sampleSize)).map(table.frame)
    guard let nameKey = keys.first(where: { isName($0, of: rows) }) else { return nil }
    let used = Set(coordinates + [nameKey])
    var best: (key: String, runs: Int)?
    for key in keys where !used.contains(key) && !ImageRows.isTrackName(key) {
      let values = rows.map { $0[key]?.text }
      guard values.allSatisfy({ $0 != nil }) else { continue }
      let runs = 1 + zip(values.dropFirst(), values).count { $0 != $1 }
      let distinct = Set(values).count
      guard distinct > 1, runs < rows.count, runs == distinct else { continue }
      if runs > best?.runs ?? 0 { best = (key, runs) }
    }
    var result = layout
    let time = [
      "frame", "frame_id", "timestamp", "time", "t", "image_id", "timestamp_ms", "time_ms",
    ]
    guard let group = best?.key ?? keys.first(where: { time.contains($0.lowercased()) }) else {
      return nil
    }
    result.kind = .rows
    result.group = FieldPath([.key(group)])
    return result
  }

  private static func isName(_ key: String, of rows: [JSONNode]) -> Bool {
    guard let values = rows.mapAll({ $0[key]?.text }), Set(values).count > 4 else { return false }
    if values.count(where: JointNames.isJoint) * 10 >= 3 * values.count { return true }
    return (ImageRows.isPointName(key) || counts(values))
      && values.allSatisfy { Int($0).map { (0..<133).contains($0) } ?? false }
  }

  private static func counts(_ values: [String]) -> Bool {
    guard values.count > 20, let second = values.dropFirst().firstIndex(of: values[0]),
      JointOrder.all.contains(where: { $0.count == second })
    else { return false }
    let base = Int(values[0]) ?? 2
    return base < 2 && values.indices.allSatisfy { Int(values[$0]) == base + $0 % second }
  }
}

extension JSONNode {
  var objectKeys: [String] {
    if case .object(let keys, _) = content { keys } else { [] }
  }
}

extension FieldSearch {
  private static let fewestInBlock = 5
  private static let blockKeys: [[String]] = [
    ["x", "xs", "x_coords", "px", "posx", "x_list", "kx"],
    ["y", "ys", "y_coords", "py", "posy", "y_list", "ky"],
    ["z", "zs", "z_coords", "pz", "posz", "z_list", "kz"],
    [
      "visible", "visibility", "confidence", "confidences", "conf", "score", "scores", "likelihood",
      "c", "v", "s", "p", "prob", "probability", "presence",
    ],
  ]

  mutating func addBlocks(
    _ keys: [String], _ values: [JSONNode], _ path: FieldPath, _ family: String
  ) -> Set<String> {
    var found: [(axis: Int, key: String)] = []
    var count = 0
    for (axis, words) in Self.blockKeys.enumerated() {
      let match = words.lazy.compactMap { word -> (key: String, count: Int)? in
        guard let place = keys.firstIndex(where: { $0.lowercased() == word }),
          let size = Self.countOfNumbers(values[place])
        else { return nil }
        return (keys[place], size)
      }.first { count == 0 || $0.count == count }
      guard let match else {
        if axis < 2 { return [] }
        continue
      }
      count = match.count
      found.append((axis, match.key))
    }
    guard found.contains(where: { $0.axis == 1 }) else { return [] }
    let dimension = found.count { $0.axis < 3 }
    let hasConfidence = found.contains { $0.axis == 3 }
    addBlock(
      found.map { path.appending(.key($0.key)) }, count, dimension, ["x", "y", "z"], hasConfidence,
      family + "." + found.map(\.key).joined(separator: ", "))
    return Set(found.map(\.key))
  }

  mutating func addBlocks(_ elements: [JSONNode], _ path: FieldPath, _ family: String) -> Bool {
    guard (2...4).contains(elements.count), let count = Self.countOfNumbers(elements[0]),
      elements.allSatisfy({ Self.countOfNumbers($0) == count })
    else { return false }
    addBlock(
      elements.indices.map { path.appending(.element($0)) }, count, min(3, elements.count), [],
      elements.count == 4, family + "[x, y]")
    return true
  }

  private mutating func addBlock(
    _ lists: [FieldPath], _ count: Int, _ dimension: Int, _ coordinates: [String],
    _ hasConfidence: Bool, _ family: String
  ) {
    for index in 0..<count {
      add(
        PointCandidate(
          place: .fields(lists.map { $0.appending(.element(index)) }), label: .index(index),
          family: family, size: dimension, coordinates: Array(coordinates.prefix(dimension)),
          confidence: hasConfidence ? FieldPath() : nil))
    }
  }

  private static func countOfNumbers(_ node: JSONNode) -> Int? {
    guard let elements = node.elements, (fewestInBlock...400).contains(elements.count),
      elements.allSatisfy({ $0.isEmpty || $0.number != nil }),
      elements.contains(where: { $0.number != nil })
    else { return nil }
    return elements.count
  }

  static func numbersBetweenTexts(_ elements: [JSONNode], _ path: FieldPath) -> NumberList? {
    let skip = elements.prefix { $0.number == nil && $0.isScalar }.count
    let rest = elements.dropFirst(skip)
    let numbers = rest.prefix { $0.isEmpty || $0.number != nil }
    let texts = elements.count - numbers.count
    guard texts <= 4, numbers.count >= 12, rest.dropFirst(numbers.count).allSatisfy(\.isScalar)
    else { return nil }
    return NumberList(path: path, count: numbers.count, skip: skip)
  }

  static func numbered(_ keys: [String]) -> [String: Int] {
    guard keys.count > fewestInBlock else { return [:] }
    var groups: [String: [(key: String, number: Int)]] = [:]
    for key in keys {
      let digits = key.trailingDigits
      guard digits > 0, digits < 4, let number = Int(key.suffix(digits)) else { continue }
      groups[String(key.dropLast(digits)), default: []].append((key, number))
    }
    guard let largest = groups.values.max(by: { $0.count < $1.count }),
      largest.count > fewestInBlock
    else { return [:] }
    return Dictionary(largest.map { ($0.key, $0.number) }) { first, _ in first }
  }
}

extension JSONNode {
  var isScalar: Bool {
    switch content {
    case .list, .object: false
    default: true
    }
  }
}

struct RecordingSearch {
  private static let recordings: Set = [
    "camera", "cameraid", "cameraname", "cameraindex", "cameraserial", "cam", "camid", "camname",
    "camindex", "sensor", "sensorid", "device", "deviceid", "devicename", "deviceserial", "view",
    "viewid", "stream", "streamid", "streamname", "video", "videoid", "videoname", "clip", "clipid",
    "clipname", "session", "sessionid", "sessionname", "trial", "trialid", "trialname", "take",
    "takeid", "takename", "recording", "recordingid", "recordingname", "sequence", "sequenceid",
    "sequencename", "movie",
  ]
  private static let files: Set = [
    "file", "filename", "filepath", "path", "source", "sourcefile", "videofile", "videopath",
    "image", "imagename", "imagepath", "imagefile",
  ]
  /// Names of people's fields; people are separate recordings only if their frames are consecutive.
  private static let subjects: Set = [
    "subject", "subjectname", "participant", "participantid", "athlete", "athleteid", "athletename",
    "username", "patient", "patientid", "uid", "useruid", "user", "email",
  ]
  private static let kinds: Set = ["type", "kind", "posetype", "method", "model", "layer"]
  private static let bodies: Set = [
    "trackid", "trackingid", "bodyid", "personid", "playerid", "skeletonid", "userid", "objectid",
    "instanceid", "humanid", "subjectid", "person", "track", "body", "player", "pid", "bodyindex",
    "personindex",
  ]
  /// Names of bodies that also name people, who are separate recordings if long pauses lie between
  /// them.
  private static let users: Set = ["userid", "subjectid", "playerid", "personid"]
  private static let mostRecordings = 1000
  private static let mostBodies = 20
  private static let fewestFrames = 10
  private static let fewestRows = 150
  /// The shortest mean run, in frames, at which a key may mark stretches of a single recording.
  private static let fewestInRun = 5

  private let table: PoseTable
  private let isOfBodies: Bool
  private var fields: [(name: String, path: FieldPath, texts: [String])] = []
  private var clocks: [[Double]] = []

  init(_ table: PoseTable) throws {
    self.table = table
    let first = try table.frame(0)
    isOfBodies = PeopleSearch.isBody(first)
    let names = Self.recordings.union(Self.files).union(Self.subjects).union(Self.kinds)
      .union(Self.bodies)
    let paths = FieldSearch(first).scalars.map(\.path).filter { path in
      path.steps.allSatisfy { $0.name != nil }
    }
    let named = paths.filter { names.contains(Self.letters($0)) }
    guard !named.isEmpty, table.count >= 2 * Self.fewestFrames else { return }
    let times = paths.filter { ClockName($0.lastKey).meaning == .time && !named.contains($0) }
    var readers = (named + times).map { FieldReader($0) }
    var texts: [[String]] = readers.map { _ in [] }
    for index in 0..<table.count {
      let frame = try table.frame(index)
      for place in readers.indices {
        texts[place].append(readers[place].field(of: frame)?.text ?? texts[place].last ?? "")
      }
    }
    fields = zip(named, texts).map { (Self.letters($0), $0, $1) }
    clocks = texts.dropFirst(named.count).compactMap(FrameKeys.times)
  }

  static func isOfBodies(_ field: FieldPath) -> Bool { bodies.contains(letters(field)) }

  func recordings() throws -> FieldPath? {
    try field { name, keys in
      let (runs, count) = (Self.runs(keys), Set(keys).count)
      if Self.subjects.contains(name) { return runs == count }
      if Self.kinds.contains(name) { return try areBodies(keys) }
      if Self.users.contains(name), runs == count, areFarApart(keys) { return true }
      let isLong = keys.count >= Self.fewestInRun * runs
      return !Self.bodies.contains(name) && !(isLong && runsOn(keys))
    }
  }

  func bodies() -> FieldPath? {
    guard isOfBodies else { return nil }
    return field { name, keys in
      let count = Set(keys).count
      return Self.bodies.contains(name) && count <= Self.mostBodies && Self.runs(keys) > 2 * count
    }
  }

  private func field(where fits: (String, [String]) throws -> Bool) rethrows -> FieldPath? {
    for (name, path, texts) in fields {
      if Self.files.contains(name), !RecordingKeys.areFiles(texts) { continue }
      let keys = RecordingKeys.keys(texts)
      let count = Set(keys).count
      let fewest = isOfBodies ? Self.fewestFrames : Self.fewestRows
      guard (2...Self.mostRecordings).contains(count), count * fewest <= keys.count,
        try fits(name, keys)
      else { continue }
      return path
    }
    return nil
  }

  private func runsOn(_ keys: [String]) -> Bool {
    clocks.contains { times in
      let growth = ClockGrowth(times)
      guard growth.isStrict, let step = growth.steps.median else { return false }
      return keys.indices.dropFirst().allSatisfy {
        keys[$0] == keys[$0 - 1] || times[$0] - times[$0 - 1] <= 3 * step
      }
    }
  }

  /// Whether the clock jumps far wherever the key changes.
  private func areFarApart(_ keys: [String]) -> Bool {
    clocks.contains { times in
      guard let step = ClockGrowth(times).steps.median else { return false }
      return keys.indices.dropFirst().allSatisfy {
        keys[$0] == keys[$0 - 1] || (times[$0] - times[$0 - 1]).magnitude > 300 * step
      }
    }
  }

  private func areBodies(_ keys: [String]) throws -> Bool {
    let groups = Dictionary(grouping: keys.indices) { keys[$0] }.values
    let counts = groups.map(\.count)
    guard 5 * (counts.min() ?? 0) >= 4 * (counts.max() ?? 0) else { return false }
    return try groups.allSatisfy { places in
      try places.prefix(Self.fewestFrames).contains { PeopleSearch.isBody(try table.frame($0)) }
    }
  }

  private static func runs(_ keys: [String]) -> Int {
    1 + zip(keys.dropFirst(), keys).count { $0 != $1 }
  }

  private static func letters(_ field: FieldPath) -> String {
    field.lastKey.lowercased().filter(\.isLetter)
  }
}

enum RecordingKeys {
  private static let images: Set = ["jpg", "jpeg", "png", "bmp", "webp", "tif", "tiff"]
  private static let videos: Set = ["mp4", "mov", "m4v", "avi", "mkv", "webm", "mpg", "mts"]

  static func keys(_ texts: [String]) -> [String] {
    guard texts.contains(where: isImage) else { return texts }
    return texts.map { text in
      text.lastIndex { $0 == "/" || $0 == "\\" }.map { String(text[..<$0]) } ?? ""
    }
  }

  static func areFiles(_ texts: [String]) -> Bool {
    texts.prefix(20).allSatisfy { isImage($0) || videos.contains(ending($0)) }
  }

  private static func isImage(_ text: String) -> Bool { images.contains(ending(text)) }

  private static func ending(_ text: String) -> String {
    text.lastIndex(of: ".").map { text[text.index(after: $0)...].lowercased() } ?? ""
  }
}

extension TableExamination {
  mutating func concludeParts() {
    guard let field = table.layout.recordings, table.parts.count > 1 else { return }
    let keys = table.parts.map {
      "\($0.key.prefix(30)) (\(CountText.of($0.frames.count, "frame")))"
    }
    let shown = keys.prefix(4).joined(separator: ", ") + (keys.count > 4 ? " and so on" : "")
    guard RecordingSearch.isOfBodies(field) else {
      return diagnosis.conclude(
        "recordings", "\(CountText.of(keys.count, "recording")), by `\(field.text)`", .likely,
        "its values are \(shown)", alternatives: ["one: without `recordings` in the map"])
    }
    diagnosis.conclude(
      "people",
      "\(keys.count) people in frames of their own, by `\(field.text)`; the one with the "
        + "most frames is imported", .unsure, "its values are \(shown)",
      alternatives: ["--person 2", "--everyone", "one: without `recordings` in the map"])
  }
}
