package import Evaluation
package import PoseModel

package struct PutBack: Hashable, Sendable, Codable {
  package let changes: [String]
  let rules: [RuleEffect]
  package let holds: Bool
  let passes: Bool
  let cell: Seconds?

  package init(changes: [String], rules: [RuleEffect], holds: Bool, passes: Bool, cell: Seconds?) {
    self.changes = changes
    self.rules = rules
    self.holds = holds
    self.passes = passes
    self.cell = cell
  }

  private enum CodingKeys: String, CodingKey {
    case changes, rules
    case holds = "every_rule_holds"
    case passes = "no_rule_stops"
    case cell = "cell_s"
  }

  package var fixed: [RuleEffect] { rules.filter { $0.holds && !$0.heldBefore } }

  var unfixed: [RuleEffect] { rules.filter { !$0.holds && !$0.heldBefore } }

  var broken: [RuleEffect] { rules.filter { !$0.holds && $0.heldBefore } }
}

package struct GateDiagnosis: Hashable, Sendable, Codable {
  package struct Cause: Hashable, Sendable, Codable {
    let change: String
    let seconds: Seconds
    /// The person with at least two thirds of the seconds.
    let subject: String?

    package init(change: String, seconds: Seconds, subject: String?) {
      self.change = change
      self.seconds = seconds
      self.subject = subject
    }

    private enum CodingKeys: String, CodingKey {
      case change, subject
      case seconds = "difference_s"
    }
  }

  package var changes: [SettingChange] = []
  package var alone: [PutBack] = []
  /// Puts back all changes that make some rule hold when put back alone; nil if another trial is
  /// the same.
  package var fixing: PutBack?
  package var together: PutBack?
  /// Counts changes that were not put back alone, because there are too many or because they fit
  /// only together.
  package var untried = 0
  /// How many sequences' answers differ from the baseline's although every change is put back; nil
  /// for a folder of answers.
  package var differing: Int?
  package var cell: CellGrowth?
  package var cause: Cause?
  package var moment: BrokenMoment?
  package var pose: PoseSketch?
  package var explain: [String] = []

  package static let empty = GateDiagnosis()

  private enum CodingKeys: String, CodingKey {
    case changes, alone, fixing, together
    case untried = "untried_changes"
    case differing = "differing_sequences"
    case cell, cause, moment, pose, explain
  }

  func change(_ name: String) -> SettingChange? { changes.first { $0.name == name } }

  /// Nil if no trial makes the gate pass.
  ///
  /// A single change without which every rule holds is preferred, then the change behind the
  /// confusion that grew most.
  var remedy: PutBack? { best(\.holds, or: \.passes) }

  func remedy(but known: Set<Int>) -> PutBack? {
    func isEnough(_ trial: PutBack) -> Bool {
      !trial.fixed.isEmpty && trial.rules.allSatisfy { $0.holds || known.contains($0.index) }
    }
    return best(isEnough, or: isEnough)
  }

  private func best(_ isIdeal: (PutBack) -> Bool, or isEnough: (PutBack) -> Bool) -> PutBack? {
    let first = alone.sorted { isCause($0) && !isCause($1) }
    return first.first(where: isIdeal) ?? first.first(where: isEnough)
      ?? [fixing, together].compactMap(\.self).first(where: isEnough)
  }

  private func isCause(_ trial: PutBack) -> Bool { trial.changes == [cause?.change] }

  static func number(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, abs($0) < 10 ? 3 : 1) } ?? "n/a"
  }

  func targets(_ trial: PutBack) -> String {
    let found = trial.changes.compactMap(change)
    guard found.count != 1 else { return found[0].target }
    return WordText.all(found.map(\.subject)) + " back"
  }

  func shortTargets(_ trial: PutBack) -> String {
    if trial.changes.count == 2, changes.count == 2 { return "both changes back" }
    return trial.changes.count == changes.count
      ? "all \(NumberText.count(changes.count)) changes back"
      : "\(NumberText.count(trial.changes.count)) of \(NumberText.count(changes.count)) changes back"
  }

  var sentence: String? {
    guard let cell else { return nil }
    let place = cell.slice == .all ? "" : " (\(cell.slice))"
    guard let cause, let change = change(cause.change) else {
      return "\(NumberText.fixed(cell.growth.value, 1)) s more of `\(cell.truth)`\(place) are "
        + "answered as `\(cell.answer)` than in the baseline\(people(cell.people.most, cell))."
    }
    return
      "\(WordText.capitalized(change.text)) turns \(NumberText.fixed(cause.seconds.value, 1)) s of "
      + "`\(cell.truth)`\(place) into `\(cell.answer)`\(people(cause.subject, cell))."
  }

  private func people(_ most: String?, _ cell: CellGrowth) -> String {
    guard let most, cell.people.count > 1 else { return "" }
    return ", mostly for \(most)"
  }

  var lines: [String] {
    alone.filter { !$0.fixed.isEmpty }.map(line) + severals.map(line) + remarks
  }

  var remarks: [String] {
    let idle = alone.filter(\.fixed.isEmpty).compactMap { change($0.changes[0])?.subject }
    let alone = idle.count > 1 ? " (each alone)" : ""
    let names = idle.count > 3 ? NumberText.count(idle.count, "other change") : WordText.all(idle)
    return [
      idle.isEmpty ? nil : "putting \(names) back\(alone) fixes no rule",
      untried > 0 ? "not tried alone: \(NumberText.count(untried, "change"))" : nil, remark,
    ].compactMap(\.self)
  }

  var severals: [PutBack] {
    let isSettled = remedy != nil && remedy != together
    return [fixing, isSettled ? nil : together].compactMap(\.self)
  }

  func line(_ trial: PutBack) -> String {
    let found = trial.changes.compactMap(change)
    let isAll = found.count == changes.count && found.count > 1
    let what = isAll ? shortTargets(trial) : targets(trial)
    if trial.holds, !trial.fixed.isEmpty, found.count > 1 {
      return "put \(what): every rule holds"
    }
    let effects = trial.fixed + trial.broken + trial.unfixed
    return "put \(what): " + effects.map(\.text).joined(separator: ", ")
  }

  private var remark: String? {
    guard let differing else { return nil }
    let places = NumberText.count(differing, "recording")
    if changes.isEmpty {
      return differing == 0
        ? "the answers are the same as in the baseline"
        : "no setting changed since the baseline, but the program now answers \(places) differently"
    }
    return differing == 0
      ? nil
      : "with every change put back, \(places) still get\(differing == 1 ? "s" : "") different "
        + "answers, so the program changed, too"
  }
}

