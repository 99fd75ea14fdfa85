import PoseModel
import PoseRecording

/// The column names of a table, from a header of zero or more rows (DeepLabCut, Lightning Pose,
/// pandas, TRC).
struct TableHeader {
  private(set) var names: [String]?
  private(set) var numbered: Range<Int>?
  private(set) var first = 0
  private(set) var separator = UInt8(ascii: ",")
  private(set) var remarks: [TableRemark] = []
  private(set) var declaredUnit: String?
  private(set) var declaredRate: Double?

  private static let longestHeader = 12

  init(_ text: CSVText) throws {
    var text = text
    var start = 0
    if let line = text.lines.first, let mark = Self.declaredSeparator(line) {
      (separator, start) = (mark, 1)
    } else {
      separator = 0
    }
    var comment: Int?
    while start < text.lines.count, text.lines[start].hasPrefix("#") || text.lines[start].isBlank {
      if text.lines[start].hasPrefix("#") {
        comment = start
        readRate(inComment: start, of: text)
      }
      start += 1
    }
    first = start
    guard start < text.lines.count else { throw PoseSourceError.emptyTable(file: text.file) }
    let end = min(text.lines.count, start + Self.longestHeader)
    let top = (start..<end).filter { !text.lines[$0].isBlank }
    if separator == 0 { separator = Self.separator(of: text, top.map { text.lines[$0] }) }
    text.separator = separator
    if let wide = top.first(where: { text.fieldCount(ofLine: $0) > CSVRows.mostColumns }) {
      throw SourcePlace(file: text.file, line: wide + 1).unexpected(
        "the table", CountText.of(text.fieldCount(ofLine: wide), "column"),
        "at most \(CountText.of(CSVRows.mostColumns)); save the columns of joints and times only")
    }
    let rows = top.map { Row(line: $0, text.fields(ofLine: $0).map(String.init), separator) }
    if let comment, rows[0].isData, readComment(text.lines[comment], rows[0], text) { return }
    try read(rows, text)
  }

  private mutating func read(_ rows: [Row], _ text: CSVText) throws {
    if readLevels(rows) || readNameLine(rows) { return }
    let top = rows[0]
    let next = rows.count > 1 ? rows[1] : nil
    if let run = top.counting, next?.isData ?? true {
      names = top.cells
      numbered = run
      remark(
        "the columns \(top.cells[run.lowerBound]) to \(top.cells[run.upperBound - 1]) are known by "
          + "their position", "their names are consecutive numbers")
    } else if top.isData(before: next) {
      if top.cells.count > 1 {
        remark(
          "the first row is not a header, so columns are known by their "
            + "position", "it holds numbers")
      }
      return
    } else if let run = top.repeatedCoordinates {
      names = top.cells
      numbered = run
      remark("columns are known by their position", "the header only repeats x and y")
    } else {
      names = Self.named(top.cells)
      if areNamed(rows.dropFirst(), below: top, text) {
        names?.insert(Self.rowName, at: 0)
        remark(
          "the first field of every row is its name",
          "the header has one field fewer, as R writes it")
      }
    }
    first = top.line + 1
    skipUnits(rows.dropFirst())
    guard let names else { return }
    guard 2 * Set(names).count > names.count || numbered != nil else {
      throw SourcePlace(file: text.file, line: top.line + 1).unexpected(
        "the header",
        "with the same name over and over, such as `\(names[names.count / 2].prefix(40))`",
        "one name per column, such as left_hip_x, or rows of names with a row of x and y "
          + "below them")
    }
    var seen: Set<String> = []
    for (column, name) in names.enumerated() where numbered?.contains(column) != true {
      guard seen.insert(name).inserted else {
        throw PoseSourceError.repeatedColumn(
          SourcePlace(file: text.file, line: top.line + 1), column: name)
      }
    }
  }

  private static let rowName = "row_name"

  /// Whether rows begin with a quoted name that the header leaves out, as R writes tables.
  private func areNamed(_ rows: ArraySlice<Row>, below top: Row, _ text: CSVText) -> Bool {
    let names = Set(rows.compactMap(\.cells.first))
    return !rows.isEmpty && names.count == rows.count && !top.cells.contains(Self.rowName)
      && rows.allSatisfy { row in
        row.cells.count == top.cells.count + 1 && text.lines[row.line].hasPrefix("\"")
          && row.cells.last?.isEmpty == false
      }
  }

