internal import Evaluation
internal import PoseModel

/// Answers with some changes put back as they were in the baseline, judged by the same rules.
struct PutBack: Hashable, Sendable, Codable {
  /// The names of the changes.
  let changes: [String]
  /// Every rule that is broken by the candidate or by these answers.
  let rules: [RuleEffect]
  /// Whether no rule is broken any more.
  let holds: Bool
  /// Whether no rule stops the gate any more.
  let passes: Bool
  /// How long the cell is that grew most; nil if none grew.
  let cell: Seconds?

  private enum CodingKeys: String, CodingKey {
    case changes, rules
    case holds = "every_rule_holds"
    case passes = "no_rule_stops"
    case cell = "cell_s"
  }

  /// The rules that hold again.
  var mended: [RuleEffect] { rules.filter { $0.holds && !$0.heldBefore } }

  /// The rules that stay broken.
  var unmended: [RuleEffect] { rules.filter { !$0.holds && !$0.heldBefore } }

  /// The rules that only these answers break.
  var broken: [RuleEffect] { rules.filter { !$0.holds && $0.heldBefore } }
}

/// Why a gate stops or warns: what broke, and what each change since the baseline has to do with it.
struct GateDiagnosis: Hashable, Sendable, Codable {
  /// The change that the growth of a cell comes from.
  struct Cause: Hashable, Sendable, Codable {
    /// The change's name.
    let change: String
    /// How much shorter the cell is with the change put back.
    let seconds: Seconds
    /// Who has at least two thirds of it; nil if nobody has.
    let subject: String?

    private enum CodingKeys: String, CodingKey {
      case change, subject
      case seconds = "difference_s"
    }
  }

  /// The settings that differ from the baseline's; empty for answers of a folder.
  var changes: [SettingChange] = []
  /// Each change put back alone.
  var alone: [PutBack] = []
  /// The changes that mend a rule alone, put back together; nil if that is one of the others.
  var mending: PutBack?
  /// All changes put back; nil if there are fewer than two.
  var together: PutBack?
  /// How many changes were not put back alone, because there are too many of them or they fit
  /// only together.
  var untried = 0
  /// How many sequences have other answers than in the baseline although every change is put back;
  /// nil for answers of a folder.
  var differing: Int?
  /// The cell that grew most; nil if none did.
  var cell: CellGrowth?
  /// The change behind most of its growth; nil if it is none or unknown.
  var cause: Cause?
  /// The longest stretch of that cell; nil without one.
  var moment: BrokenMoment?
  /// The body in the middle of that stretch; nil if it was not found.
  var pose: PoseSketch?
  /// The command that explains the moment, line by line; empty for answers of a folder.
  var explain: [String] = []

  private enum CodingKeys: String, CodingKey {
    case changes, alone, mending, together
    case untried = "untried_changes"
    case differing = "differing_sequences"
    case cell, cause, moment, pose, explain
  }

  /// The change of a name.
  func change(_ name: String) -> SettingChange? { changes.first { $0.name == name } }

  /// The fewest changes without which the gate passes, as far as tried; nil if it never does.
  ///
  /// Among single changes, one without which every rule holds is preferred, then the one behind the
  /// growth of the cell.
  var remedy: PutBack? { best(\.holds, or: \.passes) }

  /// The fewest changes without which only rules stay broken that the baseline breaks, too.
  ///
  /// - Parameter known: the places of those rules among the findings.
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
