package import PoseModel

/// `time,plank,form`, one row for each time at which a class truly started; `NAME.onsets.csv` is
/// beside `NAME.labels.csv`.
package enum OnsetsReader {
  package static let header = "time,plank,form"
  package static let ending = ".onsets.csv"

  package static func path(besideLabelsAt path: String) -> String {
    let labels = ".labels.csv"
    return (path.hasSuffix(labels) ? String(path.dropLast(labels.count)) : path) + ending
  }

  package static func read(path: String, of labels: LabelTrack) throws -> LabelTrack {
    try read(try FileBytes(path: path), name: path, of: labels)
  }

  package static func read(text: String, name: String, of labels: LabelTrack) throws -> LabelTrack {
    try read(MemoryBytes(Array(text.utf8)), name: name, of: labels)
  }

  private static func read(
    _ source: any ByteSource, name: String, of labels: LabelTrack
  ) throws -> LabelTrack {
    let lines = LineReader(source, name: name)
    guard let first = try lines.next() else {
      throw DatasetError.invalidLabels(file: name, line: nil, problem: .empty(header: header))
    }
    let found = try LabelsReader.text(of: first, lines)
    guard found == header else {
      throw DatasetError.invalidLabels(
        file: name, line: first.number,
        problem: .wrongHeader(found: String(found.prefix(80)), allowed: header))
    }
    var onsets: [LabelOnset] = []
    var numbers: [Int] = []
    while let line = try lines.next() {
      let row = try LabelsReader.text(of: line, lines)
      do {
        onsets.append(try onset(of: row))
      } catch {
        throw DatasetError.invalidLabels(file: name, line: line.number, problem: error)
      }
      numbers.append(line.number)
    }
    do {
      return try labels.adding(onsets)
    } catch {
      throw DatasetError.invalidLabels(
        file: name, line: numbers[error.onset], problem: .onset(error.problem))
    }
  }

  private static func onset(of row: String) throws(LabelsProblem) -> LabelOnset {
    let fields = row.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == 3 else { throw .wrongFieldCount(found: fields.count, header: header) }
    return LabelOnset(
      time: try LabelsReader.seconds(fields[0], column: "time"),
      plank: fields[1].isEmpty ? nil : try LabelsReader.plank(fields[1], orElse: "nothing"),
      form: try LabelsReader.form(fields[2]))
  }
}

package enum OnsetsWriter {
  /// The text of a file of onsets; times are the shortest decimals that read back to themselves.
  package static func text(of onsets: [LabelOnset]) -> String {
    var text = OnsetsReader.header + "\n"
    for onset in onsets {
      text += "\(onset.time.value),\(onset.plank?.name ?? ""),\(onset.form?.name ?? "")\n"
    }
    return text
  }
}
