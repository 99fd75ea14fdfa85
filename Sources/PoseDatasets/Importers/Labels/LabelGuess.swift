import PoseModel

/// Guesses the columns of a table from its rows if it has no header or the header names no columns.
struct LabelGuess {
  private static let mostStarts = 40
  private static let mostValues = 12
  private static let mostNames = 8

  private let rows: [[Substring]]
  private let count: Int
  private let labels: LabelMap

  init(_ rows: [[Substring]], labels: LabelMap) {
    self.rows = rows
    self.labels = labels
    count = rows.map(\.count).max() ?? 0
  }

  private func isKnown(_ text: Substring) -> Bool {
    LabelWords.target(String(text)) != nil || labels.targets[String(text)] != nil
  }

  /// Whether commas may be both separators and decimal points, as in `4,5,7,0,high`.
  var mayHaveDecimalCommas: Bool {
    let areWhole = (0..<count).filter { column in
      rows.allSatisfy { $0[safe: column].map { Int($0) != nil } ?? false }
    }
    guard count == 5, areWhole.count == 4,
      [areWhole[1], areWhole[3]].allSatisfy({ column in
        rows.allSatisfy { $0[column].count == rows[0][column].count }
      })
    else { return false }
    let times = rows.flatMap { row in
      [0, 2].map { Double("\(row[areWhole[$0]]).\(row[areWhole[$0 + 1]])") ?? 0 }
    }
    return times == times.sorted()
  }

  private func holdsClasses(_ column: Int) -> Bool {
    let values = rows.compactMap { $0[safe: column] }.filter { !$0.isEmpty }
    return !values.isEmpty && values.allSatisfy(isKnown)
  }

  func columns(hasFreeCommas: Bool) -> LabelColumns? {
    guard count > 0, rows.allSatisfy({ $0.count == count }),
      hasFreeCommas || !mayHaveDecimalCommas
    else { return nil }
    let names = (1...count).map(String.init)
    if count == 1 { return holdsClasses(0) ? LabelColumns(.rows, label: 0, of: names) : nil }
    let times = (0..<count).map { column in
      rows.map { RawTime($0[column], hasFreeCommas: hasFreeCommas) }
    }
    func isClock(_ column: Int) -> Bool { times[column].first??.number == nil }
    let timed = times.indices.filter { column in
      times[column].allSatisfy { $0 != nil && ($0?.number == nil) == isClock(column) }
    }
    let texts = (0..<count).filter { column in
      times[column].allSatisfy { $0 == nil } && rows.contains { !$0[column].isEmpty }
    }
    let known = texts.last { column in rows.contains { isKnown($0[column]) } }
    guard let label = known ?? texts.last else { return nil }
    if count == 2 {
      guard let time = timed.first, holdsClasses(label) else { return nil }
      return LabelColumns(.moments(time), label: label, of: names)
    }
    var best: (start: Int, end: Int, faults: Int)?
    for (index, start) in timed.enumerated().prefix(Self.mostStarts) {
      for end in timed[(index + 1)...] where isClock(start) == isClock(end) {
        let pairs = zip(times[start], times[end]).map { one, other in
          (start: one?.rank ?? .infinity, end: other?.rank ?? .infinity)
        }
        guard pairs.allSatisfy({ $0.start <= $0.end }) else { continue }
        // Row numbers or frame numbers would give overlapping or empty segments.
        let faults =
          zip(pairs, pairs.dropFirst()).count { $1.start >= $0.start && $1.start < $0.end }
          + pairs.count { $0.start == $0.end }
        if faults < best?.faults ?? .max { best = (start, end, faults) }
      }
    }
    return best.flatMap { best in best.faults * 2 <= rows.count ? best : nil }.map {
      LabelColumns(.segments(start: $0.start, end: $0.end), label: label, of: names)
    }
  }

  /// The option `--columns` with the names of the columns as far as they are known.
  func option(_ names: [String]) -> String {
    func role(_ name: String) -> ColumnName.Role? {
      ColumnName(name).role
        ?? name.split { ".:".contains($0) }.last
        .flatMap { $0.contains(" ") ? nil : ColumnName(String($0)).role }
    }
    func name(_ column: Int?, or word: String) -> String {
      column.map { names[$0] }.flatMap { Self.isPrintable($0) ? $0 : nil } ?? word
    }
    let start = names.firstIndex { role($0) == .start }
    let end = names.firstIndex { role($0) == .end } ?? names.firstIndex { role($0) == .duration }
    let labels = names.indices.filter { role(names[$0]) == nil && holdsClasses($0) }
    let label = labels.count == 1 ? labels[0] : nil
    let columns = [name(start, or: "START"), name(end, or: "END"), name(label, or: "LABEL")]
    return LabelTextReader.option("--columns", columns.joined(separator: ","))
  }

  /// Whether `--columns`, a list separated by commas, can name the column.
  static func isPrintable(_ name: String) -> Bool {
    !name.isEmpty && name.count <= 80 && !name.contains { ",\"\\$`!".contains($0) }
  }

