internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseModel
internal import Tuning

struct NextSearch: Sendable {
  let bench: BenchDetector
  let sequences: [SearchedSequence]?
  let command: EvaluateCommand

  struct Candidate {
    let definition: ParameterDefinition
    let stream: AnswerStream
    let values: BeforeAfter<Double>
    let asGood: ClosedRange<Double>
    let advice: Advice
    let curve: [Fix.Evidence.Point]

    var setting: NextSteps.Setting {
      .init(parameter: definition.key.rawValue, value: values.after)
    }
  }

  struct Sweep {
    var findings: PerStream<NextSteps.Finding>
    var tried: [String] = []
    var candidates: [Candidate] = []
  }

  func find(isWhole: Bool = true, progress: @escaping ProgressReport) async throws -> NextSteps {
    let all = sequences ?? []
    let run = ScoredRun(all.map(\.scores))
    let swept = try await sweep(progress: progress)
    var best = Self.best(swept.candidates.filter { $0.advice.step.takes })
    if !isWhole { best = Array(best.prefix(1)) }
    var fixes: [Fix] = []
    for candidate in best { fixes.append(try await fix(candidate, all, run, hasEvidence: isWhole)) }
    return NextSteps(
      fixes: fixes, findings: swept.findings, tried: swept.tried,
      together: fixes.count > 1 ? try await together(best.map(\.setting), all, run) : nil)
  }

  private var variant: DetectorVariant {
    DetectorVariant(
      bench.judging, base: bench.detector.parameters, debounce: bench.detector.debounce)
  }

  func sweep(progress: @escaping ProgressReport) async throws -> Sweep {
    let all = sequences ?? []
    let run = ScoredRun(all.map(\.scores))
    let detector = variant
    var result = Sweep(findings: PerStream { finding($0, run.views[$0]) })
    let open = AnswerStream.allCases.filter { result.findings[$0] == .nothingHelps }
    let work = ProgressCounter(
      total: open.reduce(0) { $0 + Set(detector.keys($1)).count }, what: "parameters",
      report: progress)
    var tried: Set<String> = []
    for stream in open {
      let people = try SweptPeople(judged(all, stream).map { $0.measured.compared(by: stream) })
      let gains = try await ParameterLine.map(
        stream, detector, people, jobs: ConcurrentMap.cores, progress: { work.add(1) }
      ) { line in
        tried.insert(line.definition.key.rawValue)
        return try line.choice(least: NextSteps.leastGain).map { Gain(line, $0) }
      }.compactMap(\.self)
      let candidates = gains.compactMap { candidate($0, among: gains.count) }
      if !candidates.isEmpty {
        result.findings[stream] =
          candidates.contains { $0.advice.step.takes } ? .helps : .notAdvised
      }
      result.candidates += candidates
    }
    result.tried = bench.detector.parameters.definitions.map(\.key.rawValue).filter(tried.contains)
    return result
  }

  /// For the form, people without a calibration are left out, because other limits apply to them.
  private func judged(_ all: [SearchedSequence], _ stream: AnswerStream) -> [SearchedSequence] {
    guard stream == .form, bench.judging.form != bench.detector.definition.form else { return all }
    return all.filter { $0.measured.calibration != nil }
  }

  private func finding(_ stream: AnswerStream, _ view: ScoreView) -> NextSteps.Finding {
    guard sequences != nil else { return .tooManyFrames }
    let counts = view.frameCounts
    if counts.scored == 0 { return .unlabeled }
    if counts.scoredDetermined == 0 { return .undecided }
    if counts.scored < NextSteps.fewestFrames { return .tooFewFrames }
    if view.confusion.right == view.confusion.total { return .nothingWrong }
    if view.trueLabels.count == 1 { return .oneClass }
    return .nothingHelps
  }

  private struct Gain {
    let line: ParameterLine
    let choice: RoundChoice
    let counts: PairedCounts

    init(_ line: ParameterLine, _ choice: RoundChoice) {
      self.line = line
      self.choice = choice
      counts = line.counts(of: choice)
    }
  }