  private mutating func skipUnits(_ rows: some Sequence<Row>) {
    guard let row = rows.first(where: { _ in true }), !row.isData, row.line == first else { return }
    let words = Set(row.cells.map { $0.lowercased().filter(\.isLetter) }).subtracting([""])
    let known: Set<String> = [
      "m", "mm", "cm", "s", "ms", "us", "ns", "px", "pixel", "pixels", "sec", "seconds", "deg",
      "meters", "millimeters", "frame", "frames", "a", "au", "n", "in", "ft",
    ]
    guard !words.isEmpty, words.isSubset(of: known) else { return }
    first = row.line + 1
    declaredUnit = ["mm", "cm", "m", "in", "ft"].first(where: words.contains)
    remark("line \(row.line + 1) contains units and is not a frame", "it has no numbers")
  }

  private mutating func readComment(_ line: Substring, _ row: Row, _ text: CSVText) -> Bool {
    let names = String(line.drop { $0 == "#" || $0 == " " })
    var own = CSVText(NamedText(name: text.file, text: names))
    own.separator = separator
    guard !own.lines.isEmpty else { return false }
    let cells = own.fields(ofLine: 0).map(String.init)
    let header = Row(line: row.line, cells, separator)
    guard cells.count == row.cells.count, cells.count > 1, !header.isData,
      Set(cells).count == cells.count
    else { return false }
    self.names = cells
    numbered = header.counting
    remark("the column names are in a comment", "it has one name per column")
    return true
  }

  /// Reads the frames per second in a comment such as `# fps: 29.97` or `# 30 fps`.
  private mutating func readRate(inComment line: Int, of text: CSVText) {
    for part in text.lines[line].lowercased().split(whereSeparator: { ",;\t".contains($0) }) {
      let name = part.prefix { !$0.isNumber }.filter(\.isLetter)
      let number = part.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }
      let unit = part.drop { !$0.isNumber }.dropFirst(number.count).filter { $0 != " " }
      let word = name.hasSuffix("hz") ? String(name.dropLast(2)) : name
      guard ["", "hz", "fps"].contains(unit), Self.rateNames.contains(name.isEmpty ? unit : word),
        let rate = Double(decimal: number), (1...1000).contains(rate), declaredRate ?? rate == rate
      else { continue }
      declaredRate = rate
      remark(
        "line \(line + 1) is a comment that gives \(number) frames per second",
        "it is worded like a frame rate", isNoted: true)
    }
  }

  private static let rateNames: Set = [
    "frequency", "framerate", "captureframerate", "exportframerate", "samplerate", "fps",
  ]

  private static func declaredSeparator(_ line: Substring) -> UInt8? {
    let mark = line.lowercased().filter { $0 != "\"" && $0 != " " }
    guard mark.hasPrefix("sep="), let byte = mark.utf8.dropFirst(4).first else {
      return mark == "sep=" ? UInt8(ascii: "\t") : nil
    }
    return mark.utf8.count == 5 ? byte : nil
  }

  private static func named(_ cells: [String]) -> [String] {
    guard cells.count(where: \.isEmpty) > 1 else { return cells }
    return cells.enumerated().map { $1.isEmpty ? "column_\($0 + 1)" : $1 }
  }

  mutating func remark(_ finding: String, _ evidence: String, isNoted: Bool = false) {
    remarks.append(TableRemark(finding: finding, evidence: evidence, isNoted: isNoted))
  }
}

struct TableRemark: Hashable, Sendable {
  let finding: String
  let evidence: String
  /// Whether import reports it, too, because it changes what is read.
  var isNoted = false
}