  func problem(
    _ names: [String], line: Substring, lines: Int, hasFreeCommas: Bool, place: SourcePlace
  ) -> PoseSourceError? {
    if !hasFreeCommas, mayHaveDecimalCommas {
      return place.unexpected(
        "the line", "`\(line.prefix(80))`, whose commas may be decimal points",
        "points in numbers, or semicolons between fields; otherwise, a line above: "
          + "id,start,end,score,label")
    }
    let values = rows.compactMap(\.first).map(String.init).distinct
    if names.count == 1, count == 1, rows.count > 2 * values.count {
      let assignments = values.filter { !isKnown($0[...]) }.prefix(Self.mostValues).map {
        LabelTextReader.option("--label", "\($0)=CLASS")
      }
      return place.unusable(
        "each line has one value, such as `\(line.prefix(80))`, without times",
        "if the lines are the frames of a video, give what they mean: "
          + assignments.joined(separator: " "))
    }
    if lines <= 2, names.count > Self.mostNames {
      return place.unusable(
        "\(CountText.of(lines, "line")) of \(CountText.of(names.count, "field"))",
        "write one label per line, as start,end,label; if there is one field per frame, transpose "
          + "the table so that each frame is a line")
    }
    let columns = names.map { ColumnName($0) }
    guard let time = columns.first(where: { $0.role == .time }), names.count > 1,
      !columns.contains(where: { $0.role == .end || $0.role == .duration })
    else { return nil }
    if names.count(where: { LabelWords.target($0) != nil }) > 1 {
      return place.unusable(
        "columns are named for classes, but hold values other than 0 and 1",
        "write a column `label` with the class of each row, or 1 in the column of its class and 0 "
          + "in the others")
    }
    let others = names.indices.filter { columns[$0].role == nil }
    let likely = others.filter(holdsClasses)
    return place.unexpected(
      "the header", "`\(line.prefix(120))`, without a column of labels beside `\(time.name)`",
      "that column the name `label`: it may be "
        + LabelSheet.list((likely.isEmpty ? others : likely).map { names[$0] }))
  }
}

/// Texts that would pass for tables but are not.
enum LabelRefusals {
  static func check(_ source: NamedText) throws {
    let lines = Array(
      CSVText(source).lines.lazy.filter { !$0.allSatisfy(\.isWhitespace) }.prefix(40))
    guard let first = lines.first, let problem = problem(first, lines.dropFirst()) else {
      return try checkName(source, lines.first ?? "")
    }
    throw PoseSourceError.unusable(source.name, "this is \(problem.found)", problem.remedy)
  }

  private static func problem(
    _ first: Substring, _ rest: ArraySlice<Substring>
  ) -> (found: String, remedy: String)? {
    if first.hasPrefix("TITLE:"), rest.prefix(3).contains(where: { $0.hasPrefix("FCM:") }) {
      return (
        "an edit decision list (EDL)",
        "write its clips as a table: start,end,label, with the times of the record side"
      )
    }
    if first == "---" || ForeignFile.isYAML([first] + rest) {
      return ("YAML", "save the same fields as JSON, or write a table: start,end,label")
    }
    if first.hasPrefix("["), first.hasSuffix("]"), !first.contains(where: { ",;\t".contains($0) }),
      rest.first?.contains("=") == true
    {
      return ("TOML or INI", "save the same fields as JSON, or write a table: start,end,label")
    }
    if first.hasPrefix("{\\rtf") { return ("rich text (RTF)", "save it as plain text") }
    if first.hasPrefix("version https://git-lfs") {
      return ("a pointer of Git LFS instead of the file", "fetch the file with git lfs pull")
    }
    if first.hasPrefix("#"), rest.first?.contains("(MATRIX,") == true {
      return (
        "Datavyu's own text", "export the spreadsheet from Datavyu as CSV, one row for each cell"
      )
    }
    if first.contains("Praat chronological TextGrid") {
      return ("Praat's chronological TextGrid", "save it in Praat as a text file, long or short")
    }
    return nil
  }

  /// In the files of THUMOS, the class is in the name, as in `HighPlank_val.txt`.
  private static func checkName(_ source: NamedText, _ line: Substring) throws {
    let fields = line.split(whereSeparator: \.isWhitespace)
    let words = LabelWords.words(source.stem)
    guard fields.count == 3, RawTime(fields[0]) == nil, LabelWords.target(String(fields[0])) == nil,
      RawTime(fields[1]) != nil, RawTime(fields[2]) != nil,
      ["val", "test", "train"].contains(words.last),
      LabelWords.target(words.dropLast().joined(separator: " ")) != nil
    else { return }
    throw SourcePlace(file: source.name, line: 1).unusable(
      "the lines have a recording, a start and an end, and the class is in the file's name",
      "write the class in a fourth column, below a first line: recording start end label")
  }
}