  private func candidate(_ gain: Gain, among candidates: Int) -> Candidate? {
    let (line, choice) = (gain.line, gain.choice)
    return Advice(gain.counts, settings: 1, candidates: candidates).map { advice in
      Candidate(
        definition: line.definition, stream: line.stream,
        values: BeforeAfter(before: line.values[line.own], after: line.values[choice.place]),
        asGood: line.values[choice.plateau.lowerBound]...line.values[choice.plateau.upperBound],
        advice: advice,
        curve: zip(line.values, line.shares).map { Fix.Evidence.Point(value: $0, right: $1) })
    }
  }

  private static func best(_ candidates: [Candidate]) -> [Candidate] {
    let ranked = candidates.sorted { $0.advice.expected > $1.advice.expected }
    var seen: Set<ParameterKey> = []
    let distinct = ranked.filter { seen.insert($0.definition.key).inserted }
    return Array(distinct.prefix(NextSteps.mostFixes))
  }

  private func fix(
    _ candidate: Candidate, _ all: [SearchedSequence], _ run: ScoredRun, hasEvidence: Bool
  ) async throws -> Fix {
    let (outcomes, after) = try await answered([candidate.setting], all)
    let moved = MovedThreshold(
      definition: candidate.definition, limit: candidate.values,
      list: bench.judging.list(candidate.stream))
    return Fix(
      parameter: candidate.setting.parameter, meaning: candidate.definition.meaning,
      unit: candidate.definition.unit.rawValue, value: candidate.values,
      asGood: candidate.asGood, stream: candidate.stream,
      runs: BeforeAfter(before: run, after: after), advice: candidate.advice,
      moment: { cell in
        moved.moment(
          of: cell, zip(all, outcomes).map { ($0, BeforeAfter(before: $0.outcome, after: $1)) })
      },
      evidence: { moment in
        guard hasEvidence else { return nil }
        return Fix.Evidence(
          distribution: moved.predicate(of: moment).flatMap {
            moved.distribution($0, judged(all, candidate.stream))
          },
          curve: candidate.curve)
      }, command: try command.words([candidate.setting], bench.detector.parameters))
  }

  private func together(
    _ settings: [NextSteps.Setting], _ all: [SearchedSequence], _ run: ScoredRun
  ) async throws -> NextSteps.Together {
    let (_, after) = try await answered(settings, all)
    return NextSteps.Together(
      settings: settings, right: BeforeAfter(before: run, after: after).right,
      command: try command.words(settings, bench.detector.parameters))
  }

  private func answered(
    _ settings: [NextSteps.Setting], _ all: [SearchedSequence]
  ) async throws -> (outcomes: [SequenceOutcome], scores: ScoredRun) {
    var parameters = bench.detector.parameters
    for setting in settings {
      try parameters.set(ParameterKey(setting.parameter), to: setting.value)
    }
    let changed = try BatchDetector(
      bench.detector.definition, parameters: parameters, smoothing: bench.detector.smoothing,
      debounce: bench.detector.debounce)
    let affected = AnswerStream.allCases.filter { stream in
      let keys = variant.keys(stream).map(\.rawValue)
      return settings.contains { keys.contains($0.parameter) }
    }
    let found = try await ConcurrentMap.run(all.count, jobs: ConcurrentMap.cores) { index in
      let sequence = all[index]
      let measured = sequence.measured
      let calibrated = try changed.calibrated(by: measured.calibration)
      let outcome = sequence.outcome.answered(
        PerStream { stream in
          guard affected.contains(stream) else { return sequence.outcome[stream] }
          return StreamOutcome(
            calibrated.run(
              stream, measured.columns, times: measured.times, startsMid: measured.startsMid))
        })
      let scores = SequenceScores(
        outcome, beside: (outcome: sequence.outcome, scores: sequence.scores))
      return (outcome: outcome, scores: scores)
    }
    return (outcomes: found.map(\.outcome), scores: ScoredRun(found.map(\.scores)))
  }
}

