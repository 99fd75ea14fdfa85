import PoseModel
import PoseRecording

/// Reads segments wherever a JSON text has objects with a start, an end and a label.
///
/// Such texts are Create ML's annotations, Label Studio's exports, and lists of segments by name.
struct LabelJSON {
  private let file: String
  private var wanted = SegmentColumns()
  private var rows: [LabelRow] = []
  private var units: Set<LabelUnit?> = []
  private var isLabelStudio = false
  private var rate: Double?
  /// The names of fields with people or sessions.
  private var parties: Set<String> = []
  /// The names of fields that were already parsed, because objects repeat them.
  private var names: [String: ColumnName] = [:]

  /// What surrounds an object: the recordings that outer objects name, the tier and the depth.
  private struct Context {
    var recordings: [String] = []
    var tier: String?
    var party = ""
    var depth = 0
  }

  private static let deepest = 24
  private static let usualRecordings = LabelColumns.usualRecordings + ["file upload", "audio"]

  static func sheet(
    _ source: NamedText, columns: SegmentColumns = SegmentColumns()
  ) throws -> LabelSheet {
    let text = try JSONText(NamedBytes(name: source.name, bytes: Array(source.text.utf8)))
    var reader = LabelJSON(file: source.name, wanted: columns)
    let top = try text.roots.map(text.node)
    for node in top { try reader.read(node, Context()) }
    guard !reader.rows.isEmpty else {
      throw PoseSourceError.unusableValues(
        name: source.name,
        found: "this is JSON (\(summary(of: top))) without labels in a known format",
        remedy: "give objects with `start`, `end` and `label`, as Create ML or Label Studio write "
          + "them, or a table with these columns")
    }
    return reader.sheet()
  }

  struct Cell {
    let place: SourcePlace
    let text: String
    let recordings: [String]
  }

  static func sheet(ofCells cells: [Cell]) throws -> LabelSheet {
    var reader = LabelJSON(file: cells.first?.place.file ?? "")
    for cell in cells {
      let node = try JSONNode(cell.text, file: cell.place.description)
      try reader.read(node, Context(recordings: cell.recordings), at: cell.place)
    }
    guard !reader.rows.isEmpty else { throw PoseSourceError.emptyTable(file: reader.file) }
    return reader.sheet()
  }

  private func sheet() -> LabelSheet {
    var sheet = LabelSheet(
      file: file, form: isLabelStudio ? "Label Studio's JSON" : "JSON", rows: rows)
    if units.count == 1, let unit = units.first, let unit {
      sheet.unit = unit
      sheet.unitEvidence = isLabelStudio ? "Label Studio's `ranges`" : "the names of the fields"
    }
    sheet.rate = rate
    sheet.parties = parties.isEmpty ? [] : [parties.sorted().joined(separator: ", ")]
    // In Label Studio, frames are counted from 1, and a range includes its last frame.
    if isLabelStudio { (sheet.firstFrame, sheet.includesEnd) = (1, true) }
    return sheet
  }

  // MARK: The walk

  private mutating func read(_ node: JSONNode, _ outer: Context, at place: SourcePlace? = nil)
    throws
  {
    guard outer.depth < Self.deepest else { return }
    var context = outer
    context.depth += 1
    switch node.content {
    case .list(let nodes):
      for node in nodes where !readTriple(node, context, at: place) {
        try read(node, context, at: place)
      }
    case .object(let keys, let values): try read(keys, values, node.line, context, at: place)
    default: return
    }
  }

  private mutating func read(
    _ keys: [String], _ values: [JSONNode], _ line: Int, _ outer: Context, at place: SourcePlace?
  ) throws {
    var context = outer
    let own = recordings(keys, values)
    if !own.isEmpty { context.recordings = own }
    if let name = Self.member("from_name", keys, values)?.text { context.tier = name }
    let place = place ?? SourcePlace(file: file, line: line)
    if try readLabelStudio(keys, values, context, place) { return }
    if try readSegment(keys, values, context, place) { return }
    if try readColumns(keys, values, context) { return }
    for (key, value) in zip(keys, values) where !Self.skipped.contains(key) {
      guard value.number == nil, value.text == nil else { continue }
      var inner = context
      let isFile = key.contains(".") && RecordingName.hasKnownEnding(key)
      if inner.recordings.isEmpty, isFile, Self.isListOfObjects(value) {
        inner.recordings = [key]
      } else if inner.recordings.isEmpty, value.objectKeys.contains("annotations") {
        // The keys of these objects are names of recordings.
        inner.recordings = [key]
      }
      try read(value, inner, at: place.file == file ? nil : place)
    }
  }

  /// Answers of models, and regions that nobody has submitted, are not labels.
  private static let skipped: Set = ["predictions", "drafts", "prediction", "meta"]

