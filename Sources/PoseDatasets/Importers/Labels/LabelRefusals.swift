import PoseModel

/// Texts that would pass for tables and are not.
enum LabelRefusals {
  static func check(_ source: NamedText) throws {
    let lines = Array(
      CSVText(source).lines.lazy.filter { !$0.allSatisfy(\.isWhitespace) }.prefix(40))
    guard let first = lines.first, let problem = problem(first, lines.dropFirst()) else {
      return try checkName(source, lines.first ?? "")
    }
    throw PoseSourceError.unusableValues(
      name: source.name, found: "this is \(problem.found)", remedy: problem.remedy)
  }

  private static func problem(
    _ first: Substring, _ rest: ArraySlice<Substring>
  ) -> (found: String, remedy: String)? {
    if first == "---" || ForeignFile.isYAML([first] + rest) {
      return ("YAML", "save the same fields as JSON, or write a table: start,end,label")
    }
    if first.hasPrefix("TITLE:"), rest.prefix(3).contains(where: { $0.hasPrefix("FCM:") }) {
      return (
        "an edit decision list (EDL)",
        "write its clips as a table: start,end,label, with the times of the record side"
      )
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
