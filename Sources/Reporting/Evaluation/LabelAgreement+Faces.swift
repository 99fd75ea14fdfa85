package import Evaluation
internal import PoseModel

extension LabelAgreement {
  /// Every number by name, undefined ones as null with their reason.
  package var json: JSONValue {
    var members: [String: JSONValue] = [:]
    for row in rows {
      members[row.name] = .object([
        "value": .optional(row.value.number), "unit": .string(row.unit),
        "undefined": .optional(row.value.reason?.rawValue),
      ])
    }
    return .object(members)
  }

  /// The agreement for people.
  ///
  /// - Parameter isCeiling: whether it stands beside the scores of a detector.
  package func document(isCeiling: Bool) -> Document {
    var document = Document()
    document.heading("Agreement of two annotators")
    if isCeiling {
      document.paragraph(
        "No detector can be shown to be better than the people whose labels are its truth agree.")
    }
    var table = Table([.words("number"), .number("value"), .words("unit"), .words("")])
    for row in rows {
      table.row([
        StyledText(row.name),
        StyledText(row.value.number.map { NumberText.fixed($0, 3) } ?? "n/a", .strong),
        StyledText(row.unit, .dim), StyledText(row.value.reason?.rawValue ?? "", .dim),
      ])
    }
    document.table(table)
    for stream in AnswerStream.allCases where self[stream].commonSeconds.total > 0 {
      document.table(matrix(stream))
    }
    return document
  }

  /// The seconds that both labeled: rows the first person's classes, columns the second one's.
  private func matrix(_ stream: AnswerStream) -> Table {
    let seconds = self[stream].commonSeconds
    var table = Table(
      [.words("first \\ second, s")] + seconds.labels.map { Table.Column.number($0) })
    for (row, label) in seconds.labels.enumerated() {
      let cells = seconds.labels.indices.map { column -> StyledText in
        let value = seconds[row, column]
        if value == 0 { return StyledText(".", .dim) }
        return StyledText(NumberText.fixed(value, 1), row == column ? .good : .bad)
      }
      table.row([StyledText(label, .strong)] + cells)
    }
    return table
  }
}
