internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Tuning

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

  private func best(_ isIdeal: (PutBack) -> Bool, or isEnough: (PutBack) -> Bool) -> PutBack? {
    let first = alone.sorted { isCause($0) && !isCause($1) }
    return first.first(where: isIdeal) ?? first.first(where: isEnough)
      ?? [mending, together].compactMap(\.self).first(where: isEnough)
  }

  private func isCause(_ trial: PutBack) -> Bool { trial.changes == [cause?.change] }

  static func number(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, abs($0) < 10 ? 3 : 1) } ?? "n/a"
  }

  func targets(_ trial: PutBack) -> String {
    let found = trial.changes.compactMap(change)
    guard found.count != 1 else { return found[0].target }
    return Self.list(found.map(\.subject)) + " back"
  }

  func shortTargets(_ trial: PutBack) -> String {
    if trial.changes.count == 2, changes.count == 2 { return "both changes back" }
    return trial.changes.count == changes.count
      ? "all \(NumberText.count(changes.count)) changes back"
      : "\(NumberText.count(trial.changes.count)) of \(NumberText.count(changes.count)) changes back"
  }

  private static func list(_ names: [String]) -> String {
    names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
  }

  var sentence: String? {
    guard let cell else { return nil }
    let place = cell.slice == .all ? "" : " (\(cell.slice))"
    guard let cause, let change = change(cause.change) else {
      return "\(NumberText.fixed(cell.growth.value, 1)) s more of `\(cell.truth)`\(place) is "
        + "answered `\(cell.answer)` than in the baseline\(people(cell.people.most, cell))."
    }
    return
      "\(Self.capitalized(change.text)) turns \(NumberText.fixed(cause.seconds.value, 1)) s of "
      + "`\(cell.truth)`\(place) into `\(cell.answer)`\(people(cause.subject, cell))."
  }

  private func people(_ most: String?, _ cell: CellGrowth) -> String {
    guard let most, cell.people.count > 1 else { return "" }
    return ", most of it for \(most)"
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  func lines(items: Int = .max) -> [String] {
    let useful = alone.filter { !$0.mended.isEmpty }
    var lines = useful.prefix(items).map(line)
    if useful.count > items {
      lines.append(
        "\(useful.count - items) more change\(useful.count - items == 1 ? " mends" : "s mend") a rule alone"
      )
    }
    return lines + severals.map(line) + remarks
  }

  var remarks: [String] {
    let idle = alone.filter(\.mended.isEmpty).compactMap { change($0.changes[0])?.subject }
    let alone = idle.count > 1 ? " (each alone)" : ""
    let names = idle.count > 3 ? NumberText.count(idle.count, "other change") : Self.list(idle)
    return [
      idle.isEmpty ? nil : "putting \(names) back\(alone) mends no rule",
      untried > 0 ? "not tried alone: \(NumberText.count(untried, "change"))" : nil, remark,
    ].compactMap(\.self)
  }

  var severals: [PutBack] {
    let isSettled = remedy != nil && remedy != together
    return [mending, isSettled ? nil : together].compactMap(\.self)
  }

  func line(_ trial: PutBack) -> String {
    let found = trial.changes.compactMap(change)
    let isAll = found.count == changes.count && found.count > 1
    let what = isAll ? shortTargets(trial) : targets(trial)
    if trial.holds, !trial.mended.isEmpty, found.count > 1 {
      return "put \(what): every rule holds"
    }
    let effects = trial.mended + trial.broken + trial.unmended
    return "put \(what): " + effects.map(\.text).joined(separator: ", ")
  }

  private var remark: String? {
    guard let differing else { return nil }
    let places = NumberText.count(differing, "recording")
    if changes.isEmpty {
      return differing == 0
        ? "the answers are those of the baseline: nothing changed"
        : "no setting changed since the baseline: the program answers \(places) differently"
    }
    return differing == 0
      ? nil
      : "with every change put back, \(places) still get\(differing == 1 ? "s" : "") other answers: "
        + "the program changed, too"
  }
}