  private static func isListOfObjects(_ node: JSONNode) -> Bool {
    guard case .list(let nodes) = node.content, let first = nodes.first else { return false }
    if case .object = first.content { return true }
    return false
  }

  private static func member(_ key: String, _ keys: [String], _ values: [JSONNode]) -> JSONNode? {
    keys.firstIndex(of: key).map { values[$0] }
  }

  /// A field that --columns names is read as if it had the usual name.
  private mutating func name(_ key: String) -> ColumnName {
    if let known = names[key] { return known }
    let name =
      switch key.lowercased() {
      case wanted.start?.lowercased(): ColumnName("start")
      case wanted.end?.lowercased(): ColumnName("end")
      case wanted.label?.lowercased(): ColumnName("label")
      default: ColumnName(key)
      }
    names[key] = name
    return name
  }

  private mutating func recordings(_ keys: [String], _ values: [JSONNode]) -> [String] {
    // In Label Studio, a task's data name the recording.
    if let data = Self.member("data", keys, values),
      case .object(let keys, let values) = data.content
    {
      return recordings(keys, values)
    }
    let names = keys.map { name($0) }
    return Self.usualRecordings.compactMap { name in
      names.firstIndex { $0.isNamed(name) }.flatMap { values[$0].text }
    }.filter { !$0.isEmpty }
  }

  // MARK: Label Studio

  private static let labelKeys = ["timelinelabels", "labels", "timeserieslabels", "videolabels"]

  private mutating func readLabelStudio(
    _ keys: [String], _ values: [JSONNode], _ context: Context, _ place: SourcePlace
  ) throws -> Bool {
    if let data = Self.member("data", keys, values), case .object = data.content,
      let node = Self.member("annotations", keys, values)
        ?? Self.member("completions", keys, values), case .list(let annotations) = node.content
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
    guard let labels = Self.labels(keys, values) else { return false }
    if let ranges = Self.member("ranges", keys, values), case .list(let list) = ranges.content {
      isLabelStudio = true
      for range in list {
        guard let start = range["start"]?.number, let end = range["end"]?.number else { continue }
        append(labels, .number(start), .number(end), .frames, context, place)
      }
      return true
    }
    if let sequence = Self.member("sequence", keys, values), case .list(let list) = sequence.content
    {
      readSequence(list, labels, keys, values, context, place)
      return true
    }
    guard let start = Self.member("start", keys, values)?.number,
      let end = Self.member("end", keys, values)?.number
    else { return false }
    let isSeries = keys.contains("timeserieslabels")
    append(labels, .number(start), .number(end), isSeries ? nil : .seconds, context, place)
    return true
  }

  private static func labels(_ keys: [String], _ values: [JSONNode]) -> [String]? {
    for key in labelKeys {
      guard let node = member(key, keys, values), case .list(let list) = node.content else {
        continue
      }
      let labels = list.compactMap(\.text)
      if labels.count == list.count, !labels.isEmpty { return labels }
    }
    return nil
  }

  private mutating func readSequence(
    _ list: [JSONNode], _ labels: [String], _ keys: [String], _ values: [JSONNode],
    _ context: Context, _ place: SourcePlace
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
    if let first = start, let end = Self.member("duration", keys, values)?.number {
      append(labels, .number(first), .number(end), .seconds, context, place)
    }
  }

  private mutating func append(
    _ labels: [String], _ start: RawTime, _ end: RawTime, _ unit: LabelUnit?, _ context: Context,
    _ place: SourcePlace
  ) {
    units.insert(unit)
    var labels = labels
    // A plank and its form may be two labels of one region.
    let areForms = labels.map { LabelWords.form($0) != nil }
    if labels.count == 2, areForms[0] != areForms[1] {
      if areForms[0] { labels.reverse() }
      labels = [labels.joined(separator: "/")]
    }
    for label in labels {
      rows.append(
        LabelRow(
          place: place, start: start, end: end, label: label, recordings: context.recordings,
          tier: context.tier, parties: [context.party]))
    }
  }

  // MARK: Other objects

