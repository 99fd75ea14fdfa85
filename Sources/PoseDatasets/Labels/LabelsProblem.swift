package import PoseModel

/// What can be wrong with a label file.
package enum LabelsProblem: Error, Hashable, Sendable {
  /// The file has no line at all.
  case empty
  /// The first line is not `start,end,plank,form`.
  case wrongHeader(found: String)
  /// A row without four fields.
  case wrongFieldCount(found: Int)
  /// A time that is no decimal number.
  case notANumber(column: String, found: String)
  /// A class that does not exist.
  case unknownName(column: String, found: String, allowed: [String])
  /// A segment that breaks a rule of label tracks.
  case segment(LabelTrackError.Problem)

  /// The problem in words.
  var message: String {
    switch self {
    case .empty: "found an empty file; allowed: the header `\(LabelsReader.header)` and rows"
    case .wrongHeader(let found):
      "found the header `\(found)`; allowed: `\(LabelsReader.header)`"
    case .wrongFieldCount(let found): "found \(found) fields; allowed: 4, form may be empty"
    case .notANumber(let column, let found):
      "`\(column)`: found `\(found)`; allowed: seconds as a decimal number"
    case .unknownName(let column, let found, let allowed):
      "`\(column)`: found `\(found)`; allowed: \(allowed.joined(separator: ", "))"
    case .segment(let problem): String(parts(of: problem).message)
    }
  }

  /// What to do about it.
  var remedy: String {
    switch self {
    case .empty, .wrongHeader: "write the header line exactly so"
    case .wrongFieldCount: "write start,end,plank,form"
    case .notANumber: "write a number such as 12.5"
    case .unknownName: "write one of the allowed names; case matters"
    case .segment(let problem): String(parts(of: problem).remedy)
    }
  }

  /// The model's sentences have the form "problem; remedy".
  private func parts(
    of problem: LabelTrackError.Problem
  ) -> (message: Substring, remedy: Substring) {
    let parts = problem.rawValue.split(separator: "; ", maxSplits: 1)
    return (parts.first ?? "", parts.count == 2 ? parts[1] : "correct the row")
  }
}