package struct SettingChange: Hashable, Sendable, Codable {
  package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    case detector
    case rules
    case smoothing
    case debounce
    case parameter
  }

  package let kind: Kind
  package let name: String
  let before: String
  let after: String
  let unit: String
  let options: [String]

  package init(
    kind: Kind, name: String, before: String, after: String, unit: String, options: [String]
  ) {
    self.kind = kind
    self.name = name
    self.before = before
    self.after = after
    self.unit = unit
    self.options = options
  }

  var text: String {
    switch kind {
    case .rules: "a change to the rules"
    case .parameter: "`\(name)` \(before) -> \(after)\(spacedUnit)"
    case .detector, .smoothing, .debounce: "`\(name)` `\(before)` -> `\(after)`"
    }
  }

  var target: String { "\(subject) back\(value.isEmpty ? "" : " to \(value)")" }

  var subject: String { kind == .rules ? "the rules" : "`\(name)`" }

  private var value: String {
    switch kind {
    case .rules: ""
    case .parameter: before + spacedUnit
    case .detector, .smoothing, .debounce: "`\(before)`"
    }
  }

  private var spacedUnit: String { unit.isEmpty ? "" : " " + unit }
}

extension RuleEffect {
  fileprivate var name: String { rule + (reference == .anchor ? " since the anchor" : "") }

  var numbers: String { "\(GateDiagnosis.number(now)), then \(GateDiagnosis.number(value))" }

  var text: String {
    let state =
      holds ? (heldBefore ? "holds" : "holds again") : heldBefore ? "breaks" : "still fails"
    return "\(name) \(state) (\(GateDiagnosis.number(value)))"
  }
}

extension GateReport {
  private var known: Set<Int> {
    Set(result.findings.indices.filter { result.findings[$0].failedBefore })
  }

  var failedBefore: String? {
    let found = result.findings.filter(\.failedBefore).map {
      "\($0.name) (\(GateDiagnosis.number($0.baseline)))"
    }
    return found.isEmpty ? nil : "failed in the baseline, too: " + WordText.first(5, of: found)
  }

  var remedies: [String] {
    guard status != .success, result.obstacles.isEmpty, let diagnosis else { return [] }
    if let remedy = diagnosis.remedy {
      let warnings = remedy.rules.count { !$0.holds }
      let rest =
        warnings == 0
        ? "" : "; \(NumberText.count(warnings, "warning")) stay\(warnings == 1 ? "s" : "")"
      return wordings(remedy, diagnosis, rest)
    }
    let known = known
    guard let remedy = diagnosis.remedy(but: known) else { return [] }
    let names = remedy.unfixed.map { result.findings[$0.index].name }
    return wordings(
      remedy, diagnosis,
      "; \(names.count == 1 ? names[0] : "\(names.count) rules") failed before, too")
  }

  private func wordings(_ trial: PutBack, _ diagnosis: GateDiagnosis, _ rest: String) -> [String] {
    let start = "Do not merge: put "
    let reason = trial.fixed.first.map { " (\($0.rule) \($0.numbers))" } ?? ""
    let (long, short) = (diagnosis.targets(trial), diagnosis.shortTargets(trial))
    return [start + long + rest + reason, start + long + rest]
      + (trial.changes.count > 1 ? [start + short + rest + reason, start + short + rest] : [])
  }

  func effects(on finding: GateFinding) -> [String] {
    guard finding.isBroken, let diagnosis, let index = result.findings.firstIndex(of: finding)
    else { return [] }
    let trials = diagnosis.alone + [diagnosis.fixing, diagnosis.together].compactMap(\.self)
    let fixing = trials.filter { $0.fixed.contains { $0.index == index } }
    let single = fixing.filter { $0.changes.count == 1 }
    let found = (single.isEmpty ? Array(fixing.prefix(1)) : single).map { trial in
      let value = trial.rules.first { $0.index == index }?.value
      return "holds with \(diagnosis.targets(trial)) (\(GateDiagnosis.number(value)))"
    }
    let before =
      finding.failedBefore
      ? ["failed in the baseline, too (\(GateDiagnosis.number(finding.baseline)))"] : []
    return found + before
  }
}
