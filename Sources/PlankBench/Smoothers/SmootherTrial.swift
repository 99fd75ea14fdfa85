internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Statistics
internal import Tuning

struct TriedSmoother: Sendable {
  let variant: SmootherGrid.Variant
  let point: SmootherPoint
  let answers: PersonalAnswers
}

struct TriedRule: Sendable {
  let rule: DebounceAnswers
  let answers: PersonalAnswers
  let settings: PerStream<Int>
}

struct SmootherTrial: Sendable {
  let sequences: [SmootherSequence]
  let detector: BatchDetector
  let interval: Seconds
  let raw: [JitterRow]
  /// In order of names; sequences without a subject count as one person, who comes last.
  let people: [String?]

  /// A nil `interval` means the median of all frame intervals.
  init(_ sequences: [SmootherSequence], _ detector: BatchDetector, interval: Seconds? = nil) {
    self.sequences = sequences
    self.detector = detector
    let intervals = sequences.lazy.flatMap { zip($0.times.dropFirst(), $0.times).map { $0 - $1 } }
    self.interval = interval ?? Seconds(Description.median(Array(intervals)) ?? 1.0 / 30)
    var jitter = JitterStatistics()
    for sequence in sequences {
      jitter.add(
        times: sequence.times, truth: sequence.truth,
        measurements: Self.series(sequence.raw, detector.measurements), detail: .stepsOnHolds,
        settling: HoldSegments.settling)
    }
    raw = jitter.rows
    let labeled = sequences.filter { sequence in
      [sequence.truth.plank, sequence.truth.form].contains {
        $0.contains(where: FrameTruth.isScored)
      }
    }.map(\.sequence.subject)
    people =
      Set(labeled.compactMap(\.self)).sorted().map(Optional.some)
      + (labeled.contains(nil) ? [nil] : [])
  }

  func place(_ variant: SmootherGrid.Variant) -> SmootherPoint {
    var sums = Sums(interval, smoothers: 1)
    for sequence in sequences {
      add(sequence, [sequence.measured(behind: variant.choice, detector)], &sums)
    }
    return point(variant, sums.jitter[0], lag: sums.entries.lags[0], answers: nil)
  }

  /// Keeps the columns of only one sequence in memory at a time.
  func tried(_ variants: [SmootherGrid.Variant]) -> [TriedSmoother] {
    var sums = Sums(interval, smoothers: variants.count)
    var scores = [[SequenceScores]](repeating: [], count: variants.count)
    for sequence in sequences {
      let columns = variants.map { sequence.measured(behind: $0.choice, detector) }
      add(sequence, columns, &sums)
      for (index, columns) in columns.enumerated() {
        scores[index].append(SequenceScores(outcome(sequence, columns, detector), detail: .metrics))
      }
    }
    let lags = sums.entries.lags
    return variants.enumerated().map { index, variant in
      TriedSmoother(
        variant: variant,
        point: point(
          variant, sums.jitter[index], lag: lags[index], answers: Self.answers(scores[index])),
        answers: PersonalAnswers(scores[index], people: people))
    }
  }

  func tried(_ rule: DebounceGrid.Rule) -> TriedRule {
    tried(
      rule, settings(rule),
      sequences.map { SequenceScores(outcome($0, $0.raw, rule.detector), detail: .metrics) })
  }

  func tried(_ pairs: DebounceGrid.Pairs) -> [TriedRule] {
    var scores = [[SequenceScores]](repeating: [], count: pairs.rules.count)
    for sequence in sequences {
      let columns = sequence.measured(behind: pairs.smoother, detector)
      for (index, rule) in pairs.rules.enumerated() {
        scores[index].append(
          SequenceScores(outcome(sequence, columns, rule.detector), detail: .metrics))
      }
    }
    return zip(pairs.rules, scores).map { rule, scores in
      tried(rule, settings(rule).map { 1 + $0 }, scores)
    }
  }

