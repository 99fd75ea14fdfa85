import PoseModel

enum LabelCues {
  static func sheet(_ source: NamedText) throws -> LabelSheet {
    let isWebVTT = source.text.hasPrefix("WEBVTT")
    let lines = CSVText(source).lines
    let first = lines.first { !$0.allSatisfy(\.isWhitespace) } ?? ""
    if frameCue(first) != nil { return try frameCues(lines, in: source.name) }
    let hasCommas = areCommaCues(first)
    var sheet = LabelSheet(
      file: source.name,
      form: isWebVTT ? "WebVTT" : hasCommas ? "SubViewer subtitles" : "SubRip subtitles")
    sheet.unit = .time
    var index = 0
    while index < lines.count {
      defer { index += 1 }
      let place = SourcePlace(file: source.name, line: index + 1)
      let line = lines[index]
      if hasCommas, try isBetweenCues(line, place) { continue }
      guard let arrow = line.firstRange(of: hasCommas ? "," : "-->") else {
        guard hasCommas else { continue }
        throw place.unexpected(
          "the line", "`\(line.prefix(80))`", "two times, for example 0:00:01.000,0:00:02.500")
      }
      // In WebVTT, cue settings may follow the end.
      let last = line[arrow.upperBound...].split(whereSeparator: \.isWhitespace).first ?? ""
      guard let start = RawTime(line[..<arrow.lowerBound]),
        let end = RawTime(last), start.number == nil, end.number == nil
      else {
        throw place.unexpected(
          "the line", "`\(line.prefix(80))`",
          "two times, for example 00:00:01,000 --> 00:00:02,500")
      }
      var words: [String] = []
      var speaker: String?
      while index + 1 < lines.count, !lines[index + 1].allSatisfy(\.isWhitespace) {
        index += 1
        speaker = speaker ?? self.speaker(of: lines[index])
        let text = hasCommas ? lines[index].replacing("[br]", with: " ") : lines[index]
        words.append(withoutTags(text).trimmed)
      }
      sheet.rows.append(
        LabelRow(
          place: place, start: start, end: end, label: words.joined(separator: " "), tier: speaker))
    }
    if sheet.rows.isEmpty {
      sheet = LabelSheet(
        file: source.name, form: "chapters",
        rows: try LabelChapters.rows(of: lines, in: source.name))
      sheet.unit = .time
      try LabelChapters.requireNoOffset(lines, in: source.name)
      if sheet.rows.contains(where: \.isOpen) {
        sheet.notes.append("each chapter lasts until the next one")
      }
    }
    guard !sheet.rows.isEmpty else { throw PoseSourceError.emptyTable(file: source.name) }
    return sheet
  }

  static func areCues(_ lines: some BidirectionalCollection<Substring>) -> Bool {
    guard let first = lines.first, let next = lines.last else { return false }
    return areCommaCues(first) && !areCommaCues(next) || frameCue(first) != nil
  }

  // MARK: SubViewer and YouTube

  private static func areCommaCues(_ first: Substring) -> Bool {
    let times = first.split(separator: ",", omittingEmptySubsequences: false).map { RawTime($0) }
    return first.hasPrefix("[INFORMATION]")
      || times.count == 2 && times.allSatisfy { $0 != nil && $0?.number == nil }
  }

  private static func isBetweenCues(_ line: Substring, _ place: SourcePlace) throws -> Bool {
    if line.hasPrefix("[DELAY]"),
      let delay = Double(decimal: line.dropFirst(7).trimmed), delay != 0
    {
      throw place.unusable(
        "the line `\(line.prefix(40))` moves all times",
        "remove the line, and give the time as --offset")
    }
    return line.hasPrefix("[") || line.allSatisfy(\.isWhitespace)
  }

  // MARK: MicroDVD

