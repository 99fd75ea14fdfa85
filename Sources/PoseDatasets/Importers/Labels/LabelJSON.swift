import PoseModel
import PoseRecording

/// Reads segments from any JSON text with objects that have a start, an end and a label, such as
/// exports of Create ML and Label Studio.
struct LabelJSON {
  let file: String
  private var wanted = SegmentColumns()
  private var rows: [LabelRow] = []
  var units: Set<LabelUnit?> = []
  var isLabelStudio = false
  private var rates: Set<Double> = []
  private var notes: [String] = []
  var moments: [LabelRow] = []
  private var kinds: [LabelEvents.Kind?] = []
  private var texts: [String: Set<String>] = [:]
  private var formKeys: Set<String> = []
  private var classKeys: Set<String> = []
  private var fractions: Set<String> = []
  private var parties: Set<String> = []
  private var names: [String: ColumnName] = [:]
  private var statedUnits: Set<String> = []
  var strangeTimes: Set<String> = []
  var origins: [String: Set<Double>] = [:]
  var earlyOrigins: Set<String> = []
  private var leftOut = 0

  struct Context {
    var recordings: [String] = []
    var tier: String?
    var party = ""
    var rate: Double?
    /// The start of what contains the labels, or an offset beside them.
    var origin: (name: ColumnName, value: Double)?
    var path: [String] = []
    var list: [String]?
  }

  private static let deepest = 24
  private static let usualRecordings = LabelColumns.usualRecordings + ["file upload", "audio"]

  static func sheet(
    _ source: NamedText, columns: SegmentColumns = SegmentColumns()
  ) throws -> LabelSheet {
    let text = try JSONText(NamedBytes(name: source.name, bytes: Array(source.text.utf8)))
    var reader = LabelJSON(file: source.name, wanted: columns)
    let top = try text.roots.map(text.node)
    guard try reader.readAll(top) else {
      throw PoseSourceError.unusableValues(
        name: source.name,
        found: "this is JSON (\(summary(of: top))) without labels in a known format",
        remedy: "give objects with `start`, `end` and `label`, as Create ML or Label Studio write "
          + "them, or a table with these columns")
    }
    return reader.sheet()
  }

  static func sheet(of document: JSONNode, file: String) throws -> LabelSheet? {
    var reader = LabelJSON(file: file)
    guard try reader.readAll([document]) else { return nil }
    var sheet = reader.sheet()
    sheet.form = "XML"
    return sheet
  }

  private mutating func readAll(_ top: [JSONNode]) throws -> Bool {
    for node in top { survey(node, depth: 0) }
    formKeys = Set(
      texts.filter { LabelWords.areForms($0.value) && !ColumnName($0.key).isOfRemark }.keys
    ).union(["form"])
    classKeys = Set(
      texts.filter { $0.value.allSatisfy { LabelWords.target($0) != nil } }.keys)
    let context = Context()
    for node in top where top.count == 1 || !readTriple(node, context, at: nil) {
      try read(node, context)
    }
    if rows.isEmpty, !moments.isEmpty {
      Self.part(&moments)
      if kinds.count == moments.count, kinds.count(where: { $0 != nil }) * 2 > kinds.count {
        rows = try LabelEvents.paired(moments, kinds: kinds)
      } else if moments.allSatisfy(\.isOpen), !LabelEvents.areFrames(moments) {
        rows = LabelEvents.chain(moments)
        notes.append("each label lasts to the next one, as there are no ends")
      } else {
        rows = try LabelEvents.runs(moments, file: file)
        notes.append(
          "\(CountText.of(moments.count, "object")) with one label each became "
            + CountText.of(rows.count, "segment"))
      }
    }
    Self.part(&rows)
    guard !rows.isEmpty || leftOut == 0 else { throw LabelReview.nothingLeft(in: file) }
    return !rows.isEmpty
  }

  private mutating func survey(_ node: JSONNode, depth: Int) {
    guard depth < Self.deepest else { return }
    switch node.content {
    case .list(let nodes): for node in nodes { survey(node, depth: depth + 1) }
    case .object(let keys, let values):
      for (key, value) in zip(keys, values) {
        if let number = value.number {
          if number != number.rounded() { fractions.insert(key) }
          if number > 0, isRate(key) { rates.insert(number) }
        }
        if let text = value.text, !text.isEmpty, name(key).isOfUnit { statedUnits.insert(text) }
        for text in ([value] + value.children).compactMap(\.text) where !text.isEmpty {
          texts[key, default: []].insert(text)
        }
        survey(value, depth: depth + 1)
      }
    default: return
    }
  }

