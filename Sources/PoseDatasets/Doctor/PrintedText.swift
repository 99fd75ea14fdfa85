import PoseRecording

/// Texts that programs print for people, or write in a form that is neither JSON nor a table.
extension ForeignFile {
  private static let codeRemedy = "save each frame as JSON instead (docs/recording.md has the code)"
  private static let pythonRemedy =
    "save a line of JSON per frame instead, for example with json.dumps({'time': t, 'landmarks': "
    + "[[p.x, p.y, p.z, p.visibility] for p in landmarks]})"

  private static let prints: [(mark: String, name: String, remedy: String)] = [
    ("PoseLandmarkerResult(", "Python's printout of MediaPipe's results", pythonRemedy),
    (
      "<Landmark (", "Java's printout of MediaPipe's landmarks",
      "write x(), y() and z() of every landmark as numbers, with a time per frame, as JSON or CSV"
    ),
    ("Landmark: 0x", "Objective-C's printout of MediaPipe's landmarks", codeRemedy),
    (
      "KeyPoint(", "Kotlin's printout of key points",
      "write the part, x, y and score of every key point, with a time per frame, as JSON or CSV"
    ),
    (
      "tensor([", "PyTorch's printout of tensors",
      "save a line of JSON per frame instead, for example with json.dumps(tensor.tolist())"
    ),
    ("VNRecognizedPointKey(", "Swift's printout of Vision's points", codeRemedy),
    ("\": SIMD3<", "Swift's printout of a dictionary", codeRemedy),
    ("\": simd_float", "Swift's printout of a dictionary", codeRemedy),
    (
      "\n ...\n", "NumPy's shortened printout of an array",
      "numbers are missing where it shows ...: save arrays with numpy.savez, or print them after "
        + "numpy.set_printoptions(threshold=10**9)"
    ),
  ]

  /// Bytes that no text has, in a file that is no known format.
  init?(binary source: NamedBytes) {
    guard source.bytes.prefix(Self.sampleSize).contains(where: { $0 < 9 }) else { return nil }
    self.init(
      "binary data of an unknown kind", "save frames as JSON, CSV or with numpy.savez instead")
  }

  /// Text that begins with a bracket, but not as JSON does: a log's time, a section's title, or a
  /// map as Java prints it.
  init?(brackets source: NamedBytes) {
    let line = String(decoding: source.bytes.prefix(200), as: UTF8.self)
      .prefix { $0 != "\n" && $0 != "\r" }
    let content = line.dropFirst().prefix { !"]={[,\"".contains($0) }
    let end = line[content.endIndex...].first
    let isTitle = line.first == "[" && end == "]" && content.first?.isLetter ?? false
    let isTime = line.first == "[" && end == "]" && content.count { ":-.".contains($0) } > 2
    let isMap =
      line.first == "{" && end == "="
      && content.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    guard isTitle || isTime || isMap,
      !["null", "true", "false", "nan", "inf", "infinity", "none"].contains(content.lowercased())
    else {
      return nil
    }
    self.init("text", Self.textRemedy, found: Self.textFound)
  }

  static let textFound = "this is text, but neither JSON nor a table with columns"
  static let textRemedy =
    "save frames as JSON, or as a table whose columns are separated by commas, semicolons or tabs"

  private static let polars = "{\"columns\":"

  /// Returns the beginning of a file that may be such a text; nil for JSON other than polars' own.
  static func head(of source: NamedBytes) -> [UInt8]? {
    let isJSON = source.bytes.first { $0 > 0x20 }.map { "{[".utf8.contains($0) } ?? true
    return isJSON && !source.bytes.starts(with: polars.utf8)
      ? nil : Array(source.bytes.prefix(sampleSize))
  }

  /// Recognizes the beginning of a file in which no poses were found.
  init?(printed head: [UInt8]) {
    let text = String(decoding: head, as: UTF8.self)
    let lines = text.split(separator: "\n").prefix(40)
    if text.hasPrefix(Self.polars) {
      guard text.contains("\"datatype\":") else { return nil }
      self.init(
        "a table in polars' own JSON",
        "write it with df.write_ndjson(\"poses.jsonl\") or df.write_csv(\"poses.csv\")")
    } else if Self.isScript(text) {
      self.init(
        "JavaScript",
        "remove the code around the data, for example with sed -e '1s/^[^[{]*//' "
          + "-e 's/;[[:space:]]*$//' FILE > NEW.json")
    } else if Self.isProtobuf(lines) {
      self.init("protobuf's text format, as Python prints MediaPipe's landmarks", Self.pythonRemedy)
    } else if let print = Self.prints.first(where: { text.contains($0.mark) }) {
      self.init(print.name, print.remedy)
    } else if Self.isYAML(lines) {
      self.init(
        "YAML",
        "convert it to JSON, for example with python3 -c 'import json, sys, yaml; "
          + "json.dump(list(yaml.safe_load_all(sys.stdin)), sys.stdout, default=str)' "
          + "< FILE > NEW.json")
    } else {
      return nil
    }
  }