struct SearchedSequence: Sendable {
  let measured: MeasuredSequence
  let outcome: SequenceOutcome
  let scores: SequenceScores
}

struct MovedThreshold {
  let definition: ParameterDefinition
  let limit: BeforeAfter<Double>
  let list: DecisionList

  /// Takes the confusion's longest stretch that becomes right; of equally long ones, the first by
  /// name, because the order of the manifest must not matter.
  func moment(
    of cell: Fix.Cell, _ sequences: [(SearchedSequence, BeforeAfter<SequenceOutcome>)]
  ) -> Fix.Moment? {
    let sequences = sequences.sorted { $0.0.measured.name < $1.0.measured.name }
    guard
      let stretch = NextSteps.longestStretch(sequences.map(\.1), list.stream, of: cell)
    else { return nil }
    let measured = sequences[stretch.sequence].0.measured.compared(by: list.stream)
    let shown = shown(in: measured, stretch.frames)
    let middle = stretch.frames.lowerBound + (stretch.frames.count - 1) / 2
    let frame = shown?.frame ?? middle
    return Fix.Moment(
      sequence: measured.name, frame: frame, time: Seconds(measured.times[frame]),
      start: Seconds(measured.times[stretch.frames.lowerBound]), duration: Seconds(stretch.seconds),
      rule: shown.map { list.sentences[$0.rule] } ?? definition.meaning,
      comparison: shown.map { comparison($0.predicate, measured, $0.frame) })
  }

  func predicate(of moment: Fix.Moment?) -> PlankDetection.Predicate? {
    let all = list.rules.flatMap(\.predicates).filter { $0.parameter == definition.key }
    return all.first { $0.description == moment?.comparison?.text } ?? all.first
  }

  func distribution(
    _ predicate: PlankDetection.Predicate, _ sequences: [SearchedSequence]
  ) -> Fix.Distribution? {
    let sign = predicate.isNegated ? -1.0 : 1
    return Fix.Distribution(
      of: predicate.measurement.name, sign: sign,
      sequences.map { $0.measured.compared(by: list.stream).columns[predicate.measurement] },
      sequences.map(\.outcome), list.stream,
      limits: BeforeAfter(before: sign * limit.before, after: sign * limit.after))
  }

  private func shown(
    in sequence: MeasuredSequence, _ stretch: Range<Int>
  ) -> (frame: Int, rule: Int, predicate: PlankDetection.Predicate)? {
    let middle = stretch.lowerBound + (stretch.count - 1) / 2
    func nearest(_ frames: Range<Int>) -> [Int] {
      frames.sorted { (abs($0 - middle), $0) < (abs($1 - middle), $1) }
    }
    let uses = list.rules.enumerated().flatMap { rule, content in
      content.predicates.filter { $0.parameter == definition.key }.map { (rule, $0) }
    }
    for frame in nearest(stretch) {
      for (rule, predicate) in uses {
        let value = sequence.columns[predicate.measurement][frame]
        guard value.isFinite else { continue }
        let holds = [limit.before, limit.after].map {
          predicate.comparison.holds(value, Float(predicate.isNegated ? -$0 : $0))
        }
        if holds[0] != holds[1] { return (frame, rule, predicate) }
      }
    }
    for frame in nearest(sequence.times.indices) {
      for (rule, predicate) in uses where sequence.columns[predicate.measurement][frame].isFinite {
        return (frame, rule, predicate)
      }
    }
    return nil
  }

  private func comparison(
    _ predicate: PlankDetection.Predicate, _ sequence: MeasuredSequence, _ frame: Int
  ) -> Fix.Comparison {
    let sign = predicate.isNegated ? -1.0 : 1
    return Fix.Comparison(
      text: predicate.description, measurement: predicate.measurement.name,
      measured: Double(sequence.columns[predicate.measurement][frame]),
      limit: BeforeAfter(before: sign * limit.before, after: sign * limit.after))
  }
}
