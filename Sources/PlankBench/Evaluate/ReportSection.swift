internal import Evaluation

enum ReportSection: String, CaseIterable, Sendable {
  case detector
  case next
  case calibration
  case sources
  case matrix
  case activities
  case metrics
  case stability
  case temporal
  case slices
  case worst
  case device
  case agreement
  case jitter
  case timing
  case notes
  case provenance

  var parts: EvaluationParts {
    switch self {
    case .detector: .others
    case .next: .next
    case .metrics: .intervals
    case .jitter: .jitter
    case .notes: .angles
    case .timing: .timing
    case .sources, .slices: .slices
    case .worst: .nearest
    case .calibration, .matrix, .activities, .stability, .temporal, .device, .agreement,
      .provenance:
      []
    }
  }

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Comma-separated names; `all` means every section.
  static func list(_ text: String) throws -> [ReportSection] {
    if text == "all" { return allCases }
    var sections: [ReportSection] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let section = ReportSection(rawValue: String(name)) else {
        throw WorkflowFailure(
          .usage, "--section \(text): no section `\(name)`; sections are \(names), or all")
      }
      sections.append(section)
    }
    return sections
  }
}

/// Parts of an evaluation that take much time, and that are computed only for who sees them.
struct EvaluationParts: OptionSet, Hashable, Sendable {
  let rawValue: Int

  static let jitter = EvaluationParts(rawValue: 1)
  static let unlabeledJitter = EvaluationParts(rawValue: 1 << 1)
  static let angles = EvaluationParts(rawValue: 1 << 2)
  static let others = EvaluationParts(rawValue: 1 << 3)
  static let intervals = EvaluationParts(rawValue: 1 << 4)
  static let next = EvaluationParts(rawValue: 1 << 5)
  static let lead = EvaluationParts(rawValue: 1 << 6)
  static let timing = EvaluationParts(rawValue: 1 << 7)
  static let slices = EvaluationParts(rawValue: 1 << 8)
  static let nearest = EvaluationParts(rawValue: 1 << 9)
  /// The jitter outside holds and of bones, too, which only JSON and details show.
  static let movements = EvaluationParts(rawValue: 1 << 10)
  static let details = EvaluationParts(rawValue: 1 << 11)

  var looksForChanges: Bool { !isDisjoint(with: [.next, .lead]) }

  static let screen: EvaluationParts = [.unlabeledJitter, .intervals, .lead]
  static let report: EvaluationParts = [
    .jitter, .angles, .others, .intervals, .next, .timing, .slices, .nearest,
  ]
}