  private mutating func readSegment(
    _ keys: [String], _ values: [JSONNode], _ context: Context, _ place: SourcePlace
  ) throws -> Bool {
    let names = keys.map { name($0) }
    func time(
      _ role: ColumnName.Role, _ units: [LabelUnit?] = LabelColumns.preferred
    ) -> (unit: LabelUnit?, time: RawTime)? {
      for unit in units {
        for index in names.indices where names[index].role == role && names[index].unit == unit {
          if let time = Self.time(values[index]) { return (unit, time) }
        }
      }
      return nil
    }
    guard let label = Self.label(names, values) else { return false }
    var unit: LabelUnit?
    let pair: (RawTime, RawTime)
    let start = time(.start)
    let units = start?.unit.map { [$0, nil] } ?? LabelColumns.preferred
    if let start, let end = time(.end, units) {
      pair = (start.time, end.time)
      unit = start.unit ?? end.unit
    } else if let start, let length = time(.duration, units), let one = start.time.number,
      let other = length.time.number
    {
      pair = (start.time, .number(roundedToMicroseconds(one + other)))
      unit = start.unit ?? length.unit
    } else if let segment = Self.segment(keys, values) {
      pair = segment
    } else {
      try requireNoTimes(names, values, label, place)
      return false
    }
    let form = keys.firstIndex(of: "form").flatMap { values[$0].text } ?? ""
    var context = context
    for (name, value) in zip(names, values) where isOfParty(name) {
      guard let text = value.text ?? value.number.map(LabelUnitChoice.text), !text.isEmpty else {
        continue
      }
      context.party += (context.party.isEmpty ? "" : "-") + text
      parties.insert(name.name)
    }
    append(
      [label + (form.isEmpty ? "" : "/\(form)")], pair.0, pair.1, unit == .time ? nil : unit,
      context, place)
    if let fps = keys.firstIndex(of: "fps").flatMap({ values[$0].number }), fps > 0 { rate = fps }
    return true
  }

  private func isOfParty(_ name: ColumnName) -> Bool {
    name.isOfParty && !LabelColumns.usualRecordings.contains(where: name.isNamed)
      && !LabelColumns.usualLabels.contains(where: name.isNamed)
  }

  /// Refuses an object with a start and an end that cannot be read, because it must not be left out
  /// silently.
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

  /// Reads a list such as `[0, 1.5, "none"]`.
  private mutating func readTriple(
    _ node: JSONNode, _ context: Context, at place: SourcePlace?
  ) -> Bool {
    guard case .list(let list) = node.content, list.count == 3,
      case .text(let label) = list[2].content, Double(decimal: label) == nil,
      let start = Self.time(list[0]), let end = Self.time(list[1])
    else { return false }
    let place = place ?? SourcePlace(file: file, line: node.line)
    append([label], start, end, nil, context, place)
    return true
  }

  /// Reads lists of starts, of ends and of labels beside each other, as pandas writes them.
  private mutating func readColumns(
    _ keys: [String], _ values: [JSONNode], _ context: Context
  ) throws -> Bool {
    var keys = keys
    var columns = values.map(Self.items)
    if let names = Self.member("columns", keys, values).map(Self.items),
      let rows = Self.member("data", keys, values).map(Self.items)?.map(Self.items),
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
      try read(
        usedKeys, used.map { columns[$0][row] }, line, context,
        at: SourcePlace(file: file, line: line))
    }
    return true
  }

  private static func items(_ node: JSONNode) -> [JSONNode] {
    switch node.content {
    case .list(let list): list
    case .object(_, let values): values
    default: []
    }
  }

  private static func time(_ node: JSONNode) -> RawTime? {
    switch node.content {
    case .number(let value): value.isFinite ? .number(value) : nil
    case .text(let text): RawTime(text)
    default: nil
    }
  }

  private static func label(_ names: [ColumnName], _ values: [JSONNode]) -> String? {
    for usual in LabelColumns.usualLabels {
      guard let index = names.firstIndex(where: { $0.isNamed(usual) }) else { continue }
      if let text = values[index].text { return text }
      if case .list(let list) = values[index].content, list.count == 1, let text = list[0].text {
        return text
      }
    }
    return nil
  }

  /// Reads a field such as `segment: [0, 1.5]`, which lists of actions for training have.
  private static func segment(_ keys: [String], _ values: [JSONNode]) -> (RawTime, RawTime)? {
    for key in ["segment", "timestamps", "interval", "range", "time"] {
      guard let node = member(key, keys, values), case .list(let list) = node.content,
        list.count == 2, let start = time(list[0]), let end = time(list[1])
      else { continue }
      return (start, end)
    }
    return nil
  }

  private static func summary(of nodes: [JSONNode]) -> String {
    guard let first = nodes.first else { return "empty" }
    if nodes.count > 1 { return "\(CountText.of(nodes.count, "line")), \(summary(of: [first]))" }
    switch first.content {
    case .object(let keys, _): return "an object with \(LabelSheet.list(keys, most: 5))"
    case .list(let list):
      guard let item = list.first else { return "an empty list" }
      guard case .object(let keys, _) = item.content else {
        return "a list of \(CountText.of(list.count, "value"))"
      }
      return
        "a list of \(CountText.of(list.count, "object")) with \(LabelSheet.list(keys, most: 5))"
    default: return "one value"
    }
  }
}