struct SettingChange: Hashable, Sendable, Codable {
  enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    case detector
    case rules
    case smoothing
    case debounce
    case parameter
  }

  let kind: Kind
  let name: String
  let before: String
  let after: String
  let unit: String
  let options: [String]

  /// In the order in which they take effect, parameters by name; another detector is one change,
  /// because its parameters mean something else.
  static func all(from before: Thresholds, to after: Thresholds) -> [SettingChange] {
    guard before.definition.name == after.definition.name else {
      return [
        SettingChange(
          kind: .detector, name: "detector", before: before.definition.name,
          after: after.definition.name, unit: "", options: [])
      ]
    }
    let rules =
      before.definition == after.definition
      ? []
      : [SettingChange(kind: .rules, name: "rules", before: "", after: "", unit: "", options: [])]
    let texts: [(Kind, String, String)] = [
      (.smoothing, before.smoothing.text, after.smoothing.text),
      (.debounce, before.debounceText, after.debounceText),
    ]
    let strategies = texts.filter { $1 != $2 }.map { kind, old, new in
      SettingChange(
        kind: kind, name: kind.rawValue, before: old, after: new, unit: "",
        options: ["--\(kind.rawValue)", old])
    }
    return rules + strategies + parameters(from: before, to: after)
  }

  private static func parameters(from before: Thresholds, to after: Thresholds) -> [SettingChange] {
    let known = Dictionary(
      before.parameters.entries.map { ($0.definition.key, $0) }, uniquingKeysWith: { $1 })
    let found = after.parameters.entries.compactMap { definition, value -> SettingChange? in
      guard let old = known[definition.key], old.definition.unit == definition.unit,
        old.value != value, definition.accepts(old.value)
      else { return nil }
      let text = TwoValues(definition, old.value, value)
      let short = text.first + text.unit
      let isExact = (try? definition.parse(short)) == old.value
      let assigned = isExact ? short : NumberText.shortest(old.value)
      return SettingChange(
        kind: .parameter, name: definition.key.rawValue, before: text.first, after: text.second,
        unit: text.unit, options: ["--set", "\(definition.key.rawValue)=\(assigned)"])
    }
    return found.sorted { $0.name < $1.name }
  }

  func put(back before: Thresholds, in after: Thresholds) throws -> Thresholds {
    var parameters = after.parameters
    switch kind {
    case .detector: return before
    case .rules:
      parameters = before.parameters
      for (definition, value) in after.parameters.entries where parameters[definition.key] != nil {
        try parameters.set(definition.key, to: value)
      }
    case .parameter:
      let key = after.parameters.definitions.first { $0.key.rawValue == name }?.key
      guard let key, let value = before.parameters[key] else { break }
      try parameters.set(key, to: value)
    case .smoothing, .debounce: break
    }
    return Thresholds(
      definition: kind == .rules ? before.definition : after.definition, parameters: parameters,
      smoothing: kind == .smoothing ? before.smoothing : after.smoothing,
      debounce: kind == .debounce ? before.debounce : after.debounce)
  }

  var text: String {
    switch kind {
    case .rules: "a change of the rules"
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

/// Lengths are in centimeters, with as many digits as tell the values apart.
struct TwoValues {
  let first: String
  let second: String
  let unit: String

  init(_ definition: ParameterDefinition, _ first: Double, _ second: Double) {
    let isLength = definition.unit == .meters
    let isPlain = definition.unit == .ratio || definition.unit == .frames
    let values = [first, second].map { isLength ? 100 * $0 : $0 }
    let short = values.map(NumberText.short)
    let texts = short[0] == short[1] ? values.map(NumberText.shortest) : short
    self.first = texts[0]
    self.second = texts[1]
    unit = isLength ? "cm" : isPlain ? "" : definition.unit.rawValue
  }
}

struct PutBackTrials: Sendable {
  static let most = 10

  let gate: GateSettings
  let candidate: GateCandidate
  let baseline: Baseline
  let judge: GateJudge
  let findings: [GateFinding]
  let progress: ProgressReport

  private struct Trial: Sendable {
    let side: GateSide
    let answers: [Baseline.Sequence]
  }

  func diagnosis() async throws -> GateDiagnosis {
    guard let known = judge.baseline else { return GateDiagnosis() }
    var found = GateDiagnosis()
    found.cell = CellGrowth.largest(from: known, to: judge.candidate, findings)
    if let cell = found.cell { try describe(cell, in: &found) }
    guard let before = baseline.thresholds, let after = candidate.thresholds else { return found }
    found.changes = SettingChange.all(from: before, to: after)
    try await tryAll(&found, before, after)
    return found
  }

  private func tryAll(
    _ found: inout GateDiagnosis, _ before: Thresholds, _ after: Thresholds
  ) async throws {
    var benches: [BenchDetector] = []
    var names: [[String]] = []
    for change in found.changes.prefix(Self.most) {
      // Settings that do not fit together are only tried together.
      guard let settings = try? change.put(back: before, in: after),
        let bench = try? BenchDetector(settings)
      else { continue }
      benches.append(bench)
      names.append([change.name])
    }
    found.untried = found.changes.count - benches.count
    let all = found.changes.count > 1 || found.untried > 0 ? try? BenchDetector(before) : nil
    if let all {
      benches.append(all)
      names.append(found.changes.map(\.name))
    }
    let trials = try await run(benches)
    let judged = zip(names, trials).map { put($0, $1, found.cell) }
    found.alone = Array(judged.prefix(benches.count - (all == nil ? 0 : 1)))
    found.together = all == nil ? nil : judged.last
    found.differing = differing(trials.last?.answers ?? candidate.runs.map(\.answers))
    found.cause = found.cell.flatMap { cause(of: $0, names, trials) }
    try await tryMending(&found, before, after)
  }

  private func tryMending(
    _ found: inout GateDiagnosis, _ before: Thresholds, _ after: Thresholds
  ) async throws {
    let helping = found.alone.filter { !$0.mended.isEmpty }.flatMap(\.changes)
    guard helping.count > 1, helping.count < found.changes.count,
      !found.alone.contains(where: \.holds)
    else { return }
    var settings = after
    for change in found.changes where helping.contains(change.name) {
      guard let next = try? change.put(back: before, in: settings) else { return }
      settings = next
    }
    guard let bench = try? BenchDetector(settings) else { return }
    found.mending = put(helping, try await run([bench])[0], found.cell)
  }

  private func put(_ names: [String], _ trial: Trial, _ cell: CellGrowth?) -> PutBack {
    var judge = GateJudge(candidate: trial.side, baseline: judge.baseline, anchor: judge.anchor)
    judge.resamples = self.judge.resamples
    judge.seed = self.judge.seed
    let then = judge.findings(gate.rules)
    return PutBack(
      changes: names, rules: RuleEffect.all(now: findings, then: then),
      holds: !then.contains(where: \.isBroken), passes: !then.contains(where: \.stops),
      cell: cell.map { Seconds($0.seconds(in: trial.side)) })
  }

  private func cause(
    of cell: CellGrowth, _ names: [[String]], _ trials: [Trial]
  ) -> GateDiagnosis.Cause? {
    var best: (name: String, seconds: Double, trial: Trial)?
    for (names, trial) in zip(names, trials) where names.count == 1 {
      let removed = cell.after.value - cell.seconds(in: trial.side)
      guard removed > cell.growth.value / 2, removed > best?.seconds ?? 0 else { continue }
      best = (names[0], removed, trial)
    }
    return best.map { name, seconds, trial in
      let people = cell.people(from: trial.side, to: judge.candidate)
      return GateDiagnosis.Cause(change: name, seconds: Seconds(seconds), subject: people.most)
    }
  }

  private func differing(_ answers: [Baseline.Sequence]) -> Int {
    let kept = Dictionary(baseline.sequences.map { ($0.name, $0) }) { first, _ in first }
    return answers.count { kept[$0.name] != $0 }
  }

  private func run(_ benches: [BenchDetector]) async throws -> [Trial] {
    guard !benches.isEmpty else { return [] }
    var remarks: [String] = []
    let evaluators = try benches.map {
      try SequenceEvaluator(of: candidate.datasets, detector: $0, remarks: &remarks)
    }
    let found = try await ConcurrentMap.run(
      candidate.datasets.entries, of: "sequences with changes put back", progress: progress
    ) { entry in
      let sequence = try candidate.datasets.load(entry)
      return try evaluators.map { evaluator in
        let outcome = try evaluator.outcome(of: sequence, source: entry.source)
        return (
          scores: SequenceScores(outcome, detail: .report), answers: Baseline.Sequence(outcome)
        )
      }
    }
    return benches.indices.map { index in
      Trial(
        side: GateSide(
          sequences: found.map { $0[index].scores }, frameCostRatio: candidate.frameCostRatio),
        answers: found.map { $0[index].answers })
    }
  }

  private func describe(_ cell: CellGrowth, in found: inout GateDiagnosis) throws {
    let kept = Dictionary(baseline.sequences.map { ($0.name, $0) }) { first, _ in first }
    let moments = candidate.runs.map(\.outcome).compactMap { after -> BrokenMoment? in
      guard let before = kept[after.name].flatMap({ BaselineAccess.outcome(after, $0) }) else {
        return nil
      }
      return BrokenMoment(cell, from: before, to: after)
    }
    guard let moment = BrokenMoment.longest(moments) else { return }
    found.moment = moment
    found.explain =
      gate.explain([moment.sequence])?.lines(sequence: moment.sequence, time: moment.middle) ?? []
    guard let entry = candidate.datasets.entries.first(where: { $0.name == moment.sequence })
    else { return }
    let recording = try candidate.datasets.load(entry).recording
    found.pose = PoseSketch(recording, near: moment.frame)
  }
}

extension GateSettings {
  func explain(_ sequences: [String]) -> ExplainCommand? {
    guard predictions == nil else { return nil }
    let named: [(flag: String, value: String?)] =
      [("--detector", detector), ("--parameters", parameters)]
      + assignments.map { ("--set", $0) } + [("--smoothing", smoothing), ("--debounce", debounce)]
    let places = sequences.map { ($0, [dataset, $0]) }
    return ExplainCommand(
      places: Dictionary(places) { first, _ in first },
      options: named.compactMap { flag, value in value.map { [flag, $0] } })
  }
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
    return found.isEmpty ? nil : "failed in the baseline, too: " + found.joined(separator: ", ")
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
    let names = remedy.unmended.map { result.findings[$0.index].name }
    return wordings(
      remedy, diagnosis,
      "; \(names.count == 1 ? names[0] : "\(names.count) rules") failed before, too")
  }

  private func wordings(_ trial: PutBack, _ diagnosis: GateDiagnosis, _ rest: String) -> [String] {
    let start = "Do not merge: put "
    let reason = trial.mended.first.map { " (\($0.rule) \($0.numbers))" } ?? ""
    let (long, short) = (diagnosis.targets(trial), diagnosis.shortTargets(trial))
    return [start + long + rest + reason, start + long + rest]
      + (trial.changes.count > 1 ? [start + short + rest + reason, start + short + rest] : [])
  }

  func effects(on finding: GateFinding) -> [String] {
    guard finding.isBroken, let diagnosis, let index = result.findings.firstIndex(of: finding)
    else { return [] }
    let trials = diagnosis.alone + [diagnosis.mending, diagnosis.together].compactMap(\.self)
    let mending = trials.filter { $0.mended.contains { $0.index == index } }
    let single = mending.filter { $0.changes.count == 1 }
    let found = (single.isEmpty ? Array(mending.prefix(1)) : single).map { trial in
      let value = trial.rules.first { $0.index == index }?.value
      return "holds with \(diagnosis.targets(trial)) (\(GateDiagnosis.number(value)))"
    }
    let before =
      finding.failedBefore
      ? ["failed in the baseline, too (\(GateDiagnosis.number(finding.baseline)))"] : []
    return found + before
  }
}