  private mutating func sheet() -> LabelSheet {
    var sheet = LabelSheet(
      file: file, form: isLabelStudio ? "Label Studio's JSON" : "JSON", rows: rows)
    if units.count == 1, let unit = units.first, let unit {
      sheet.unit = unit
      sheet.unitEvidence = isLabelStudio ? "Label Studio's `ranges`" : "the names of the fields"
    } else if let text = statedUnits.first, units == [nil] {
      sheet.unit = statedUnits.count == 1 ? ColumnName(text).unit : nil
      sheet.unitEvidence = "the field for the unit"
      if sheet.unit == nil { sheet.strangeTime = text }
    }
    sheet.strangeTime = strangeTimes.min() ?? sheet.strangeTime
    sheet.offset = offset
    sheet.rate = rates.count == 1 ? rates.first : nil
    sheet.parties = parties.isEmpty ? [] : [parties.sorted().joined(separator: ", ")]
    // Label Studio counts frames from 1, and its ranges include the last frame.
    if isLabelStudio { (sheet.firstFrame, sheet.includesEnd) = (1, true) }
    if !moments.isEmpty { sheet.includesEnd = false }
    sheet.notes = notes
    if leftOut > 0 {
      sheet.notes.append("\(CountText.of(leftOut, "object")) left out, taken back in the file")
    }
    let others = origins.keys.filter { !earlyOrigins.contains($0) && name($0).role == nil }.sorted()
    if !others.isEmpty {
      sheet.notes.append("not read: the fields \(LabelSheet.list(others, most: 4))")
    }
    let named = formKeys.subtracting(["form"]).sorted()
    if !named.isEmpty, rows.contains(where: \.hasFoundForm) {
      sheet.notes.append("forms are those named in \(LabelSheet.list(named, most: 4))")
    }
    return sheet
  }

  private static func part(_ rows: inout [LabelRow]) {
    let lists = Set(rows.map(\.list))
    let inOrder = rows.sorted { $0.start.rank < $1.start.rank }
    let turns = zip(inOrder, inOrder.dropFirst()).count { $0.list != $1.list }
    let overlaps = zip(inOrder, inOrder.dropFirst()).contains { $0.end.rank > $1.start.rank }
    let isOne = lists.count == 1 || turns >= lists.count && !overlaps
    let shortest = lists.map(\.count).min() ?? 0
    let depth = (0..<shortest).first { place in Set(lists.map { $0[place] }).count > 1 }
    // Lists with one label each belong to one annotation.
    let areTiers = Dictionary(grouping: rows, by: \.list).values.contains { rows in
      Set(rows.map(\.label)).count > 1
    }
    for index in rows.indices {
      let list = rows[index].list
      let name = depth.map { list[$0] } ?? list.joined(separator: "/")
      if !isOne, rows[index].recordings.isEmpty { rows[index].recordings = [name] }
      if isOne, lists.count > 1, areTiers { rows[index].tier = rows[index].tier ?? name }
      rows[index].list = []
    }
  }

  // MARK: The walk

  mutating func read(_ node: JSONNode, _ outer: Context, at place: SourcePlace? = nil) throws {
    guard outer.path.count < Self.deepest else { return }
    switch node.content {
    case .list(let nodes):
      if readLabels(nodes, outer, at: place ?? SourcePlace(file: file, line: node.line)) { return }
      let counts = (rows: rows.count, moments: moments.count)
      var others: [(index: Int, isMoment: Bool)] = []
      for (index, node) in nodes.enumerated() {
        var context = outer
        let before = (rows: rows.count, moments: moments.count, leftOut: leftOut)
        context.list = outer.path
        if readTriple(node, context, at: place) { continue }
        let name = ["name", "title", "id"].lazy.compactMap { Self.word(node[$0]) }.first
        context.path.append(name ?? "\(index + 1)")
        try read(node, context, at: place)
        if rows.count == before.rows, leftOut == before.leftOut {
          others.append((index, moments.count > before.moments))
        }
      }
      let hasRows = rows.count > counts.rows
      guard hasRows || moments.count > counts.moments else { return }
      let incomplete = others.first { other in
        other.isMoment ? hasRows : hasTime(nodes[other.index], orMoment: !hasRows)
      }
      if let index = incomplete?.index {
        throw (place ?? SourcePlace(file: file, line: nodes[index].line)).unexpected(
          "object \(index + 1) of the list", "incomplete",
          "a start, an end and a label in each object, as in the others")
      }
    case .object(let keys, let values): try read(node, keys, values, outer, at: place)
    default: return
    }
  }

