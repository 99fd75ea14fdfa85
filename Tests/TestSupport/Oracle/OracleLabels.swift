/// The labels of one recording: truth for each frame time (`docs/contract.md`, Labels).
package struct OracleLabels: Sendable, Equatable {
  /// Plank classes in the contract's order.
  package static let plankClasses = [
    "none", "forearm", "high", "sideLeft", "sideRight", "reverse",
  ]
  /// Form classes in the contract's order.
  package static let formClasses = ["aligned", "sag", "pike"]

  /// Sorted, not overlapping.
  package var segments: [OracleSegment]

  /// Makes labels of segments.
  package init(segments: [OracleSegment]) {
    self.segments = segments
  }

  /// Reads a `.labels.csv` text that is valid.
  package init(csv: String) throws {
    segments = []
    for (index, line) in csv.split(whereSeparator: \.isNewline).enumerated().dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 4, let start = Double(fields[0]), let end = Double(fields[1]) else {
        throw OracleError.malformedLabels(line: index + 1)
      }
      segments.append(OracleSegment(start: start, end: end, plank: fields[2], form: fields[3]))
    }
  }

  /// The labels as a file; a number is written so that it parses to the same Double.
  package var csv: String {
    let lines = segments.map { "\($0.start),\($0.end),\($0.plank),\($0.form)" }
    return (["start,end,plank,form"] + lines).joined(separator: "\n") + "\n"
  }

  /// The plank truth at a time; nil in no segment or in `ignore`.
  package func plank(at time: Double) -> String? {
    segment(at: time).flatMap { $0.plank == "ignore" ? nil : $0.plank }
  }

  /// The form truth at a time; nil without a form label.
  package func form(at time: Double) -> String? {
    segment(at: time).flatMap { $0.form.isEmpty ? nil : $0.form }
  }

  private func segment(at time: Double) -> OracleSegment? {
    segments.first { $0.start <= time && time < $0.end }
  }
}