  private func tried(
    _ rule: DebounceGrid.Rule, _ settings: PerStream<Int>, _ scores: [SequenceScores]
  ) -> TriedRule {
    TriedRule(
      rule: DebounceAnswers(rule: rule.candidate, metrics: Self.answers(scores)),
      answers: PersonalAnswers(scores, people: people), settings: settings)
  }

  private func settings(_ rule: DebounceGrid.Rule) -> PerStream<Int> {
    PerStream { DetectorVariant(rule.detector).differences(from: DetectorVariant(detector), $0) }
  }

  private static func answers(_ scores: [SequenceScores]) -> MetricTable {
    MetricTable(
      smoothed: ScoreView(PooledCounts(scores, .plank)),
      form: ScoreView(PooledCounts(scores, .form)))
  }

  func angle(_ choice: SmoothingChoice) -> AngleBias {
    var sums = AngleSums()
    for sequence in sequences {
      sums.add(sequence.alignedAngles(sequence.measured(behind: choice, detector)))
    }
    return sums.bias(choice)
  }

  private struct Sums {
    var jitter: [JitterStatistics]
    var entries: EntryLags

    init(_ interval: Seconds, smoothers: Int) {
      jitter = Array(repeating: JitterStatistics(), count: smoothers)
      entries = EntryLags(interval: interval, smoothers: smoothers)
    }
  }

  private func add(
    _ sequence: SmootherSequence, _ columns: [MeasurementColumns], _ sums: inout Sums
  ) {
    for (index, columns) in columns.enumerated() {
      sums.jitter[index].add(
        times: sequence.times, truth: sequence.truth,
        measurements: Self.series(columns, detector.measurements), detail: .stepsOnHolds,
        settling: HoldSegments.settling)
    }
    sums.entries.add(
      times: sequence.times, transitions: sequence.transitions,
      detector.measurements.members.map { measurement in
        EntryLags.Signal(
          name: measurement.name, reference: sequence.reference[measurement],
          outputs: columns.map { $0[measurement] })
      })
  }

  private func point(
    _ variant: SmootherGrid.Variant, _ jitter: JitterStatistics, lag: MetricValue,
    answers: MetricTable?
  ) -> SmootherPoint {
    let filter: SignalFilter = { times, values in
      variant.choice.smooth(values, times: times).map { $0.isFinite ? $0 : nil }
    }
    let rate = Hertz(1 / interval.value)
    return SmootherPoint(
      variant.choice, variant.family, calm: SmootherCalm(smoothed: jitter.rows, raw: raw),
      delay: answers == nil
        ? SmootherDelay(lagOnly: lag, rate: rate, filter)
        : SmootherDelay(entries: lag, rate: rate, noise: noise, filter), answers: answers)
  }

  /// In meters; 0.01 if unknown.
  private var noise: Double { raw.first { $0.signal.unit == Meters.symbol }?.noise.number ?? 0.01 }

  private func outcome(
    _ sequence: SmootherSequence, _ columns: MeasurementColumns, _ detector: BatchDetector
  ) -> SequenceOutcome {
    sequence.outcome.answered(PerStream(detector.detect(columns, of: sequence.sequence)))
  }

  private static func series(
    _ columns: MeasurementColumns, _ measurements: MeasurementSet
  ) -> [MeasurementSeries] {
    measurements.members.map { MeasurementSeries($0, of: columns) }
  }
}

struct SmootherSequence: Sendable {
  let sequence: DatasetSequence
  let truth: FrameTruth
  let transitions: [Int]
  /// A movement that the labels leave out counts as one change.
  let changeCount: Int
  let raw: MeasurementColumns
  let outcome: SequenceOutcome
  /// Smoothed by a filter that looks ahead, as the target of a smoother without lag.
  let reference: MeasurementColumns