extension TableHeader {
  private static func separator(of text: CSVText, _ lines: [Substring]) -> UInt8 {
    var found: (mark: UInt8, rank: Int)?
    for mark in ",;\t|".utf8 {
      var text = CSVText(text, lines: lines)
      text.separator = mark
      let counts = text.lines.indices.map { text.fieldCount(ofLine: $0) }
      guard let last = counts.last, last > 1 else { continue }
      // A comma is a decimal comma if another mark separates fields just as regularly.
      let isRegular = counts.suffix(max(1, counts.count / 2)).allSatisfy { $0 == last }
      let isComma = mark == UInt8(ascii: ",") && text.hasCommasInNumbers
      // The header has as many fields as the rows, but no commas of points such as `(1, 2, 3)`.
      let isOfHeader = counts.first == last
      let rank =
        last + (isRegular ? 1 << 20 : 0) + (isOfHeader ? 1 << 19 : 0) - (isComma ? 1 << 21 : 0)
      if rank > found?.rank ?? Int.min { found = (mark, rank) }
    }
    if let found { return found.mark }
    let blanks = lines.map { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).count }
    return (blanks.last ?? 0) > 1 ? CSVText.blanks : UInt8(ascii: ",")
  }
}

extension CSVText {
  fileprivate var hasCommasInNumbers: Bool {
    guard let line = lines.last else { return false }
    return [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")].contains { mark in
      let fields = line.utf8.split(separator: mark).map { Substring($0) }
      return fields.count > 1 && fields.contains { CSVRows.withPoint($0) != nil }
    }
  }
}

extension TableHeader {
  struct Row {
    let line: Int
    let cells: [String]
    private let areNumbers: [Bool]

    init(line: Int, _ cells: [String], _ separator: UInt8) {
      self.line = line
      self.cells = cells
      let hasFreeCommas = separator != UInt8(ascii: ",")
      areNumbers = cells.map { cell in
        !cell.isEmpty
          && (JSONNode(.text(cell), line: 1).number != nil
            || (hasFreeCommas && CSVRows.withPoint(cell[...]) != nil))
      }
    }

    private var texts: Int { zip(cells, areNumbers).count { !$0.isEmpty && !$1 } }

    var isData: Bool {
      let numbers = areNumbers.count { $0 }
      if texts == 0 { return numbers > 0 }
      if hasPackedValues { return true }
      return texts <= 4 && numbers >= 6 * texts
    }

    private var hasPackedValues: Bool {
      cells.contains { cell in
        ["[", "{", "("].contains { cell.hasPrefix($0) }
          && cell.utf8.contains { (48...57).contains($0) }
      }
    }

    func isData(before next: Row?) -> Bool {
      guard let next, next.cells.count == cells.count else { return isData }
      guard isData else {
        // Rows such as `0.1,nose,0.25,0.5` have texts between numbers.
        let fractions = zip(cells, areNumbers).count { $1 && $0.contains(".") }
        return fractions >= 2 && areNumbers == next.areNumbers
      }
      func numbers(_ row: Row) -> [Int?] {
        zip(row.cells, row.areNumbers).filter(\.1).map { Int($0.0) }
      }
      let own = numbers(self)
      let whole = own.compactMap { $0 }
      let grows = whole.count == own.count && zip(whole, whole.dropFirst()).allSatisfy { $0 < $1 }
      return !(grows && own.count > 4 && numbers(next).contains(nil))
    }

    var isNumbered: Bool { cells.first?.contains(where: \.isDigit) ?? false }

    var counting: Range<Int>? {
      let numbers = cells.map(Self.number)
      guard let start = numbers.firstIndex(where: { $0.map { $0.number < 2 } ?? false }),
        let first = numbers[start]
      else { return nil }
      var end = start
      while end < cells.count, let own = numbers[end], own.word == first.word,
        own.number == first.number + end - start
      {
        end += 1
      }
      return end - start >= 12 && cells.count - (end - start) <= 8 ? start..<end : nil
    }

    private static func number(_ cell: String) -> (word: Substring, number: Int)? {
      let digits = cell.trailingDigits
      let word = cell.dropLast(digits)
      guard let number = Int(cell.suffix(digits)),
        ["", "var", "v", "col", "column", "field", "f", "feature", "value", "unnamed"].contains(
          word.lowercased().filter(\.isLetter))
      else { return nil }
      return (word, number)
    }

    var repeatedCoordinates: Range<Int>? {
      let isCoordinate = cells.map { TableHeader.coordinate($0) != nil }
      guard let start = isCoordinate.firstIndex(of: true) else { return nil }
      let run = start..<(start + isCoordinate[start...].prefix { $0 }.count)
      let period = cells[run].dropFirst().firstIndex(of: cells[start]).map { $0 - start } ?? 0
      guard period > 1, run.count >= 6 * period, run.count.isMultiple(of: period),
        run.allSatisfy({ cells[$0] == cells[start + ($0 - start) % period] })
      else { return nil }
      return run
    }
  }