  private static func isScript(_ text: String) -> Bool {
    let start = text.prefix { !"[{\n".contains($0) }
    let words = start.split(separator: " ")
    let isNamed =
      words.first.map { word in
        ["const", "let", "var", "export"].contains(word)
          || word.hasPrefix("module.exports") || word.hasPrefix("window.")
      } ?? false
    return isNamed && (words.last?.hasSuffix("=") ?? false || words.last == "default")
  }

  private static func isProtobuf(_ lines: ArraySlice<Substring>) -> Bool {
    let opens = lines.contains { line in
      line.hasSuffix(" {") && line.dropLast(2).allSatisfy { $0.isLetter || " _".contains($0) }
    }
    return opens && lines.contains { $0.hasPrefix("  x: ") }
  }

  static func isYAML(_ lines: ArraySlice<Substring>) -> Bool {
    let isKey: (Substring) -> Bool = { line in
      let key = line.drop { " -".contains($0) }.prefix { $0 != ":" }
      let end = line[key.endIndex...]
      return !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        && (end == ":" || end.hasPrefix(": "))
    }
    return lines.count > 2 && lines.contains(where: isKey)
      && lines.dropLast().allSatisfy { line in
        let text = line.drop { $0 == " " }
        return isKey(line) || text.hasPrefix("- ") || text.hasPrefix("#") || text == "---"
      }
  }
}

extension PoseDiagnosis {
  /// Names the kind of text instead of what is missing in it.
  mutating func name(_ text: ForeignFile) {
    form = text.name
    problems = []
    block(text.found, text.remedy)
  }
}

extension TableExamination {
  /// Refuses rows whose first cells are names such as `left_hip_x`, which columns have.
  mutating func blockExchanged() -> Bool {
    let names = first.compactMap { row in
      (row.elements?.first ?? row.objectKeys.first.flatMap { row[$0] })?.ownText
    }
    guard table.form == .csv, first.count > 5, Set(names).count == first.count,
      Self.columnNames(names) > 5
    else { return false }
    diagnosis.block(
      "rows are named like columns, such as `left_hip_x`, so rows and columns are exchanged",
      "exchange them, for example with python3 -c 'import csv, sys; "
        + "csv.writer(sys.stdout).writerows(zip(*csv.reader(sys.stdin)))' < FILE > NEW.csv")
    return true
  }

  private static func columnNames(_ texts: some Collection<String>) -> Int {
    texts.count { FieldSearch.column($0).map { JointNames.isJoint($0.name) } ?? false }
  }

  /// How to turn rows of one number each, such as `joint, axis, value`, into rows of points or
  /// frames; nil for other rows.
  var pivot: String? {
    let rows = samples
    guard let row = rows.first, (3...6).contains(row.objectKeys.count) else { return nil }
    func texts(_ key: String) -> Set<String> { Set(rows.compactMap { $0[key]?.ownText }) }
    let keys = row.objectKeys
    let axis = keys.first { texts($0).isSuperset(of: ["x", "y"]) }
    let name = keys.first { Self.columnNames(texts($0)) > 5 }
    guard let across = axis ?? name,
      let value = keys.last(where: { key in
        key != across && rows.allSatisfy { $0[key]?.number != nil || $0[key]?.isEmpty ?? true }
      }), value.lowercased().hasPrefix("val")
    else { return nil }
    let index = keys.filter { $0 != across && $0 != value }
    let areColumns =
      table.form == .csv
      && keys.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
    let list = index.map { "'\($0)'" }.joined(separator: ", ")
    return "give every joint or frame one row"
      + (areColumns
        ? ", for example with Python: pandas.read_csv('FILE', sep=None, engine='python').pivot(index=[\(list)], "
          + "columns='\(across)', values='\(value)').reset_index().to_csv('NEW.csv', index=False)"
        : "")
  }
}