  init(_ sequence: DatasetSequence, _ detector: BatchDetector) {
    self.sequence = sequence
    let truth = sequence.truth()
    self.truth = truth
    let changes = TruthChanges(truth.plank)
    transitions = changes.frames
    changeCount = changes.count
    raw = detector.measure(sequence.recording, also: MeasurementSet([.bodyAngle]))
    outcome = SequenceOutcome(
      sequence, PerStream(detector.detect(raw, of: sequence)), truth: truth)
    reference = Self.reference.smooth(raw, times: sequence.recording.times)
  }

  var bytes: Int {
    let measured = [raw, reference].reduce(0) { $0 + $1.measurements.members.count }
    let numbers = sequence.recording.layout.stride + measured
    // For each stream, a frame takes one byte each for the truth, the answer, whether it is
    // determined, and whether it is held.
    let codes = AnswerStream.allCases.count * 4
    return times.count * (MemoryLayout<Float>.size * numbers + MemoryLayout<Double>.size + codes)
  }

  var times: [Double] { sequence.recording.times }

  /// A smoother that does not smooth joints is applied to the unsmoothed measurements.
  func measured(behind choice: SmoothingChoice, _ detector: BatchDetector) -> MeasurementColumns {
    choice.smoothsJoints
      ? choice.measure(sequence.recording, detector) : choice.smooth(raw, times: times)
  }

  func alignedAngles(_ columns: MeasurementColumns) -> [Double] {
    let angles = columns[.bodyAngle]
    return truth.form.indices.compactMap { frame in
      truth.form[frame] == FormClass.aligned.code && angles[frame].isFinite
        ? Double(angles[frame]) : nil
    }
  }

  private static let reference: SmoothingChoice = {
    do {
      let settings = try StrategySettings(OfflineKind.gaussian, [.gaussianDeviation: 0.1])
      return .offline(settings, .measurements)
    } catch { preconditionFailure("the reference of lags is a valid smoothing: \(error)") }
  }()

  func degraded(
    by degradation: FrameDegradation, as condition: SmootherStress.Condition,
    _ detector: BatchDetector
  ) -> Self {
    let stream = RandomStream(seed: 1, purpose: "smoothers.stress.\(condition)/\(sequence.name)")
    return SmootherSequence(degradation.applied(to: sequence, stream), detector)
  }

  func beginning(frames: Int, _ detector: BatchDetector) -> Self {
    guard times.count > frames else { return self }
    let stream = RandomStream(seed: 1, purpose: "smoothers.beginning")
    return SmootherSequence(
      FrameDegradation.beginning(frames: frames).applied(to: sequence, stream), detector)
  }
}

extension DetectorVariant {
  fileprivate init(_ detector: BatchDetector) {
    self.init(detector.definition, base: detector.parameters, debounce: detector.debounce)
  }
}

extension SmootherStress.Condition {
  var degradation: FrameDegradation? {
    switch self {
    case .asRecorded: nil
    case .halfRate: .halved
    case .dropped: .dropped(0.1)
    case .jitteredClock: .jitteredClock(Seconds(0.005))
    }
  }
}

struct AngleSums {
  private var count = 0
  private var total = 0.0
  private var deviations = 0.0
  private var sequences = 0

  mutating func add(_ angles: [Double]) {
    guard angles.count > 1 else { return }
    let mean = angles.reduce(0, +) / Double(angles.count)
    let variance = angles.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(angles.count)
    count += angles.count
    total += mean * Double(angles.count)
    deviations += variance.squareRoot()
    sequences += 1
  }

  func bias(_ choice: SmoothingChoice) -> AngleBias {
    AngleBias(
      choice: choice, mean: count > 0 ? .value(total / Double(count)) : .undefined(.noValidFrame),
      deviation: sequences > 0 ? .value(deviations / Double(sequences)) : .undefined(.noValidFrame))
  }
}

/// The changes of a sequence's truth from one posture to the next.
///
/// A change that is left out between two boundaries starts at the first boundary and ends at the
/// second. Anything before the first label or after the last label is not a change.
struct TruthChanges {
  let frames: [Int]
  let count: Int