  private static func frameCues(_ lines: [Substring], in file: String) throws -> LabelSheet {
    var sheet = LabelSheet(file: file, form: "MicroDVD subtitles")
    (sheet.unit, sheet.unitEvidence, sheet.firstFrame) = (.frames, "MicroDVD's frames", 0)
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let place = SourcePlace(file: file, line: index + 1)
      guard let cue = frameCue(line) else {
        throw place.unexpected(
          "the line", "`\(line.prefix(80))`", "two frames and a text, for example {30}{75}high")
      }
      if sheet.rows.isEmpty, cue.start == cue.end, let rate = Double(decimal: cue.text) {
        guard (1...1000).contains(rate) else {
          throw place.unexpected("the rate", "`\(cue.text.prefix(40))`", "1 to 1000 per second")
        }
        sheet.rate = rate
        continue
      }
      sheet.rows.append(
        LabelRow(
          place: place, start: .number(cue.start), end: .number(cue.end),
          label: cue.text.replacing("|", with: " ").trimmed))
    }
    guard !sheet.rows.isEmpty else { throw PoseSourceError.emptyTable(file: file) }
    return sheet
  }

  private static func frameCue(
    _ line: Substring
  ) -> (start: Double, end: Double, text: Substring)? {
    let parts = line.split(separator: "}", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].first == "{", parts[1].first == "{",
      let start = Int(parts[0].dropFirst()), let end = Int(parts[1].dropFirst())
    else { return nil }
    return (Double(start), Double(end), parts[2])
  }

  /// Returns the name in WebVTT's `<v Anna>`.
  private static func speaker(of line: Substring) -> String? {
    guard let start = line.firstRange(of: "<v"),
      let end = line[start.upperBound...].firstIndex(of: ">")
    else { return nil }
    let tag = line[start.upperBound..<end]
    guard tag.first.map({ $0.isWhitespace || $0 == "." }) ?? false else { return nil }
    let name = tag.drop { !$0.isWhitespace }.trimmed
    return name.isEmpty ? nil : name
  }

  private static func withoutTags(_ line: Substring) -> String {
    var text = ""
    var isTag = false
    for character in line {
      if character == "<" { isTag = true }
      if !isTag { text.append(character) }
      if character == ">" { isTag = false }
    }
    return isTag ? String(line) : text
  }
}

/// Reads lines with a start and a text, as in chapters of videos (`1:15 forearm`) and LRC
/// (`[01:15.00]forearm`).
enum LabelChapters {
  private static let fewest = 2

  static func areChapters(_ lines: some Collection<Substring>) -> Bool {
    let content = lines.filter { !$0.allSatisfy(\.isWhitespace) && !isDetail($0) }
      .drop(while: isTitle)
    let starts = content.compactMap { chapter($0)?.start.rank }
    return starts.count >= fewest && starts.count == content.count && starts == starts.sorted()
  }

  static func rows(of lines: [Substring], in file: String) throws -> [LabelRow] {
    let rows = try lines.enumerated().compactMap { index, line -> LabelRow? in
      let place = SourcePlace(file: file, line: index + 1)
      guard let (start, end, text) = chapter(line) else {
        guard line.first?.isNumber != true else {
          throw place.unexpected(
            "the line", "`\(line.prefix(80))`", "a time and a text, for example 1:15 forearm")
        }
        return nil
      }
      return LabelRow(place: place, start: start, end: end ?? start, label: text)
    }
    return LabelEvents.chain(rows)
  }

  /// Whether a line above the chapters has words, none of which names a column of times.
  private static func isTitle(_ line: Substring) -> Bool {
    chapter(line) == nil && line.first?.isLetter == true && !line.contains { "\t,;|".contains($0) }
      && line.split(separator: " ").allSatisfy { ColumnName(String($0)).role == nil }
  }

