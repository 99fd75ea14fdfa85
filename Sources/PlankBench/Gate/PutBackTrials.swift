internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

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
    guard let known = judge.baseline else { return .empty }
    var found = GateDiagnosis.empty
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
      // Changes that fit only together are not tried alone.
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
    let helping = found.alone.filter { !$0.fixed.isEmpty }.flatMap(\.changes)
    guard helping.count > 1, helping.count < found.changes.count,
      !found.alone.contains(where: \.holds)
    else { return }
    var settings = after
    for change in found.changes where helping.contains(change.name) {
      guard let next = try? change.put(back: before, in: settings) else { return }
      settings = next
    }
    guard let bench = try? BenchDetector(settings) else { return }
    found.fixing = put(helping, try await run([bench])[0], found.cell)
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
    let kept = baseline.answers
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
    let kept = baseline.answers
    let moments = candidate.runs.map(\.outcome).compactMap { after in
      kept[after.name]?.outcome(of: after).flatMap { BrokenMoment(cell, from: $0, to: after) }
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

extension SettingChange {
  /// The changes in the order in which they take effect.
  ///
  /// A switch to another detector is one change, because its parameters have other meanings.
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
    var put = after
    switch kind {
    case .detector: put = before
    case .rules:
      (put.definition, put.parameters) = (before.definition, before.parameters)
      for (definition, value) in after.parameters.entries
      where put.parameters[definition.key] != nil {
        try put.parameters.set(definition.key, to: value)
      }
    case .parameter:
      let key = after.parameters.definitions.first { $0.key.rawValue == name }?.key
      guard let key, let value = before.parameters[key] else { break }
      try put.parameters.set(key, to: value)
    case .smoothing: put.smoothing = before.smoothing
    case .debounce: put.debounce = before.debounce
    }
    return put
  }
}

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

extension GateSettings {
  func explain(_ sequences: [String]) -> ExplainCommand? {
    guard predictions == nil else { return nil }
    let places = sequences.map { ($0, [dataset, $0]) }
    return ExplainCommand(
      places: Dictionary(places) { first, _ in first }, options: answers.options)
  }
}