  init(_ codes: [UInt8]) {
    let scored = codes.indices.filter { FrameTruth.isScored(codes[$0]) }
    guard let first = scored.first, let last = scored.last else {
      frames = []
      count = 0
      return
    }
    frames = codes.indices[first...last].dropFirst().filter { frame in
      codes[frame] != codes[frame - 1]
        && (FrameTruth.isScored(codes[frame]) || FrameTruth.isScored(codes[frame - 1]))
    }
    count = frames.count { FrameTruth.isScored(codes[$0]) }
  }
}

/// Searches for the parameters with the smallest jitter plus lag, from the best point of the
/// family's grid.
///
/// The search is in logarithms, so that halving and doubling are alike. It stays within the grid's
/// range, because jitter in holds and lag in entries do not show that filters beyond the range are
/// worse. For example, a one-euro filter that stands still until a hand moves would follow a tiring
/// body seconds late.
struct SmootherTuning: Sendable {
  let trial: SmootherTrial
  let target: SmoothingTarget
  let lagCost: Double

  struct Family: Sendable {
    let kind: SmoothingKind
    let keys: [ParameterKey]

    func contains(_ variant: SmootherGrid.Variant) -> Bool {
      variant.family.origin == .grid && variant.choice.filters == [.causal(kind)]
    }
  }

  static let families = [
    Family(kind: .exponential, keys: [.cutoff]), Family(kind: .butterworth, keys: [.cutoff]),
    Family(kind: .kalman, keys: [.processNoise]),
    Family(kind: .oneEuro, keys: [.minCutoff, .beta]), Family(kind: .holt, keys: [.alpha, .beta]),
  ]

  static let usualTrials = 20

  func search(_ family: Family, from tried: [TriedSmoother]) -> SmootherGrid.Variant? {
    let candidates = tried.filter { family.contains($0.variant) }
    let best = candidates.cheapest(lagCost: lagCost, \.point)
    guard let best, let start = logarithms(family, best.variant.choice) else { return nil }
    let corners = candidates.compactMap { logarithms(family, $0.variant.choice) }
    let bounds = family.keys.indices.map { key in
      let values = corners.map { $0[key] }
      return (values.min() ?? start[key])...(values.max() ?? start[key])
    }
    let minimum = SimplexMinimizer(tolerance: 0.02, maximumSteps: 40).minimize(
      from: start, stepSizes: start.map { _ in 0.4 }
    ) { point in
      guard zip(bounds, point).allSatisfy({ $0.contains($1) }), let variant = variant(family, point)
      else { return .infinity }
      return trial.place(variant).cost(lagCost: lagCost) ?? .infinity
    }
    return variant(family, minimum.point)
  }

  private func logarithms(_ family: Family, _ choice: SmoothingChoice) -> [Double]? {
    guard case .causal(let strategy) = choice, let settings = strategy.steps.first?.settings
    else { return nil }
    return family.keys.map { key in
      let value = settings[key] ?? 1
      // A parameter of 0, such as the one-euro filter's beta, has no logarithm, so a small number
      // takes its place.
      return Exponential.log(value > 0 ? value : 0.01)
    }
  }

  private func variant(_ family: Family, _ point: [Double]) -> SmootherGrid.Variant? {
    let values = zip(family.keys, point).map { ($0, Exponential.exp($1).threeDigits) }
    guard
      let step = try? SmoothingStep(
        family.kind, Dictionary(uniqueKeysWithValues: values), on: target),
      let strategy = try? SmoothingStrategy([step])
    else { return nil }
    return SmootherGrid.Variant(
      family: SmootherFamily(origin: .search, name: family.kind.rawValue + " (tuned)"),
      choice: .causal(strategy))
  }
}

extension Double {
  fileprivate var threeDigits: Double {
    guard self > 0, isFinite else { return self }
    var scale = 1.0
    while self * scale < 100 { scale *= 10 }
    while self * scale >= 1000 { scale /= 10 }
    return (self * scale).rounded() / scale
  }
}