  fileprivate static let coordinates: [String: String] = [
    "x": "x", "y": "y", "z": "z", "likelihood": "likelihood", "confidence": "confidence",
    "score": "score", "conf": "conf", "visibility": "visibility", "v": "v", "c": "c", "p": "score",
    "prob": "score", "probability": "score", "presence": "presence", "uncertainty": "",
    "x_ens_median": "", "y_ens_median": "", "x_ens_var": "", "y_ens_var": "",
    "x_posterior_var": "", "y_posterior_var": "", "zscore": "", "error": "", "w": "",
  ]

  fileprivate static func coordinate(_ cell: String) -> String? {
    let word = cell.lowercased()
    if let known = coordinates[word] { return known }
    let letters = word.prefix { $0.isLetter }
    guard letters.count == 1, "xyz".contains(letters), letters.endIndex < word.endIndex,
      word[letters.endIndex...].allSatisfy(\.isNumber)
    else { return nil }
    return String(letters)
  }

  private mutating func readLevels(_ rows: [Row]) -> Bool {
    guard
      let place = rows.prefix(8).firstIndex(where: { row in
        let known = row.cells.count { Self.coordinate($0) != nil }
        let named = row.cells.count { !$0.isEmpty }
        return known >= 6 && named - known <= 4
      })
    else { return false }
    let below = rows[(place + 1)...]
    let end = below.firstIndex { $0.isData || $0.isNumbered } ?? rows.endIndex
    let count = rows[place].cells.count
    let levels = (0..<end).filter { index in
      index != place && abs(rows[index].cells.count - count) <= 3
        && rows[index].cells.contains { !$0.isEmpty }
    }
    // Repeated names mean joints by number; with different names, one row of names suffices.
    guard let joints = jointLevel(rows, levels, coordinates: place) else { return false }
    let names = withoutRotations(
      filled(rows[joints].cells, rows[place].cells), levels.map { rows[$0].cells },
      rows[place].cells)
    let people = levels.first { level in
      level != joints && isPeople(rows[level], rows[place], names: names)
    }
    combine(
      rows, names, coordinates: rows[place].cells, joints: joints,
      people: people.map { filled(rows[$0].cells, rows[place].cells) }, end: end)
    readMarkerFile(rows, joints)
    declaredRate = Self.rate(in: rows[..<joints].map(\.cells))
    return true
  }

  private func withoutRotations(
    _ names: [String], _ levels: [[String]], _ coordinates: [String]
  ) -> [String] {
    let levels = levels.map { filled($0, coordinates) }
    guard let kinds = levels.first(where: { $0.contains("Rotation") && $0.contains("Position") })
    else { return names }
    return zip(names, kinds).map { $1 == "Position" || $0.isEmpty ? $0 : $0 + "_" + $1 }
  }

  private mutating func readNameLine(_ rows: [Row]) -> Bool {
    guard let data = rows.firstIndex(where: \.isData) else { return false }
    let width = rows[data].cells.count
    for row in rows[..<data] {
      let found = row.cells.dropFirst().filter { !$0.isEmpty }
      let rest = width - 3 * found.count
      guard (0...2).contains(rest),
        found.count(where: { JointNames.isJoint(JointNames.split($0).name) }) >= 6
      else { continue }
      names =
        ["Frame", "Time"].suffix(rest)
        + found.flatMap { name in ["x", "y", "z"].map { "\(name)_\($0)" } }
      first = rows[data].line
      declaredRate = Self.rate(in: rows[..<data].map(\.cells))
      remark("named in line \(row.line + 1)", "rows have three numbers per name there")
      return true
    }
    return false
  }

  private func jointLevel(_ rows: [Row], _ levels: [Int], coordinates: Int) -> Int? {
    var best: (level: Int, rank: Int)?
    for level in levels {
      let cells = filled(rows[level].cells, rows[coordinates].cells)
      var seen: Set<String> = []
      for (cell, coordinate) in zip(cells, rows[coordinates].cells)
      where Self.coordinate(coordinate) != nil && !cell.isEmpty { seen.insert(cell) }
      guard seen.count > 1 else { continue }
      let rank = seen.count { JointNames.isJoint($0) } * 100 + seen.count
      if rank > best?.rank ?? 0 { best = (level, rank) }
    }
    return best?.level
  }