  private mutating func hasTime(_ node: JSONNode, orMoment: Bool) -> Bool {
    guard case .object(let keys, let values) = node.content else { return false }
    let names = keys.map { name($0) }
    let roles = Set(names.compactMap(\.role))
    let hasLabel = label(names, values) != nil
    return roles.contains(.start) || roles.contains(.end)
      || roles.contains(.duration) && hasLabel || Self.segment(values, names) != nil
      || orMoment && (roles.contains(.time) || hasLabel)
  }

  private static func word(_ node: JSONNode?) -> String? {
    (node?.text ?? node?.number.map(LabelUnitChoice.text)).flatMap { $0.isEmpty ? nil : $0 }
  }

  private mutating func read(
    _ node: JSONNode, _ keys: [String], _ values: [JSONNode], _ outer: Context,
    at place: SourcePlace?
  ) throws {
    guard !isRejected(keys, values) else {
      leftOut += 1
      return
    }
    let context = context(of: node, keys, values, in: outer)
    let place = place ?? SourcePlace(file: file, line: node.line)
    if try readLabelStudio(node, context, place) { return }
    // An object that looks like a segment may contain shorter segments, which take precedence.
    let hasLists = values.contains(where: Self.isListOfObjects)
    if try !hasLists && readSegment(keys, values, context, place) { return }
    if try readColumns(node, keys, values, context) { return }
    let count = rows.count
    for (key, value) in zip(keys, values) where !Self.skipped.contains(key) {
      guard value.number == nil, value.text == nil else { continue }
      var inner = context
      inner.path.append(key)
      if let start = keys.indices.first(where: { name(keys[$0]).role == .start }),
        let number = values[start].number, number > 0, inner.origin == nil
      {
        inner.origin = (name(keys[start]), number)
        origins[keys[start], default: []].insert(number)
      }
      let isFile = key.contains(".") && RecordingName.hasKnownEnding(key)
      if inner.recordings.isEmpty, isFile, Self.isListOfObjects(value) {
        inner.recordings = [key]
      } else if inner.recordings.isEmpty, value.objectKeys.contains("annotations") {
        // An object with `annotations` has its recording's name as its key.
        inner.recordings = [key]
      }
      try read(value, inner, at: place.file == file ? nil : place)
    }
    if hasLists, rows.count == count { _ = try readSegment(keys, values, context, place) }
  }

  private mutating func context(
    of node: JSONNode, _ keys: [String], _ values: [JSONNode], in outer: Context
  ) -> Context {
    var context = outer
    let own = recordings(node)
    if !own.isEmpty { context.recordings = own }
    if let name = node["from_name"]?.text { context.tier = name }
    for (key, value) in zip(keys, values) {
      let name = name(key)
      if LabelColumns.usualTiers.contains(where: name.isNamed), let tier = Self.word(value) {
        context.tier = tier
      }
      if name.isOfAnnotator, let party = Self.word(value) {
        context.party = party
        parties.insert(key)
      }
      guard let number = value.number, number > 0 else { continue }
      if isRate(key) { context.rate = number }
      if name.role == nil && (name.isOfOffset || name.isOfClipStart) {
        context.origin = (name, number)
        origins[key, default: []].insert(number)
      }
    }
    return context
  }

  private mutating func isRejected(_ keys: [String], _ values: [JSONNode]) -> Bool {
    zip(keys, values).contains { key, value in
      let text =
        switch value.content {
        case .boolean(let isSet): "\(isSet)"
        default: Self.word(value)
        }
      return text.map { LabelReview.rejects($0, of: name(key)) } ?? false
    }
  }

  /// Keys of predictions and unsubmitted regions, which are not labels.
  private static let skipped: Set = ["predictions", "drafts", "prediction", "meta"]

  private static func isListOfObjects(_ node: JSONNode) -> Bool {
    if case .object? = node.elements?.first?.content { true } else { false }
  }

