internal import Evaluation
internal import PoseModel

struct PutBack: Hashable, Sendable, Codable {
  let changes: [String]
  let rules: [RuleEffect]
  let holds: Bool
  let passes: Bool
  let cell: Seconds?

  private enum CodingKeys: String, CodingKey {
    case changes, rules
    case holds = "every_rule_holds"
    case passes = "no_rule_stops"
    case cell = "cell_s"
  }

  var mended: [RuleEffect] { rules.filter { $0.holds && !$0.heldBefore } }

  var unmended: [RuleEffect] { rules.filter { !$0.holds && !$0.heldBefore } }

  var broken: [RuleEffect] { rules.filter { !$0.holds && $0.heldBefore } }
}

struct GateDiagnosis: Hashable, Sendable, Codable {
  struct Cause: Hashable, Sendable, Codable {
    let change: String
    let seconds: Seconds
    /// Who has at least two thirds of it; nil if nobody has.
    let subject: String?

    private enum CodingKeys: String, CodingKey {
      case change, subject
      case seconds = "difference_s"
    }
  }

  var changes: [SettingChange] = []
  var alone: [PutBack] = []
  /// The changes that each make a rule hold alone, put back together; nil if that is another trial.
  var mending: PutBack?
  var together: PutBack?
  /// Changes that are too many to put back alone, or that fit only together.
  var untried = 0
  /// How many sequences have other answers than in the baseline although every change is put back;
  /// nil for answers of a folder.
  var differing: Int?
  var cell: CellGrowth?
  var cause: Cause?
  var moment: BrokenMoment?
  var pose: PoseSketch?
  var explain: [String] = []

  private enum CodingKeys: String, CodingKey {
    case changes, alone, mending, together
    case untried = "untried_changes"
    case differing = "differing_sequences"
    case cell, cause, moment, pose, explain
  }

  func change(_ name: String) -> SettingChange? { changes.first { $0.name == name } }

  /// As far as tried; nil if it never passes.
  ///
  /// Prefers a single change without which every rule holds, then the one behind the growth of the
  /// cell.
  var remedy: PutBack? { best(\.holds, or: \.passes) }

  /// `known` are the places of rules among the findings that the baseline breaks, too.
  func remedy(but known: Set<Int>) -> PutBack? {
    func isEnough(_ trial: PutBack) -> Bool {
      !trial.mended.isEmpty && trial.rules.allSatisfy { $0.holds || known.contains($0.index) }
    }
    return best(isEnough, or: isEnough)
  }

  private func best(
    _ isIdeal: (PutBack) -> Bool, or isEnough: (PutBack) -> Bool
  ) -> PutBack? {
    let first = alone.sorted { isCause($0) && !isCause($1) }
    return first.first(where: isIdeal) ?? first.first(where: isEnough)
      ?? [mending, together].compactMap(\.self).first(where: isEnough)
  }

  private func isCause(_ trial: PutBack) -> Bool { trial.changes == [cause?.change] }
}