  static func requireNoOffset(_ lines: [Substring], in file: String) throws {
    for (index, line) in lines.enumerated() where line.hasPrefix("[offset:") {
      let number = Double(decimal: line.dropFirst(8).prefix { $0 != "]" }.filter { $0 != "+" }) ?? 0
      guard number != 0 else { continue }
      throw SourcePlace(file: file, line: index + 1).unusable(
        "the line `\(line.prefix(40))` moves all times by \(number) ms",
        "remove the line, and give the time as --offset: \(-number / 1000) if a plus sign means "
          + "that texts appear sooner")
    }
  }

  private static func isDetail(_ line: Substring) -> Bool {
    line.first == "[" && line.dropFirst().first?.isLetter == true && line.contains(":")
  }

  /// Parses `1:15 forearm`, `(1:15) forearm`, `[01:15.00]forearm` or `1:15 - 2:00 forearm`.
  private static func chapter(_ line: Substring) -> (start: RawTime, end: RawTime?, text: String)? {
    let line = line.drop(while: \.isWhitespace)
    let isBracketed = line.first.map { "[(".contains($0) } ?? false
    let time = line.dropFirst(isBracketed ? 1 : 0)
      .prefix { isBracketed ? !"])".contains($0) : !$0.isWhitespace && !dashes.contains($0) }
    guard time.contains(":"), let start = RawTime(time), case .seconds = start else { return nil }
    var text = afterDash(line[time.endIndex...].dropFirst(isBracketed ? 1 : 0))
    guard !text.contains("\t") else { return nil }
    let first = text.prefix { !$0.isWhitespace && !dashes.contains($0) }
    var end: RawTime?
    if let time = RawTime(first) {
      guard case .seconds = time else { return nil }
      end = time
      text = afterDash(text.dropFirst(first.count))
    }
    guard isBracketed || !text.isEmpty else { return nil }
    return (start, end, text.trimmed)
  }

  private static let dashes = "-\u{2013}\u{2014}"

  private static func afterDash(_ text: Substring) -> Substring {
    text.drop { $0.isWhitespace || dashes.contains($0) }
  }
}

/// Reads Praat's TextGrid, long or short: both have the same numbers and texts in the same order.
struct TextGrid {
  private enum Token: Hashable {
    case number(Double)
    case text(String)
    case flag
  }

  private var tokens: [(token: Token, line: Int)] = []
  private var position = 0
  private let file: String

  static func sheet(_ source: NamedText) throws -> LabelSheet {
    var reader = TextGrid(source)
    return try reader.sheet()
  }

  private init(_ source: NamedText) {
    file = source.name
    var rest = Substring(source.text)
    var line = 1
    while let first = rest.first {
      if first.isWhitespace {
        if first.isNewline { line += 1 }
        rest.removeFirst()
      } else if first == "\"" {
        let start = line
        tokens.append((.text(Self.quoted(&rest, &line)), start))
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        rest = rest[word.endIndex...]
        if word.first == "!" {
          rest = rest.drop { !$0.isNewline }
        } else if word.first == "<" {
          tokens.append((.flag, line))
        } else if let number = Double(decimal: word) {
          tokens.append((.number(number), line))
        }
      }
    }
  }

  private static func quoted(_ rest: inout Substring, _ line: inout Int) -> String {
    var text = ""
    rest.removeFirst()
    while let character = rest.popFirst() {
      if character.isNewline { line += 1 }
      guard character == "\"" else {
        text.append(character)
        continue
      }
      guard rest.first == "\"" else { break }
      rest.removeFirst()
      text.append("\"")
    }
    return text
  }

