import PoseModel
import PoseRecording

/// Reads Label Studio's tasks: `timelinelabels` in frames, and regions of audio, video and time
/// series.
extension LabelJSON {
  private static let labelKeys = [
    "timelinelabels", "labels", "timeserieslabels", "videolabels", "choices",
  ]

  mutating func readLabelStudio(
    _ node: JSONNode, _ context: Context, _ place: SourcePlace
  ) throws -> Bool {
    if case .object? = node["data"]?.content,
      let annotations = (node["annotations"] ?? node["completions"])?.elements
    {
      let done = annotations.filter { annotation in
        annotation["was_cancelled"]?.content != .boolean(true)
      }
      guard done.count <= 1 else {
        throw place.unusable(
          "this task has \(CountText.of(done.count, "annotation"))",
          "keep only one, and export again")
      }
      for annotation in done { try read(annotation, context) }
      return true
    }
    if Self.isRelation(node) { return true }
    if node["shapes"]?.elements?.contains(where: { $0["outside"] != nil }) ?? false {
      throw place.unusable(
        "this is CVAT's own JSON, whose tracks are not read",
        "export the task from CVAT as `CVAT for video` (XML)")
    }
    guard let labels = Self.labels(node) else { return false }
    if let list = node["ranges"]?.elements {
      isLabelStudio = true
      for range in list {
        guard let start = range["start"]?.number, let end = range["end"]?.number else {
          throw place.unexpected(
            "a range of `\(labels[0].prefix(40))`", range.summary, "numbers for `start` and `end`")
        }
        append(labels, .number(start), .number(end), .frames, context, place)
      }
      return true
    }
    if let list = node["sequence"]?.elements {
      readSequence(list, labels, until: node["duration"]?.number, context, place)
      return true
    }
    let times = ["start", "end"].map { node[$0] }
    guard times.contains(where: { $0 != nil }) else { return false }
    guard let start = times[0].flatMap(Self.time), let end = times[1].flatMap(Self.time) else {
      let isStart = times[0].flatMap(Self.time) == nil
      throw place.unexpected(
        "`\(isStart ? "start" : "end")` of `\(labels[0].prefix(40))`",
        times[isStart ? 0 : 1]?.summary ?? "missing", "seconds, or times such as 0:12.5")
    }
    append(labels, start, end, node["timeserieslabels"] == nil ? .seconds : nil, context, place)
    return true
  }

  /// Whether the object relates two regions, with their names as `from_id` and `to_id`.
  static func isRelation(_ node: JSONNode) -> Bool { node["type"]?.text == "relation" }

  private static func labels(_ node: JSONNode) -> [String]? {
    for key in labelKeys {
      guard let list = node[key]?.elements else { continue }
      let labels = list.compactMap(\.text)
      let isKnown = key != "choices" || labels.allSatisfy { LabelWords.form($0) != nil }
      if labels.count == list.count, !labels.isEmpty, isKnown { return labels }
    }
    return nil
  }

  private mutating func readSequence(
    _ list: [JSONNode], _ labels: [String], until end: Double?, _ context: Context,
    _ place: SourcePlace
  ) {
    var start: Double?
    for frame in list {
      guard let time = frame["time"]?.number else { continue }
      let isEnabled = frame["enabled"]?.content != .boolean(false)
      if isEnabled {
        start = start ?? time
      } else if let first = start {
        append(labels, .number(first), .number(time), .seconds, context, place)
        start = nil
      }
    }
    if let first = start, let end {
      append(labels, .number(first), .number(end), .seconds, context, place)
    }
  }
}

/// Reads lists instead of objects: labels of frames, triples such as `[0, 1.5, "high"]`, and
/// columns as pandas writes them.
extension LabelJSON {
  mutating func readLabels(
    _ nodes: [JSONNode], _ context: Context, at place: SourcePlace
  ) -> Bool {
    let labels = nodes.map { $0.text ?? "" }
    let isNamed = context.path.last.map { key in
      LabelColumns.usualLabels.contains(where: name(key).isNamed)
    }
    guard labels.count > 2, nodes.allSatisfy({ $0.text != nil || $0.content == .null }),
      isNamed ?? true, Set(labels).allSatisfy({ $0.isEmpty || LabelWords.target($0) != nil })
    else { return false }
    var context = context
    context.list = Array(context.path.dropLast())
    for (index, label) in labels.enumerated() {
      let time = RawTime.number(Double(index))
      moments.append(row(label, time, time, context, place))
    }
    units.insert(.frames)
    return true
  }

  mutating func readTriple(
    _ node: JSONNode, _ context: Context, at place: SourcePlace?
  ) -> Bool {
    guard let list = node.elements, list.count == 3, let label = list[2].ownText,
      Double(decimal: label) == nil,
      let start = Self.time(list[0]), let end = Self.time(list[1])
    else { return false }
    let place = place ?? SourcePlace(file: file, line: node.line)
    append([label], start, end, nil, context, place)
    return true
  }

  mutating func readColumns(
    _ node: JSONNode, _ keys: [String], _ values: [JSONNode], _ context: Context
  ) throws -> Bool {
    var keys = keys
    var columns = values.map(\.children)
    if let names = node["columns"].map(\.children),
      let rows = node["data"].map(\.children)?.map(\.children),
      rows.allSatisfy({ $0.count == names.count })
    {
      keys = names.map { $0.text ?? "" }
      columns = names.indices.map { column in rows.map { $0[column] } }
    }
    let roles = keys.map { name($0).role }
    guard let start = roles.firstIndex(of: .start), columns[start].count > 0 else { return false }
    let count = columns[start].count
    let used = keys.indices.filter { columns[$0].count == count }
    guard used.contains(where: { roles[$0] == .end || roles[$0] == .duration }) else {
      return false
    }
    let usedKeys = used.map { keys[$0] }
    for row in 0..<count {
      let line = columns[start][row].line
      let object = JSONNode.Content.object(keys: usedKeys, values: used.map { columns[$0][row] })
      try read(JSONNode(object, line: line), context, at: SourcePlace(file: file, line: line))
    }
    return true
  }
}