  /// Fills merged cells, which have a text only above their first column.
  private func filled(_ cells: [String], _ coordinates: [String]) -> [String] {
    var last = ""
    return coordinates.indices.map { column in
      let cell = cells[safe: column] ?? ""
      guard Self.coordinate(coordinates[column]) != nil else { return cell }
      if !cell.isEmpty { last = cell }
      return last
    }
  }

  private func isPeople(_ row: Row, _ coordinates: Row, names: [String]) -> Bool {
    if row.cells.first?.lowercased() == "individuals" { return true }
    let own = filled(row.cells, coordinates.cells)
    let columns = coordinates.cells.indices.filter {
      Self.coordinate(coordinates.cells[$0]) != nil && !own[$0].isEmpty
    }
    // A row that repeats the joints, or has `Position` everywhere, names no people.
    return Set(columns.map { own[$0] + "\n" + names[$0] }).count
      > Set(columns.map { names[$0] }).count
  }

  private mutating func combine(
    _ rows: [Row], _ joints: [String], coordinates: [String], joints level: Int,
    people: [String]?, end: Int
  ) {
    let all = Set(zip(people ?? [], coordinates).filter { Self.coordinate($0.1) != nil }.map(\.0))
    let people = all.count > 1 ? people : nil
    var seen: [String: Int] = [:]
    // Header rows may also end with separators.
    let last = coordinates.indices.last { !coordinates[$0].isEmpty || !joints[$0].isEmpty } ?? 0
    let combined = coordinates.indices.prefix(last + 1).map { column -> String in
      let cell = coordinates[column]
      var name: String
      if let coordinate = Self.coordinate(cell) {
        name = joints[column] + "_" + (coordinate.isEmpty ? cell.lowercased() + "_" : coordinate)
        if let people { name = people[column] + "/" + name }
      } else {
        name = joints[column].isEmpty || column == 0 ? cell : joints[column]
        if column == 0, ["", "coords", "bodyparts", "scorer"].contains(name.lowercased()) {
          name = "frame"
        }
      }
      seen[name, default: 0] += 1
      if let count = seen[name], count > 1 { name += " (\(count))" }
      return name.isEmpty ? "column_\(column + 1)" : name
    }
    names = combined
    // pandas writes the index's name in a row of its own.
    let header = [rows[level]] + rows[..<end].filter { $0.cells.count > 1 }
    first = rows[safe: end]?.line ?? 1 + (header.map(\.line).max() ?? 0)
    remark(
      "the header has several rows; column names look like `"
        + (combined.first { $0.hasSuffix("_x") } ?? combined[0]).prefix(60) + "`",
      "joints are in line \(rows[level].line + 1), coordinates in another line")
    if people != nil {
      remark(
        "\(all.count) people: "
          + all.sorted().prefix(6).map { "`\($0.prefix(40))`" }.joined(separator: ", "),
        "a header row names them")
    }
  }

  /// Finds the frames per second in lines above a table: beside a word such as `FREQUENCY`, or
  /// alone in the second line, as in Vicon's exports.
  static func rate(in lines: [[String]]) -> Double? {
    for (index, cells) in lines.enumerated() {
      for (name, value) in zip(cells, cells.dropFirst()) {
        guard rateNames.contains(name.lowercased().filter(\.isLetter)),
          let rate = Double(decimal: value), (1...1000).contains(rate)
        else { continue }
        return rate
      }
      let content = cells.filter { !$0.isEmpty }
      guard index == 1, content.count == 1, let rate = Double(decimal: content[0]),
        (10...1000).contains(rate)
      else { continue }
      return rate
    }
    return nil
  }

  private mutating func readMarkerFile(_ rows: [Row], _ joints: Int) {
    guard rows[0].cells.first == "PathFileType" else { return }
    let labels = rows.prefix(joints).first { $0.cells.contains("Units") }
    guard let labels, let values = rows.first(where: { $0.line == labels.line + 1 }),
      let place = labels.cells.firstIndex(of: "Units"), place < values.cells.count
    else { return }
    declaredUnit = values.cells[place].lowercased()
  }
}
