import PoseModel
import PoseRecording

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