  private mutating func sheet() throws -> LabelSheet {
    var sheet = LabelSheet(file: file, form: "Praat's TextGrid")
    sheet.unit = .seconds
    sheet.unitEvidence = "Praat's times"
    guard try text() == "ooTextFile", try text() == "TextGrid" else { throw mistake }
    _ = try (number(), number())
    if position < tokens.count, tokens[position].token == .flag { position += 1 }
    let tierCount = try number()
    var read = 0.0
    while read < tierCount {
      read += 1
      let kind = try text()
      let name = try text()
      _ = try (number(), number())
      let count = try number()
      var done = 0.0
      while done < count {
        done += 1
        let place = SourcePlace(file: file, line: tokens[safe: position]?.line ?? 1)
        let start = try number()
        let end = kind == "IntervalTier" ? try number() : start
        let label = try text().trimmed
        guard !label.isEmpty else { continue }
        sheet.rows.append(
          LabelRow(
            place: place, start: .number(start), end: .number(end), label: label, tier: name,
            isPoint: kind != "IntervalTier"))
      }
    }
    guard !sheet.rows.isEmpty else {
      throw PoseSourceError.unusable(
        file, "no interval has text", "label intervals, and save again")
    }
    return sheet
  }

  private mutating func number() throws -> Double {
    guard case .number(let number)? = tokens[safe: position]?.token else { throw mistake }
    position += 1
    return number
  }

  private mutating func text() throws -> String {
    guard case .text(let text)? = tokens[safe: position]?.token else { throw mistake }
    position += 1
    return text
  }

  private var mistake: PoseSourceError {
    let line = tokens[safe: position]?.line ?? tokens.last?.line ?? 1
    return .unusable(
      "\(file):\(line)", "this is not a complete TextGrid",
      "save it in Praat as a text file, long or short")
  }
}

