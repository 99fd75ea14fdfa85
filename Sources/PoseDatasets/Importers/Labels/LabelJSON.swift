import PoseModel
import PoseRecording

/// Reads segments from any JSON text with objects that have a start, an end and a label, such as
/// exports of Create ML and Label Studio.
struct LabelJSON {
  let file: String
  var wanted = SegmentColumns()
  var rows: [LabelRow] = []
  var units: Set<LabelUnit?> = []
  var isLabelStudio = false
  private var rates: Set<Double> = []
  private var sampleRates: Set<Double> = []
  private var notes: [String] = []
  var moments: [LabelRow] = []
  var kinds: [LabelEvents.Kind?] = []
  private var texts: [String: Set<String>] = [:]
  var formKeys: Set<String> = []
  var classKeys: Set<String> = []
  var foundKey: String?
  /// The texts of unread fields beside labels.
  var unread: [String: Set<String>] = [:]
  var fractions: Set<String> = []
  var parties: Set<String> = []
  var names: [String: ColumnName] = [:]
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
    /// The start of the clip that contains the labels, or an offset beside them.
    var origin: (name: ColumnName, value: Double)?
    var path: [String] = []
    var list: [String]?
  }

  private static let deepest = 24
  static let usualRecordings = LabelColumns.usualRecordings + ["file upload", "audio"]

  static func sheet(
    _ source: NamedText, columns: SegmentColumns = SegmentColumns()
  ) throws -> LabelSheet {
    let text = try JSONText(NamedBytes(name: source.name, bytes: Array(source.text.utf8)))
    var reader = LabelJSON(file: source.name, wanted: columns)
    let top = try text.roots.map(text.node)
    guard try reader.readAll(top) else {
      throw PoseSourceError.unusable(
        source.name, "this is JSON (\(summary(of: top))) without labels in a known format",
        "give objects with `start`, `end` and `label`, as Create ML or Label Studio write "
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
      texts.filter { LabelWords.mayBeForms($0.value) && !ColumnName($0.key).isOfRemark }.keys
    ).union(["form"])
    classKeys = Set(texts.filter { $0.value.allSatisfy { LabelWords.target($0) != nil } }.keys)
    // If no field has a usual name, the only field that holds classes is that of the label.
    let others = classKeys.filter { key in
      let name = name(key)
      return name.role == nil && !name.isOfRemark && !name.isOfParty && texts[key]?.count ?? 0 > 1
        && !Self.usuallyRead.contains(where: name.isNamed)
    }
    if others.count == 1, !classKeys.contains(where: { name($0).isUsualLabel }) {
      foundKey = others.first { LabelWords.areClasses(texts[$0] ?? []) }
    }
    let context = Context()
    for node in top where top.count == 1 || !readTriple(node, context, at: nil) {
      try read(node, context)
    }
    if rows.isEmpty, !moments.isEmpty {
      if let key = Self.part(&moments) { parties.insert(key) }
      if kinds.count == moments.count, kinds.count(where: { $0 != nil }) * 2 > kinds.count {
        rows = try LabelEvents.paired(moments, kinds: kinds)
      } else if moments.allSatisfy(\.isOpen), !LabelEvents.areFrames(moments) {
        rows = LabelEvents.chain(moments)
        notes.append("each label lasts until the next one, as there are no ends")
      } else {
        rows = try LabelEvents.runs(moments, file: file)
        notes.append(
          "\(CountText.of(moments.count, "object")) with one label each became "
            + CountText.of(rows.count, "segment"))
      }
    }
    if let key = Self.part(&rows) { parties.insert(key) }
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
          if number > 0, LabelColumns.usualSampleRates.contains(where: name(key).isNamed) {
            sampleRates.insert(number)
          }
        }
        if let text = value.text, !text.isEmpty, name(key).isOfUnit { statedUnits.insert(text) }
        for text in ([value] + (value.elements ?? [])).compactMap(\.text) where !text.isEmpty {
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
    sheet.sampleRate = sampleRates.min()
    sheet.parties = parties.isEmpty ? [] : [parties.sorted().joined(separator: ", ")]
    // Label Studio counts frames from 1, and its ranges include the last frame.
    if isLabelStudio { (sheet.firstFrame, sheet.includesEnd) = (1, true) }
    if !moments.isEmpty { sheet.includesEnd = false }
    sheet.notes = notes
    if leftOut > 0 {
      sheet.notes.append("\(CountText.of(leftOut, "object")) left out, taken back in the file")
    }
    let others = origins.keys.filter { !earlyOrigins.contains($0) && name($0).role == nil }
    // A field that differs in every object is an identifier.
    let texts = unread.filter { (2..<max(3, rows.count)).contains($0.value.count) }.keys
    if !(others + texts).isEmpty {
      sheet.notes.append(
        "not read: the fields \(LabelSheet.list(Set(others + texts).sorted(), most: 4))")
    }
    let named = formKeys.subtracting(["form"]).sorted()
    if !named.isEmpty, rows.contains(where: \.hasFoundForm) {
      sheet.notes.append("forms are those named in \(LabelSheet.list(named, most: 4))")
    }
    return sheet
  }

  /// Separates the lists of labels, and returns the key above them if they belong to several
  /// people.
  private static func part(_ rows: inout [LabelRow]) -> String? {
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
    let above = isOne ? nil : depth.flatMap { rows[0].list[safe: $0 - 1] }
    let party = above.flatMap { ColumnName($0).isOfPerson ? $0 : nil }
    for index in rows.indices {
      let list = rows[index].list
      let name = depth.map { list[$0] } ?? list.joined(separator: "/")
      if party != nil {
        let own = rows[index].parties.filter { !$0.isEmpty }
        rows[index].parties = [([name] + own).joined(separator: "-")]
      } else if !isOne, rows[index].recordings.isEmpty {
        rows[index].recordings = [name]
      }
      if isOne, lists.count > 1, areTiers { rows[index].tier = rows[index].tier ?? name }
      rows[index].list = []
    }
    return party
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
    guard case .object(let keys, let values) = node.content, !Self.isRelation(node) else {
      return false
    }
    let names = keys.map { name($0) }
    let roles = Set(names.compactMap(\.role))
    let hasLabel = label(names, values) != nil
    return roles.contains(.start) || roles.contains(.end)
      || roles.contains(.duration) && hasLabel || Self.segment(values, names) != nil
      || orMoment && (roles.contains(.time) || hasLabel)
  }

  static func word(_ node: JSONNode?) -> String? {
    node?.text.flatMap { $0.isEmpty ? nil : $0 }
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
      // Without a start beside it, `offset` is not an end.
      let isFree =
        name.role == nil
        || name.isNamed("offset")
          && !keys.contains { [.start, .time].contains(self.name($0).role) }
      if isFree && (name.isOfOffset || name.isOfClipStart) {
        context.origin = (name, number)
        origins[key, default: []].insert(number)
      } else if name.isOfSpeed, number != 1 {
        origins[key, default: []].insert(number)
      }
    }
    return context
  }

  private mutating func isRejected(_ keys: [String], _ values: [JSONNode]) -> Bool {
    zip(keys, values).contains { key, value in
      Self.word(value).map { LabelReview.rejects($0, of: name(key)) } ?? false
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
    return names.indices(named: Self.usualRecordings).compactMap { index in
      let text = values[index].text ?? ""
      let isAddress = LabelColumns.usualAddresses.contains(where: names[index].isNamed)
      return text.isEmpty || isAddress && !RecordingName.namesFile(text) ? nil : text
    }
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
