/// Reads SubRip and WebVTT: times with an arrow, and text below.
enum LabelCues {
  static func sheet(_ source: NamedText) throws -> LabelSheet {
    let isWebVTT = source.text.hasPrefix("WEBVTT")
    var sheet = LabelSheet(file: source.name, form: isWebVTT ? "WebVTT" : "SubRip subtitles")
    sheet.unit = .time
    let lines = CSVText(source).lines
    var index = 0
    while index < lines.count {
      defer { index += 1 }
      guard let arrow = lines[index].firstRange(of: "-->") else { continue }
      let place = SourcePlace(file: source.name, line: index + 1)
      let line = lines[index]
      // WebVTT may say after the end where the text stands.
      let last = line[arrow.upperBound...].split(whereSeparator: \.isWhitespace).first ?? ""
      guard let start = RawTime(line[..<arrow.lowerBound]),
        let end = RawTime(last), start.number == nil, end.number == nil
      else {
        throw PoseSourceError.unexpectedValue(
          file: place.description, path: "the line", found: "`\(line.prefix(80))`",
          allowed: "two times, for example 00:00:01,000 --> 00:00:02,500")
      }
      var words: [String] = []
      while index + 1 < lines.count, !lines[index + 1].allSatisfy(\.isWhitespace) {
        index += 1
        words.append(LabelDocuments.trimmed(withoutTags(lines[index])))
      }
      sheet.rows.append(
        LabelRow(place: place, start: start, end: end, label: words.joined(separator: " ")))
    }
    guard !sheet.rows.isEmpty else { throw PoseSourceError.emptyTable(file: source.name) }
    return sheet
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

/// Reads Praat's TextGrid, long or short: both hold the same numbers and texts in the same order.
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

  /// A quote within a text is doubled.
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
        let label = LabelDocuments.trimmed(try text())
        guard !label.isEmpty else { continue }
        sheet.rows.append(
          LabelRow(
            place: place, start: .number(start), end: .number(end), label: label, tier: name,
            isPoint: kind != "IntervalTier"))
      }
    }
    guard !sheet.rows.isEmpty else {
      throw PoseSourceError.unusableValues(
        name: file, found: "no interval has a text", remedy: "label intervals, and save again")
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
    return .unusableValues(
      name: "\(file):\(line)", found: "this TextGrid is not whole, or no TextGrid",
      remedy: "save it in Praat as a text file, long or short")
  }
}
