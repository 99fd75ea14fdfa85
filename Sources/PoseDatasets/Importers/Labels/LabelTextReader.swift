package import PoseModel

package enum LabelTextFormat: String, CaseIterable, Hashable, Sendable {
  case audacity
  case csv
  case json
  case xml
  case textgrid
  case subtitles

  package init(guessing source: NamedText) {
    let start = source.text.prefix(4096)
    let content = start.drop(while: \.isWhitespace)
    let lines = content.split(maxSplits: 8, whereSeparator: \.isNewline)
    let first = lines.first ?? ""
    let isJSON = Self.isJSON(content)
    if LabelChapters.areChapters(lines.prefix(8)) || LabelCues.areCues(lines.prefix(2)) {
      self = .subtitles
    } else if content.first == "<" {
      self = .xml
    } else if first.hasPrefix("WEBVTT")
      || (!isJSON && lines.prefix(4).contains { $0.contains("-->") })
    {
      self = .subtitles
    } else if isJSON {
      self = .json
    } else if first.contains("ooTextFile") || content.contains("\"TextGrid\"") {
      self = .textgrid
    } else if let field = first.split(separator: "\t").first, field.count < first.count,
      RawTime(field) != nil
    {
      self = .audacity
    } else {
      self = .csv
    }
  }

  /// Whether the text begins as JSON does, unlike `[Events]`, `[[segment]]`, `[1]` above `start=0`,
  /// `[10:15] Ann:` and RTF.
  private static func isJSON(_ content: Substring) -> Bool {
    guard content.first == "[" else { return content.first == "{" && !content.hasPrefix("{\\") }
    let inside = content.drop { $0 == "[" || $0.isWhitespace }
    guard let first = inside.first, "-0123456789".contains(first) else {
      return inside.first.map { "{\"]".contains($0) } ?? true
    }
    let end = inside.drop { $0 != "]" && $0 != "\"" }
    guard end.first != "\"" else { return true }
    let after = end.dropFirst().first { !$0.isWhitespace }
    return after.map { ",[]".contains($0) } ?? true
  }
}

package struct SegmentColumns: Hashable, Sendable {
  package let start: String?
  package let end: String?
  package let label: String?
  package let form: String?

  package init(
    start: String? = nil, end: String? = nil, label: String? = nil, form: String? = nil
  ) {
    self.start = start
    self.end = end
    self.label = label
    self.form = form
  }

  package init(text: String) throws {
    let table = CSVText(NamedText(name: "--columns", text: text))
    let names = table.lines.isEmpty ? [] : table.fields(ofLine: 0).map(String.init)
    guard (3...4).contains(names.count), names.allSatisfy({ !$0.isEmpty }) else {
      throw PoseSourceError.invalidOption(
        "the columns", found: text,
        allowed: "three names: START,END,LABEL, or four with the form's at the end")
    }
    self.init(
      start: names[0], end: names[1], label: names[2], form: names.count == 4 ? names[3] : nil)
  }
}

package struct LabelTextOptions: Hashable, Sendable {
  package let format: LabelTextFormat?
  package let labels: LabelMap
  package let columns: SegmentColumns
  /// The offset added to each time: the start of the labels' clock on the recording's clock; nil if
  /// none is given.
  package let offset: Seconds?
  package let unit: LabelUnit?
  package let rate: Double?
  package let tier: String?

  package init(
    format: LabelTextFormat? = nil, labels: LabelMap = LabelMap(),
    columns: SegmentColumns = SegmentColumns(), offset: Seconds? = nil,
    unit: LabelUnit? = nil, rate: Double? = nil, tier: String? = nil
  ) throws {
    if let offset, !offset.value.isFinite {
      throw PoseSourceError.invalidOption(
        "the offset", found: "\(offset)", allowed: "seconds, for example 1.25")
    }
    if let rate, !(0.1...1e6).contains(rate) {
      throw PoseSourceError.invalidOption(
        "the rate", found: "\(rate)", allowed: "0.1 to 1000000 frames or samples per second")
    }
    self.format = format
    self.labels = labels
    self.columns = columns
    self.offset = offset
    self.unit = unit
    self.rate = rate
    self.tier = tier
  }
}

