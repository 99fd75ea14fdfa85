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
    if layout.recordings == nil { layout.recordings = try search.bodies() }
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

  enum Kind { case point, number, container }

  private static func nested(_ text: JSONText) throws -> PoseTable.Layout {
    var layout = PoseTable.Layout()
    guard let root = text.roots.first else { return layout }
    if let elements = try text.elements(of: root), elements.count > 1 { return layout }
    var lists: [(list: JSONText.FoundList, kind: Kind)] = []
    for list in try text.lists() where list.elements.count > 1 {
      lists.append((list, kind(of: try text.node(list.elements[0]))))
    }
    if let keyed = try keyedObject(text, root, FieldPath(), depth: 0) {
      let longest = lists.map(\.list.elements.count).max() ?? 0
      if keyed.count > longest {
        layout.frames = keyed.path.steps.isEmpty ? nil : keyed.path
        return layout
      }
    }
    let containers = lists.filter { $0.kind == .container && !isPeople($0.list.path, $0.list) }
    if let longest = containers.max(by: { $0.list.elements.count < $1.list.elements.count }) {
      let count = longest.list.elements.count
      if lists.count(where: { $0.list.elements.count == count }) > 1 {
        layout.kind = .columns
      } else {
        layout.frames = longest.list.path
      }
      return layout
    }
    let named = lists.filter { list in
      list.list.path.steps.contains {
        if case .key(let key) = $0 { JointNames.isJoint(key) } else { false }
      }
    }
    if let count = named.map(\.list.elements.count).max(), named.count >= 8, count > 4 {
      layout.kind = .columns
    }
    return layout
  }

  static func isContainer(_ element: JSONNode) -> Bool { kind(of: element) == .container }

  private static func isPeople(_ path: FieldPath, _ list: JSONText.FoundList) -> Bool {
    list.elements.count <= 20
      && ["people", "persons", "instances", "skeletons", "detections", "predictions"]
        .contains(path.lastKey.lowercased())
  }

  private static func kind(of element: JSONNode) -> Kind {
    switch element.content {
    case .object(let keys, let values):
      let numbers = zip(keys, values).filter { $0.1.isEmpty || $0.1.number != nil }.map(\.0)
      let names = Set(numbers.map { $0.lowercased() })
      return names.isSuperset(of: ["x", "y"]) ? .point : .container
    case .list(let elements):
      let isPoint = elements.count <= 4 && elements.allSatisfy { $0.isEmpty || $0.number != nil }
      return isPoint ? .point : .container
    default: return .number
    }
  }

  private static func keyedObject(
    _ text: JSONText, _ element: TableElement, _ path: FieldPath, depth: Int
  ) throws -> (path: FieldPath, count: Int)? {
    let members = try text.members(of: element)
    if FrameKeys.order(of: members.map(\.0)) != nil, members.count > 1 {
      return kind(of: try text.node(members[0].1)) == .container ? (path, members.count) : nil
    }
    guard depth < 3 else { return nil }
    for (key, member) in members {
      if let found = try keyedObject(text, member, path.appending(.key(key)), depth: depth + 1) {
        return found
      }
    }
    return nil
  }

  private static func grouped(
    _ layout: PoseTable.Layout, _ content: TableContent
  ) throws -> PoseTable.Layout? {
    let table = try PoseTable([content], layout: layout)
    guard table.count > 4 else { return nil }
    let keys = try table.frame(0).objectKeys
    let names = Set(keys.map { $0.lowercased() })
    // The first row shows this, so the other rows of a wide table need not be read.
    guard names.isSuperset(of: ["x", "y"]) || names.contains("position") else { return nil }
    let rows = try (0..<min(table.count, sampleSize)).map(table.frame)
    guard let nameKey = keys.first(where: { isName($0, of: rows) }) else { return nil }
    let used: Set<String> = ["x", "y", "z", nameKey.lowercased()]
    var best: (key: String, runs: Int)?
    for key in keys where !used.contains(key.lowercased()) && !ImageRows.isTrackName(key) {
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
    let values = rows.compactMap { $0[key]?.text }
    guard values.count == rows.count, Set(values).count > 4 else { return false }
    if values.count(where: JointNames.isJoint) * 10 >= 3 * values.count { return true }
    return (ImageRows.isPointName(key) || counts(values))
      && values.allSatisfy { Int($0).map { (0..<133).contains($0) } ?? false }
  }
}

extension LayoutSearch {
  /// Whether values count from 0 to the last point of a detector again and again.
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

// Finds points whose coordinates are in lists of their own: all x, then all y.
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

  /// Finds `{x: [...], y: [...], confidence: [...]}` and returns the keys that are these lists.
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

  /// Finds `[[x, x, ...], [y, y, ...]]`, also with a third and a fourth list.
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
    guard case .list(let elements) = node.content, (fewestInBlock...400).contains(elements.count),
      elements.allSatisfy({ $0.isEmpty || $0.number != nil }),
      elements.contains(where: { $0.number != nil })
    else { return nil }
    return elements.count
  }

  /// A row of numbers with a few texts around them, such as the name of an image and a label.
  static func numbersBetweenTexts(_ elements: [JSONNode], _ path: FieldPath) -> NumberList? {
    let skip = elements.prefix { $0.number == nil && $0.isScalar }.count
    let rest = elements.dropFirst(skip)
    let numbers = rest.prefix { $0.isEmpty || $0.number != nil }
    let texts = elements.count - numbers.count
    guard texts <= 4, numbers.count >= 12, rest.dropFirst(numbers.count).allSatisfy(\.isScalar)
    else { return nil }
    return NumberList(path: path, count: numbers.count, skip: skip)
  }

  /// The numbers at the end of keys that are otherwise equal, such as `kp_0` and `kp_16`.
  static func numbered(_ keys: [String]) -> [String: Int] {
    guard keys.count > fewestInBlock else { return [:] }
    var groups: [String: [(key: String, number: Int)]] = [:]
    for key in keys {
      let digits = key.reversed().prefix { $0.isASCII && $0.isNumber }.count
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