  mutating func name(_ key: String) -> ColumnName {
    if let known = names[key] { return known }
    var name = ColumnName(key)
    if let start = wanted.start, let end = wanted.end {
      let isDuration = name.role == .duration
      name.role =
        switch key.lowercased() {
        case start.lowercased(): .start
        case end.lowercased(): isDuration ? .duration : .end
        default: nil
        }
    }
    names[key] = name
    return name
  }

  private mutating func isRate(_ key: String) -> Bool {
    LabelColumns.usualRates.contains(where: name(key).isNamed)
  }

  private mutating func recordings(_ node: JSONNode) -> [String] {
    // In Label Studio, a task's `data` names the recording.
    if let data = node["data"], case .object = data.content { return recordings(data) }
    guard case .object(let keys, let values) = node.content else { return [] }
    let names = keys.map { name($0) }
    return names.indices(named: Self.usualRecordings).compactMap { values[$0].text }
      .filter { !$0.isEmpty }
  }

  mutating func append(
    _ labels: [String], _ start: RawTime, _ end: RawTime, _ unit: LabelUnit?, _ context: Context,
    _ place: SourcePlace
  ) {
    units.insert(unit)
    var labels = labels
    // A region may have two labels: a plank and its form.
    let areForms = labels.map { LabelWords.form($0) != nil }
    if labels.count == 2, areForms[0] != areForms[1] {
      if areForms[0] { labels.reverse() }
      labels = [labels.joined(separator: "/")]
    }
    for label in labels { rows.append(row(label, start, end, context, place)) }
  }

  func row(
    _ label: String, _ start: RawTime, _ end: RawTime, _ context: Context, _ place: SourcePlace
  ) -> LabelRow {
    LabelRow(
      place: place, start: start, end: end, label: label, recordings: context.recordings,
      tier: context.tier, parties: [context.party], rate: context.rate,
      list: context.list ?? Array(context.path.dropLast()))
  }

  // MARK: Other objects

  private mutating func readSegment(
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
    guard let (label, labelIndex) = label(names, values) else { return false }
    let start = time(.start) ?? time(.time)
    let unit = start.flatMap { names[$0.index].unit }
    let end = time(.end, beside: unit)
    let length = end == nil ? time(.duration, beside: unit) : nil
    var row: LabelRow
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
      var moment = self.row(label, start.time, start.time, context, place)
      moment.isOpen = names[start.index].role == .start
      moments.append(moment)
      kinds.append(
        zip(values.indices, values).lazy.filter { $0.0 != labelIndex }
          .compactMap { $0.1.text.flatMap { LabelEvents.Kind($0) } }.first)
      insert(unit)
      return false
    }
    if let form = form(keys, values, besides: labelIndex) { row.add(form: form) }
    var party = context.party
    for (name, value) in zip(names, values) where isOfParty(name) && !name.isOfAnnotator {
      guard let text = Self.word(value) else { continue }
      party += (party.isEmpty ? "" : "-") + text
      parties.insert(name.name)
    }
    row.parties = [party]
    noteOrigin(of: row, start.flatMap { names[$0.index] }, context)
    rows.append(row)
    return true
  }

  private func form(_ keys: [String], _ values: [JSONNode], besides label: Int) -> String? {
    var forms: [String] = []
    for (index, value) in values.enumerated() where index != label {
      if formKeys.contains(keys[index]) {
        forms += ([value] + value.children).compactMap(\.text)
      } else if let form = LabelWords.form(keys[index]), isMarked(value) {
        forms.append(form.name)
      }
      guard case .object(let keys, let values) = value.content else { continue }
      forms += zip(keys, values).filter { formKeys.contains($0.0) }.compactMap { $0.1.text }
    }
    let found = Set(forms.filter { !$0.isEmpty })
    return found.count == 1 ? found.first : nil
  }

  private func isMarked(_ value: JSONNode) -> Bool {
    if case .boolean(let isSet) = value.content { return isSet }
    return Self.word(value).flatMap { LabelShapes.mark($0) } ?? false
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

  private func isOfParty(_ name: ColumnName) -> Bool {
    name.isOfParty && !LabelColumns.usualRecordings.contains(where: name.isNamed)
      && !LabelColumns.usualLabels.contains(where: name.isNamed)
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

  private func label(_ names: [ColumnName], _ values: [JSONNode]) -> (String, Int)? {
    let wanted = wanted.label?.lowercased()
    let usual = names.indices(named: LabelColumns.usualLabels)
    let likely = usual.filter { classKeys.contains(names[$0].name) } + usual
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

  private static func segment(
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
