/// What files of labels call recordings: a movie's name, a path, an address.
package enum RecordingName {
  private static let endings = [
    ".poses.jsonl.gz", ".poses.jsonl", ".labels.csv", ".jsonl", ".json", ".csv", ".npy", ".npz",
    ".txt", ".tsv", ".eaf", ".textgrid", ".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm", ".mpg",
    ".mpeg", ".mts", ".wmv", ".3gp", ".ogv", ".wav", ".mp3", ".m4a", ".flac", ".srt", ".vtt",
    ".xml",
    ".anvil",
  ]

  static func hasKnownEnding(_ name: String) -> Bool {
    let name = name.lowercased()
    return endings.contains { name.hasSuffix($0) }
  }

  /// The name without its kind.
  package static func withoutEnding(_ name: String) -> String {
    let lowercased = name.lowercased()
    guard let ending = endings.first(where: { lowercased.hasSuffix($0) }),
      ending.count < name.count
    else { return name }
    return String(name.dropLast(ending.count))
  }

  /// A name for a file: the last part of a path, without its kind.
  package static func fileName(_ name: String) -> String {
    NamedText(name: withoutEnding(lastPart(decoded(name))) + ".x", text: "").stem
  }

  private static func lastPart(_ name: String) -> String {
    name.split { "/\\=".contains($0) }.last.map(String.init) ?? name
  }

  /// What a recording may be called, likeliest first.
  static func candidates(_ name: String) -> [String] {
    let whole = decoded(name)
    var names = [withoutEnding(whole)]
    let last = lastPart(whole)
    let short = withoutEnding(last)
    names.append(short)
    names.append(NamedText(name: last, text: "").stem)
    // Label Studio puts 8 digits before the names of files that are sent to it.
    let mark = short.prefix(9)
    if mark.count == 9, mark.last == "-", mark.dropLast().allSatisfy(\.isHexDigit) {
      names.append(String(short.dropFirst(9)))
    }
    names.append(NamedText(name: short + ".x", text: "").stem)
    var seen: Set<String> = []
    return names.filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  private static func decoded(_ name: String) -> String {
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

/// The recordings of a dataset, found by what files of labels call them.
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
      let last = String(name.split(separator: "/").last ?? "")
      for short in Set([name, last, name.lowercased(), last.lowercased()]) {
        byName[short, default: []].append(index)
      }
    }
  }

  /// The recording with one of the names, of which the first are tried first.
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

/// Who was recorded: a table with a column for the recording and one for the person.
package struct PeopleTable: Sendable {
  package struct Row: Hashable, Sendable {
    package let place: SourcePlace
    package let recordings: [String]
    package let subject: String
  }

  package let rows: [Row]

  private static let usualSubjects = [
    "subject", "person", "participant", "athlete", "who", "subject id", "participant id", "actor",
    "user",
  ]

  package init(_ source: NamedText) throws {
    var text = CSVText(source)
    let lines = text.lines.indices.filter { index in
      !text.lines[index].hasPrefix("#") && !text.lines[index].allSatisfy(\.isWhitespace)
    }
    guard let top = lines.first else { throw PoseSourceError.emptyTable(file: source.name) }
    for separator in ["\t", ";", ","] as [Unicode.Scalar] {
      text.separator = UInt8(ascii: separator)
      let names = text.fields(ofLine: top).map { ColumnName(String($0)) }
      let subject = Self.usualSubjects.lazy.compactMap { name in
        names.firstIndex { $0.isNamed(name) }
      }.first
      let recordings = LabelColumns.usualRecordings.compactMap { name in
        names.firstIndex { $0.isNamed(name) }
      }
      guard let subject, !recordings.isEmpty else { continue }
      var rows: [Row] = []
      for index in lines.dropFirst() {
        let place = SourcePlace(file: source.name, line: index + 1)
        let fields = text.fields(ofLine: index)
        guard fields.count == names.count else {
          throw PoseSourceError.wrongFieldCount(
            place, found: fields.count, expected: names.count)
        }
        let names = recordings.map { String(fields[$0]) }.filter { !$0.isEmpty }
        guard !names.isEmpty, !fields[subject].isEmpty else { continue }
        rows.append(Row(place: place, recordings: names, subject: String(fields[subject])))
      }
      guard !rows.isEmpty else { throw PoseSourceError.emptyTable(file: source.name) }
      self.rows = rows
      return
    }
    throw PoseSourceError.unexpectedValue(
      file: SourcePlace(file: source.name, line: top + 1).description, path: "the header",
      found: "`\(text.lines[top].prefix(120))`",
      allowed: "a table of people with the columns `recording` and `subject`")
  }
}