package enum RecordingName {
  private static let endings = [
    ".poses.jsonl.gz", ".poses.jsonl", ".labels.csv", ".jsonl", ".json", ".csv", ".npy", ".npz",
    ".txt", ".tsv", ".eaf", ".textgrid", ".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm", ".mpg",
    ".mpeg", ".mts", ".wmv", ".3gp", ".ogv", ".wav", ".mp3", ".m4a", ".flac", ".srt", ".vtt",
    ".xml", ".anvil",
  ]

  static func hasKnownEnding(_ name: String) -> Bool {
    let name = name.lowercased()
    return endings.contains { name.hasSuffix($0) }
  }

  /// Whether a path or an address ends in the name of a file of poses or video.
  static func namesFile(_ name: String) -> Bool { hasKnownEnding(decoded(name)) }

  package static func withoutEnding(_ name: String) -> String {
    let lowercased = name.lowercased()
    guard let ending = endings.first(where: { lowercased.hasSuffix($0) }), ending.count < name.count
    else { return name }
    return String(name.dropLast(ending.count))
  }

  package static func fileName(_ name: String) -> String {
    NamedText(name: withoutEnding(lastPart(decoded(name))) + ".x", text: "").stem
  }

  private static func lastPart(_ name: String) -> String {
    name.split { "/\\=".contains($0) }.last.map(String.init) ?? name
  }

  static func candidates(_ name: String) -> [String] {
    let whole = decoded(name)
    let last = lastPart(whole)
    let short = withoutEnding(last)
    var names = [withoutEnding(whole), short, NamedText(name: last, text: "").stem]
    // Label Studio prefixes the names of uploaded files with 8 hexadecimal digits.
    let mark = short.prefix(9)
    if mark.count == 9, mark.last == "-", mark.dropLast().allSatisfy(\.isHexDigit) {
      names.append(String(short.dropFirst(9)))
    }
    names.append(NamedText(name: short + ".x", text: "").stem)
    return names.filter { !$0.isEmpty }.distinct
  }

  private static func decoded(_ name: String) -> String {
    // In a URL, a query may follow the file's name.
    if let mark = name.firstIndex(of: "?"), hasKnownEnding(String(name[..<mark])) {
      return decoded(String(name[..<mark]))
    }
    guard name.contains("%") else { return name }
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

package struct RecordingNames: Sendable {
  package enum Match: Hashable, Sendable {
    case one(Int)
    case none
    case several([String])
  }

  private let names: [String]
  private var byName: [String: [Int]] = [:]

  package init(_ entries: [SequenceEntry]) {
    names = entries.map(\.name)
    for (index, name) in names.enumerated() {
      let last = name.lastComponent
      for short in Set([name, last, name.lowercased(), last.lowercased()]) {
        byName[short, default: []].append(index)
      }
    }
  }

  package func match(_ names: [String]) -> Match {
    for name in names.flatMap(RecordingName.candidates) {
      for form in [name, name.lowercased()] {
        guard let found = byName[form] else { continue }
        if found.count == 1 { return .one(found[0]) }
        let exact = found.filter { self.names[$0] == name }
        return exact.count == 1 ? .one(exact[0]) : .several(found.map { self.names[$0] })
      }
    }
    return .none
  }
}

package struct PeopleTable: Sendable {
  package struct Row: Hashable, Sendable {
    package let place: SourcePlace
    package let recordings: [String]
    package let subject: String
  }

  package let rows: [Row]

  private static let usualSubjects = [
    "subject", "person", "participant", "athlete", "who", "subject id", "participant id", "actor",
    "user", "name",
  ]

  package init(_ source: NamedText) throws {
    var text = CSVText(source)
    let lines = text.lines.indices.filter { LabelTable.isContent(text.lines[$0]) }
    guard let first = lines.first else { throw PoseSourceError.emptyTable(file: source.name) }
    guard LabelTextFormat(guessing: source) != .json else {
      throw PoseSourceError.unusable(
        source.name, "this is JSON",
        "write a table of people with the columns `recording` and `subject`")
    }
    for separator in LabelTable.separators {
      text.separator = separator
      for start in lines.indices.prefix(LabelTable.headerLines) {
        guard let rows = try Self.rows(of: text, lines: lines[start...]) else { continue }
        guard !rows.isEmpty else { throw PoseSourceError.emptyTable(file: source.name) }
        self.rows = rows
        return
      }
    }
    throw SourcePlace(file: source.name, line: first + 1).unexpected(
      "the header", "`\(text.lines[first].prefix(120))`",
      "a table of people with the columns `recording` and `subject`")
  }

  private static func rows(of text: CSVText, lines: ArraySlice<Int>) throws -> [Row]? {
    let header = lines.first.map { text.fields(ofLine: $0) } ?? []
    let names = header.map { ColumnName(String($0)) }
    let recordings = names.indices(named: LabelColumns.usualRecordings)
    guard let subject = names.indices(named: usualSubjects).first, !recordings.isEmpty else {
      return nil
    }
    return try lines.dropFirst().compactMap { index in
      let place = SourcePlace(file: text.file, line: index + 1)
      let fields = text.fields(ofLine: index)
      guard fields.count == names.count else {
        throw PoseSourceError.wrongFieldCount(place, found: fields.count, expected: names.count)
      }
      let names = recordings.map { String(fields[$0]) }.filter { !$0.isEmpty }
      guard !names.isEmpty, !fields[subject].isEmpty else { return nil }
      return Row(place: place, recordings: names, subject: String(fields[subject]))
    }
  }
}

extension LabelTrack {
  /// Makes one segment from each run of equal meanings.
  ///
  /// A segment starts at the time of its first frame and ends where the next segment starts. The
  /// last segment ends at `end`, which is after the last frame's time. Errors mention `name`.
  static func runs(
    of meanings: [LabelTarget], times: [Double], end: Double, in name: String
  ) throws -> LabelTrack {
    var segments: [LabeledSegment] = []
    var start = 0
    for next in 1...max(1, meanings.count) where start < meanings.count {
      if next < meanings.count, meanings[next] == meanings[start] { continue }
      segments.append(
        LabeledSegment(
          start: Seconds(times[start]), end: Seconds(next < times.count ? times[next] : end),
          plank: meanings[start].plank, form: meanings[start].form))
      start = next
    }
    do { return try LabelTrack(segments) } catch {
      throw PoseSourceError.unusableLabels(sequence: name, error)
    }
  }
}