package struct ImportedLabels: Sendable {
  package let tracks: [LabelTrack]
  package let notes: [String]
}

/// Reads labels from the text files of other programs.
///
/// A label is one of PlankLab's own words (`none`, `ignore`, `high`, `forearm/sag`), a plain
/// spelling of one (`LabelWords`), or a key of the options' map, which takes precedence.
package struct LabelTextReader: Sendable {
  package let options: LabelTextOptions

  package init(options: LabelTextOptions) { self.options = options }

  package func track(from source: NamedText) throws -> LabelTrack {
    let sheet = try sheet(from: source)
    try sheet.requireOneRecording()
    return try labels(of: sheet, spans: [nil]).tracks.first ?? LabelTrack()
  }

  package func sheet(from source: NamedText) throws -> LabelSheet {
    let format = options.format ?? LabelTextFormat(guessing: source)
    guard options.columns == SegmentColumns() || [.audacity, .csv, .json].contains(format) else {
      throw PoseSourceError.invalidOption(
        "--columns", found: "given for \(source.name)",
        allowed: "columns only for a table or JSON; for other files, choose a --tier")
    }
    if options.format == nil, format == .csv { try LabelRefusals.check(source) }
    var sheet =
      switch format {
      case .audacity, .csv: try LabelTable.sheet(source, options: options)
      case .json: try LabelJSON.sheet(source, columns: options.columns)
      case .xml: try LabelDocuments.sheet(source)
      case .textgrid: try TextGrid.sheet(source)
      case .subtitles: try LabelCues.sheet(source)
      }
    sheet.settleParties()
    if let tier = options.tier { try sheet.keep(tier: tier) }
    let assigned = options.labels
    try sheet.nameLabelsByTier {
      assigned[$0] != nil || LabelWords.target($0) != nil || LabelWords.form($0) != nil
    }
    sheet.addForms {
      LabelWords.form($0) != nil && LabelWords.target($0) == nil && assigned.targets[$0] == nil
    }
    var seen: Set<LabelRow> = []
    let all = sheet.rows.count
    sheet.rows.removeAll { !seen.insert($0.content).inserted }
    if sheet.rows.count < all {
      sheet.notes.append("\(CountText.of(all - sheet.rows.count, "repeated row")) omitted")
    }
    let empty = sheet.rows.count { $0.label.isEmpty }
    if empty > 0, empty < sheet.rows.count {
      sheet.rows.removeAll(where: \.label.isEmpty)
      sheet.notes.append("\(CountText.of(empty, "row")) without a label omitted")
    }
    return sheet
  }

  package func labels(of sheet: LabelSheet, spans: [RecordingSpan?]) throws -> ImportedLabels {
    var sheet = sheet
    if options.rate == nil { sheet.takeRates(of: spans) }
    let clock = try LabelClock(sheet, options, spans: spans)
    var notes = clock.notes
    let meanings = try meanings(of: sheet, notes: &notes)
    try sheet.requireOneTier(meanings)
    notes = sheet.notes + notes
    let points = try points(of: sheet, meanings, clock)
    if !points.isEmpty { notes.append("\(CountText.of(points.count, "point")) left out: `ignore`") }
    var tracks: [LabelTrack] = []
    for (group, span) in zip(sheet.groups, spans) {
      var segments = group.rows.filter { !points.contains($0) }.map { index in
        let row = sheet.rows[index]
        return Segment(
          start: clock.seconds(row.start, of: row, isEnd: false),
          end: clock.seconds(row.end, of: row, isEnd: true), row: row, meaning: meanings[index])
      }
      if let line = zip(segments.dropFirst(), segments).first(where: { $0.start < $1.start }) {
        notes.append(
          "rows are not in order of time: line \(line.0.row.place.line) starts before the row "
            + "above it")
      }
      try Self.close(&segments, at: span?.end, notes: &notes)
      // The sort is stable: rows with equal starts are reported in the file's order.
      segments = segments.enumerated()
        .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
      if clock.includesEnd, let rate = segments.first.flatMap({ clock.rate(of: $0.row) }) {
        Self.part(&segments, within: 1.5 / rate)
      }
      if let span { try clock.check(segments.map { ($0.start, $0.end, $0.row) }, in: span, sheet) }
      notes += clock.doubts(segments.map { ($0.start, $0.end) }, in: span)
      tracks.append(try Self.track(segments, sheet))
    }
    return ImportedLabels(tracks: tracks, notes: notes)
  }

  private struct Segment {
    var start: Double
    var end: Double
    let row: LabelRow
    let meaning: LabelTarget
  }

  private static func close(
    _ segments: inout [Segment], at end: Double?, notes: inout [String]
  ) throws {
    let last = segments.map(\.start).max() ?? 0
    for index in segments.indices.reversed() where segments[index].row.isOpen {
      guard segments[index].start >= last else {
        throw segments[index].row.place.unusable(
          "`\(segments[index].row.label.prefix(80))` has no end, but other labels follow",
          "give its end; only the last label may lack one")
      }
      if let end, segments[index].start < end {
        segments[index].end = end
      } else {
        let label = segments.remove(at: index).row.label
        notes.append(
          "`\(label.prefix(80))` at the end omitted, because nothing says when it ends; with "
            + "--recording FILE, it lasts to the end of the recording")
      }
    }
  }

  private static func part(_ segments: inout [Segment], within tolerance: Double) {
    for index in segments.indices.dropLast() {
      let next = segments[index + 1].start
      let shared = segments[index].end - next
      if shared > 0, shared <= tolerance, next > segments[index].start {
        segments[index].end = next
      }
    }
  }

  private static func track(_ segments: [Segment], _ sheet: LabelSheet) throws -> LabelTrack {
    do {
      return try LabelTrack(
        segments.map { segment in
          LabeledSegment(
            start: Seconds(segment.start), end: Seconds(segment.end), plank: segment.meaning.plank,
            form: segment.meaning.form)
        })
    } catch {
      let row = segments[error.segment].row
      let before = segments[safe: error.segment - 1]?.row
      if error.problem == .overlaps, let before, let one = before.tier, let other = row.tier,
        one != other
      {
        throw row.place.unusable(
          "`\(row.label)` of the tier `\(other)` overlaps `\(before.label)` of `\(one)`",
          "choose one tier: \(LabelSheet.choices(ofTiers: [one, other]))")
      }
      if error.problem == .overlaps, let before,
        let unread = sheet.notes.first(where: { $0.hasPrefix("not read") })
      {
        throw row.place.unusable(
          "`\(row.label.prefix(80))` overlaps `\(before.label.prefix(80))` above it",
          "end that one earlier, or, if they are of several people or recordings, import each from a "
            + "file of its own (\(unread))")
      }
      throw PoseSourceError.unusableLabels(sequence: row.place.description, error)
    }
  }

  // MARK: Meanings

  private func meanings(of sheet: LabelSheet, notes: inout [String]) throws -> [LabelTarget] {
    var known: [String: LabelTarget] = [:]
    var counts: [String: Int] = [:]
    var order: [String] = []
    for row in sheet.rows {
      counts[row.label, default: 0] += 1
      guard counts[row.label] == 1 else { continue }
      order.append(row.label)
      known[row.label] =
        options.labels.targets[row.label] ?? LabelWords.target(row.label)
        ?? assigned(row.label) ?? options.labels[row.label]
    }
    let unknown = order.filter { known[$0] == nil }
    guard unknown.isEmpty else { throw unmapped(unknown, counts, sheet) }
    for label in order where options.labels.targets[label] == nil {
      guard let target = known[label], (try? LabelTarget(label)) == nil,
        LabelWords.target(label) != nil
      else { continue }
      let side = target.plank == .sideLeft ? ", the left shoulder up" : ""
      let other = target.plank == .sideRight ? ", the right shoulder up" : side
      notes.append(
        "`\(label)` is taken as `\(target.name)`\(other) "
          + "(\(CountText.of(counts[label] ?? 0, "row")))")
    }
    return sheet.rows.compactMap { known[$0.label] }
  }

  private func assigned(_ label: String) -> LabelTarget? {
    guard let slash = label.lastIndex(of: "/"),
      let target = options.labels.targets[String(label[..<slash])],
      let form = LabelWords.form(String(label[label.index(after: slash)...]))
    else { return nil }
    guard let plank = target.plank, plank != .none, target.form == nil else { return target }
    return try? LabelTarget(plank, form: form)
  }

  private func unmapped(
    _ unknown: [String], _ counts: [String: Int], _ sheet: LabelSheet
  ) -> PoseSourceError {
    if unknown == [""] {
      return .unusable(
        sheet.file, "no row has a label",
        "name the column that holds the labels: --columns \"START,END,LABEL\"")
    }
    let points = Set(sheet.rows.filter { $0.isPoint || $0.start == $0.end }.map(\.label))
    let most = 40
    let names = unknown.prefix(most).map { label in
      "`\(label.prefix(80))` (\(CountText.of(counts[label] ?? 0, "row")))"
    }
    let assignments = unknown.prefix(most).map { label in
      let form = LabelWords.form(label).map { "/\($0.name)" } ?? ""
      let target = points.contains(label) ? "ignore" : "CLASS" + form
      return Self.option("--label", "\(label)=\(target)")
    }
    let tiers = sheet.tiers.filter { tier in
      !tier.isEmpty && !sheet.rows.contains { $0.tier == tier && unknown.contains($0.label) }
    }
    let more = unknown.count > most ? " and \(CountText.of(unknown.count - most)) more" : ""
    return .unusable(
      sheet.file, "no class is given for \(names.joined(separator: ", "))\(more)",
      (tiers.isEmpty
        ? "" : "read only the tier with the labels: \(LabelSheet.choices(ofTiers: tiers)); or ")
        + "add \(assignments.joined(separator: " ")), where CLASS is none, ignore, "
        + "\(PlankClass.allCases.dropFirst().map(\.name).joined(separator: ", ")), or one with a "
        + "form such as forearm/sag; --label \"*=none\" gives all others a class"
        + (sheet.tiers.count > 1
          ? "; or choose one tier: \(LabelSheet.choices(ofTiers: sheet.tiers))" : ""))
  }

  /// Writes an option for a shell; a value with a minus sign needs the equals sign.
  static func option(_ name: String, _ value: String) -> String {
    "\(name)\(value.hasPrefix("-") ? "=" : " ")\(quoted(value))"
  }

  /// Between double quotes, bash takes `!` for a command from its history and keeps a backslash
  /// before it.
  private static func quoted(_ value: String) -> String {
    guard !value.contains("!") else { return "'\(value.replacing("'", with: "'\\''"))'" }
    let parts = value.map { "\"\\$`".contains($0) ? "\\\($0)" : "\($0)" }
    return "\"\(parts.joined())\""
  }

  private func points(
    of sheet: LabelSheet, _ meanings: [LabelTarget], _ clock: LabelClock
  ) throws -> Set<Int> {
    var points: Set<Int> = []
    for (index, row) in sheet.rows.enumerated() {
      let isPoint = row.isPoint || (row.start == row.end && !row.isOpen && !clock.includesEnd)
      guard isPoint else { continue }
      guard meanings[index] == .ignore else {
        throw row.place.unexpected(
          "the label `\(row.label.prefix(80))`",
          "a point at \(clock.seconds(row.start, of: row, isEnd: false)) s",
          "a region: drag its edges apart, remove it, or omit all such labels: "
            + Self.option("--label", "\(row.label)=ignore"))
      }
      points.insert(index)
    }
    return points
  }
}

extension LabelTarget {
  var name: String {
    guard let plank else { return "ignore" }
    return plank.name + (form.map { "/\($0.name)" } ?? "")
  }
}
