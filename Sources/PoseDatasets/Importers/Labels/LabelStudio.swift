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
      let done = annotations.filter { $0["was_cancelled"]?.content != .boolean(true) }
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
  static func isRelation(_ node: JSONNode) -> Bool {
    node["type"]?.text == "relation" && node["from_id"] != nil
  }

  private static func labels(_ node: JSONNode) -> [String]? {
    for key in labelKeys {
      guard let labels = node[key]?.elements?.mapAll(\.text), !labels.isEmpty else { continue }
      if key != "choices" || labels.allSatisfy({ LabelWords.form($0) != nil }) { return labels }
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
  mutating func readLabels(_ nodes: [JSONNode], _ context: Context, at place: SourcePlace) -> Bool {
    let labels = nodes.map { $0.text ?? "" }
    let isNamed = context.path.last.map { name($0).isUsualLabel }
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

  mutating func readTriple(_ node: JSONNode, _ context: Context, at place: SourcePlace?) -> Bool {
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

/// Reads an object with a start, an end and a label.
extension LabelJSON {
  mutating func readSegment(
    _ keys: [String], _ values: [JSONNode], _ context: Context, _ place: SourcePlace
  ) throws -> Bool {
    let names = keys.map { name($0) }
    func time(_ role: ColumnName.Role, beside unit: LabelUnit? = nil) -> (
      index: Int, time: RawTime
    )? {
      for unit in LabelColumns.units(beside: unit) {
        for index in names.indices where names[index].role == role && names[index].unit == unit {
          if let time = Self.time(values[index]) { return (index, time) }
        }
      }
      return nil
    }
    guard let (word, labelIndex) = label(names, values) else { return false }
    let side = values.enumerated().lazy.filter { $0.offset != labelIndex }
      .compactMap(\.element.text).first(where: LabelWords.isSide)
    let label = LabelWords.label(word, side: side ?? "")
    let start = time(.start) ?? time(.time)
    let unit = start.flatMap { names[$0.index].unit }
    let end = time(.end, beside: unit)
    let length = end == nil ? time(.duration, beside: unit) : nil
    var row: LabelRow
    var isMoment = false
    if let start, let last = end ?? length {
      let first = try seconds(start, beside: names[last.index].unit, keys, context, place)
      let second = try seconds(last, beside: unit, keys, context, place)
      guard let sum = end == nil ? first.adding(second) : second else {
        throw place.unexpected(
          "`\(keys[last.index])` of `\(label.prefix(40))`", values[last.index].summary,
          "a time in the unit of the start, for example 12.5 or \"00:00:12.500\"")
      }
      try requireNoTwin(of: start, names, values, place)
      if end != nil { try requireNoTwin(of: last, names, values, place) }
      row = self.row(label, first, sum, context, place)
      if first.number != nil || sum.number != nil { insert(unit ?? names[last.index].unit) }
    } else if let (start, end, unit) = Self.segment(values, names) {
      row = self.row(label, start, end, context, place)
      insert(unit)
    } else if let start, let open = names.firstIndex(where: { $0.role == .end }),
      values[open].content == .null
    {
      row = self.row(label, start.time, start.time, context, place)
      row.isOpen = true
      insert(unit)
    } else {
      try requireNoTimes(names, values, label, place)
      guard let start else { return false }
      row = self.row(label, start.time, start.time, context, place)
      row.isOpen = names[start.index].role == .start
      isMoment = true
      kinds.append(
        zip(values.indices, values).lazy.filter { $0.0 != labelIndex }
          .compactMap { $0.1.text.flatMap { LabelEvents.Kind($0) } }.first)
      insert(unit)
    }
    if let form = try form(keys, values, besides: labelIndex, place) { row.add(form: form) }
    var party = context.party
    for (name, value) in zip(names, values) where isOfParty(name) && !name.isOfAnnotator {
      guard let text = Self.word(value) else { continue }
      party += (party.isEmpty ? "" : "-") + text
      parties.insert(name.name)
    }
    row.parties = [party]
    noteUnread(names, values, but: labelIndex, isSideRead: label != word)
    if isMoment {
      moments.append(row)
      return false
    }
    noteOrigin(of: row, start.flatMap { names[$0.index] }, context)
    rows.append(row)
    return true
  }

  private func form(
    _ keys: [String], _ values: [JSONNode], besides label: Int, _ place: SourcePlace
  ) throws -> String? {
    var forms: [String] = []
    for (index, value) in values.enumerated() where index != label {
      if formKeys.contains(keys[index]) {
        forms += ([value] + value.children).compactMap(\.text)
      } else if let form = LabelWords.form(keys[index]) {
        let mark = value.content == .null ? false : LabelShapes.mark(value.text ?? "?")
        guard mark != nil || !LabelWords.namesForm(keys[index]) else {
          throw place.unexpected(
            "`\(keys[index])`", "\(value.summary), which may not be a mark",
            "true where a label has this form and false elsewhere, or the field another name")
        }
        if mark == true { forms.append(form.name) }
      }
      guard case .object(let keys, let values) = value.content else { continue }
      forms += zip(keys, values).filter { formKeys.contains($0.0) }.compactMap { $0.1.text }
    }
    return LabelWords.joined(forms.filter { !$0.isEmpty })
  }

  private mutating func insert(_ unit: LabelUnit?) { units.insert(unit == .time ? nil : unit) }

  private func seconds(
    _ time: (index: Int, time: RawTime), beside other: LabelUnit?, _ keys: [String],
    _ context: Context, _ place: SourcePlace
  ) throws -> RawTime {
    let own = names[keys[time.index]]?.unit
    let unit = own ?? (fractions.contains(keys[time.index]) ? .seconds : other)
    let isOther = own != nil && own != other || own == nil && unit != other
    guard let value = time.time.number, isOther, let unit, unit != .time else { return time.time }
    guard let factor = unit.seconds ?? context.rate.map({ 1 / $0 }) else {
      throw place.unexpected(
        "`\(keys[time.index])`", "a number of frames without a rate",
        "the frames per second as a field `fps`")
    }
    return .seconds(roundedToMicroseconds(value * factor))
  }

  static let usuallyRead = usualRecordings + LabelColumns.usualTiers

  private mutating func noteUnread(
    _ names: [ColumnName], _ values: [JSONNode], but label: Int, isSideRead: Bool
  ) {
    for (index, name) in names.enumerated() where index != label && name.role == nil {
      guard let text = values[index].text, RawTime(text) == nil, LabelEvents.Kind(text) == nil,
        !(isSideRead && LabelWords.isSide(text)),
        !name.isOfParty, !name.isOfUnit, !formKeys.contains(name.name),
        LabelWords.form(name.name) == nil, !LabelReview.isVerdict(name),
        !Self.usuallyRead.contains(where: name.isNamed)
      else { continue }
      unread[name.name, default: []].insert(text)
    }
  }

  private func isOfParty(_ name: ColumnName) -> Bool {
    name.isOfParty && !LabelColumns.usualRecordings.contains(where: name.isNamed)
      && !name.isUsualLabel
  }

  /// Throws if an object has a start and an end but one cannot be read, because leaving it out
  /// would lose a label.
  private func requireNoTimes(
    _ names: [ColumnName], _ values: [JSONNode], _ label: String, _ place: SourcePlace
  ) throws {
    let starts = names.indices.filter { names[$0].role == .start }
    let ends = names.indices.filter { names[$0].role == .end || names[$0].role == .duration }
    guard let index = starts.first, let end = ends.first else { return }
    let bad = Self.time(values[index]) == nil ? index : end
    throw place.unexpected(
      "`\(names[bad].name)` of `\(label.prefix(40))`", values[bad].summary,
      "a time\(bad == end ? " in the unit of the start" : ""), for example 12.5 or "
        + "\"00:00:12.500\"")
  }

  static func time(_ node: JSONNode) -> RawTime? {
    switch node.content {
    case .number(let value): value.isFinite ? .number(value) : nil
    case .text(let text): RawTime(text)
    default: nil
    }
  }

  func label(_ names: [ColumnName], _ values: [JSONNode]) -> (String, Int)? {
    let wanted = wanted.label?.lowercased()
    let usual = names.indices(named: LabelColumns.usualLabels)
    let likely =
      usual.filter { classKeys.contains(names[$0].name) }
      + names.indices.filter { names[$0].name == foundKey } + usual
    for index in wanted.map({ key in names.indices.filter { names[$0].name.lowercased() == key } })
      ?? likely
    {
      if let text = values[index].text { return (text, index) }
      if let list = values[index].elements, list.count == 1, let text = list[0].text {
        return (text, index)
      }
    }
    return nil
  }

  static func segment(
    _ values: [JSONNode], _ names: [ColumnName]
  ) -> (RawTime, RawTime, LabelUnit?)? {
    for unit in LabelColumns.units(beside: nil) {
      for (name, value) in zip(names, values) where name.isOfRange && name.unit == unit {
        guard let list = value.elements, list.count == 2, let start = time(list[0]),
          let end = time(list[1])
        else { continue }
        return (start, end, unit)
      }
    }
    return nil
  }
}
