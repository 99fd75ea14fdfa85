import PoseModel
import TestSupport

@testable import Evaluation

/// A sequence written as text, one letter per frame.
///
/// Plank: n none, f forearm, h high, l sideLeft, r sideRight, v reverse. Form: a aligned, s sag,
/// p pike. In truth `.` is a frame without a label (in form: not judged) and `x` one to ignore.
/// In the determined columns `-` is an undetermined frame and `=` one that shows a held answer.
struct Scenario {
  var name = "sequence"
  var subject: String?
  var source: String?
  var tags: [String: String] = [:]
  var times: [Double]
  var plankTruth: String
  var plankAnswers: String
  var formTruth: String?
  var formAnswers: String?
  var plankDetermined: String?
  var formDetermined: String?
  /// When classes truly began among frames without a label.
  var onsets: [LabelOnset] = []
  /// What the person does; nil if nobody says so.
  var activities: ActivityTrack?
  var missing = 0
  var weight: Double?

  /// Frames at an even rate; the answers equal the truth unless given.
  init(
    _ truth: String, answers: String? = nil, rate: Double = 10, start: Double = 0,
    name: String = "sequence", subject: String? = nil
  ) {
    times = (0..<truth.count).map { start + Double($0) / rate }
    plankTruth = truth
    plankAnswers = answers ?? String(truth.map { ".x".contains($0) ? "n" : $0 })
    weight = 1 / rate
    self.name = name
    self.subject = subject
  }

  var outcome: SequenceOutcome {
    let count = times.count
    return SequenceOutcome(
      name: name, subject: subject, source: source, tags: tags, activities: activities,
      times: times, truth: truth, plank: stream(plankAnswers, plankDetermined, Self.plankCode),
      form: stream(
        formAnswers ?? String(repeating: "a", count: count), formDetermined, Self.formCode),
      missingFrames: missing, frameWeight: Seconds(weight ?? medianInterval))
  }

  /// The truth of the frames, through labels: one segment per frame.
  var truth: FrameTruth {
    let form = Array(formTruth ?? String(repeating: ".", count: times.count))
    let segments = Array(plankTruth).enumerated().compactMap { frame, letter -> LabeledSegment? in
      guard letter != "." else { return nil }
      let end = frame + 1 < times.count ? times[frame + 1] : times[frame] + 1
      return LabeledSegment(
        start: Seconds(times[frame]), end: Seconds(end),
        plank: letter == "x" ? nil : PlankClass(code: Self.plankCode(letter)),
        form: "nx".contains(letter) || form[frame] == "."
          ? nil : FormClass(code: Self.formCode(form[frame])))
    }
    guard let track = try? LabelTrack(segments).adding(onsets) else {
      preconditionFailure("a scenario's segments are in order, and onsets between them")
    }
    return track.truth(at: times)
  }

  private var medianInterval: Double {
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    guard !intervals.isEmpty else { return 1.0 / 30 }
    return (intervals[(intervals.count - 1) / 2] + intervals[intervals.count / 2]) / 2
  }

  private func stream(
    _ answers: String, _ determined: String?, _ code: (Character) -> UInt8
  ) -> StreamOutcome {
    let marks = Array(determined ?? answers)
    return StreamOutcome(
      answers: answers.map(code), isDetermined: marks.map { !"-=".contains($0) },
      isHeld: marks.map { $0 == "=" })
  }

  static func plankCode(_ letter: Character) -> UInt8 { code(letter, "nfhlrv") }

  static func formCode(_ letter: Character) -> UInt8 { code(letter, "asp") }

  private static func code(_ letter: Character, _ letters: String) -> UInt8 {
    guard let code = Array(letters).firstIndex(of: letter) else {
      preconditionFailure("a scenario has no letter \(letter)")
    }
    return UInt8(code)
  }
}

extension Scenario {
  /// A random sequence of runs with uneven times, gaps, unscored stretches and dropouts.
  static func random(seed: UInt64, name: String = "random", frames: Int = 120) -> Scenario {
    var random = SplitMix64(seed: seed)
    let truth = runs("nfhlrvnfh.x", frames, &random)
    var scenario = Scenario(truth, name: name)
    scenario.subject = random.unit() < 0.2 ? nil : "s\(random.index(below: 4))"
    scenario.tags = random.unit() < 0.5 ? ["light": random.unit() < 0.5 ? "dim" : "bright"] : [:]
    var time = 100 * random.unit()
    scenario.times = (0..<frames).map { _ in
      time += random.unit() < 0.02 ? 0.9 * random.unit() + 0.1 : 0.02 + 0.05 * random.unit()
      return time
    }
    scenario.weight = nil
    scenario.formTruth = runs("aasp.", frames, &random)
    scenario.plankAnswers = noisy(truth, "nfhlrv", &random)
    scenario.formAnswers = noisy(scenario.formTruth ?? "", "asp", &random)
    scenario.plankDetermined = runs("ddddd-=", frames, &random)
    scenario.formDetermined = runs("ddd-=", frames, &random)
    scenario.missing = random.index(below: 5)
    return scenario
  }

  private static func runs(_ letters: String, _ count: Int, _ random: inout SplitMix64) -> String {
    let alphabet = Array(letters)
    var text = ""
    while text.count < count {
      let letter = alphabet[random.index(below: alphabet.count)]
      text += String(repeating: letter, count: 1 + random.index(below: 25))
    }
    return String(text.prefix(count))
  }

  private static func noisy(
    _ truth: String, _ letters: String, _ random: inout SplitMix64
  ) -> String {
    let alphabet = Array(letters)
    return String(
      truth.map { letter in
        alphabet.contains(letter) && random.unit() < 0.85
          ? letter : alphabet[random.index(below: alphabet.count)]
      })
  }
}

extension Scenario {
  /// The jitter of a measurement in every frame, or of joints.
  func jitter(
    _ values: [Float]? = nil, unit: String = "m", joints: JointSeries? = nil,
    detail: JitterDetail = .steps, settling: Double = 0
  ) -> JitterStatistics {
    JitterStatistics(
      times: times, truth: truth,
      measurements: values.map { [MeasurementSeries(name: "value", unit: unit, values: $0)] } ?? [],
      joints: joints, detail: detail, settling: Seconds(settling))
  }
}

extension PairedCounts.Unit {
  init(_ before: [Double], _ after: [Double], _ amounts: [Double], source: String = "") {
    func padded(_ values: [Double]) -> SIMD8<Double> {
      SIMD8(values + Array(repeating: 0, count: 8 - values.count))
    }
    self.init(
      source: source, amounts: padded(amounts), before: padded(before), after: padded(after))
  }
}

/// Numbers of a linear congruential generator.
struct NumberStream {
  var state: UInt64

  mutating func advance() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }

  /// Uniform in [0, 1).
  mutating func next() -> Double { Double(advance() >> 11) / Double(UInt64(1) << 53) }

  /// The sum of twelve uniform numbers less six.
  mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + next() } }
}

/// Sums of three parts, from the left and from the right.
func bothGroupings<Sum>(_ parts: [Sum], _ add: (inout Sum, Sum) -> Void) -> (Sum, Sum) {
  var (left, right, other) = (parts[0], parts[1], parts[0])
  add(&left, parts[1])
  add(&left, parts[2])
  add(&right, parts[2])
  add(&other, right)
  return (left, other)
}

extension GateSide {
  /// People with twenty frames of a high plank each, of which the first few are answered none.
  static func scripted(_ wrong: [Int], tags: [[String: String]] = []) -> GateSide {
    GateSide(
      sequences: wrong.enumerated().map { index, count in
        var scenario = Scenario(
          String(repeating: "h", count: 20),
          answers: String(repeating: "n", count: count) + String(repeating: "h", count: 20 - count),
          name: "q\(index + 1)", subject: "s\(index + 1)")
        if index < tags.count { scenario.tags = tags[index] }
        return SequenceScores(scenario.outcome)
      })
  }
}

/// Whether two metrics agree: both undefined for one reason, or numbers within a tolerance.
func agree(_ left: MetricValue, _ right: MetricValue, within tolerance: Double = 1e-9) -> Bool {
  guard let one = left.number, let other = right.number else { return left == right }
  return abs(one - other) <= tolerance
}

/// Whether a metric is a number near another one; nil means undefined.
func isNear(_ left: MetricValue, _ right: Double?, within tolerance: Double = 1e-9) -> Bool {
  guard let one = left.number, let other = right else { return left.number == nil && right == nil }
  return abs(one - other) <= tolerance
}

func agree(_ left: [MetricResult], _ right: [MetricResult]) -> Bool {
  left.map(\.key) == right.map(\.key)
    && zip(left, right).allSatisfy { $0.excluded == $1.excluded && agree($0.value, $1.value) }
}

extension ScoreView {
  /// Every metric of a confusion, of the stream and of its classes.
  var classification: [MetricResult] {
    results(.classification) + results(.classification, .perClass)
  }
}

extension StabilityCounts {
  subscript(metric: Metric) -> MetricValue {
    switch metric.formula {
    case .changes(let formula): formula(changes)
    case .stability(let formula): formula(self)
    default: .undefined(.notMeasured)
    }
  }
}

/// The catalogue's metrics of a matrix whose classes need not be those of a stream.
struct MatrixMetrics {
  /// A metric; of a class if it is a per-class metric.
  struct Result {
    let metric: Metric
    let label: String?
    let value: MetricValue
    let excluded: [String]
  }

  let labels: [String]
  let counts: ClassCounts

  init(_ matrix: ConfusionMatrix<Double>) {
    labels = matrix.labels
    counts = ClassCounts(matrix)
  }

  subscript(metric: Metric, code: Int = 0) -> MetricValue {
    guard case .classes(let formula) = metric.formula else { return .undefined(.notMeasured) }
    return formula(counts, code)
  }

  func excluded(_ metric: Metric) -> [String] {
    metric.averaged.flatMap { part in
      labels.indices.filter { self[part, $0].number == nil }.map { labels[$0] }
    }
  }

  var overall: [Result] {
    Metric.classification.filter { $0.scope == .stream }.map {
      Result(metric: $0, label: nil, value: self[$0], excluded: excluded($0))
    }
  }

  var byClass: [Result] {
    Metric.classification.filter { $0.scope == .perClass }.flatMap { metric in
      labels.indices.map {
        Result(metric: metric, label: labels[$0], value: self[metric, $0], excluded: [])
      }
    }
  }
}

func agree(_ left: MatrixMetrics, _ right: MatrixMetrics) -> Bool {
  zip(left.overall + left.byClass, right.overall + right.byClass).allSatisfy {
    $0.excluded == $1.excluded && agree($0.value, $1.value)
  }
}

/// A detector for tests that do not depend on it.
let anyDetector = DetectorFacts(name: "scripted", description: "Answers from a script.")

func report(_ scenarios: [Scenario]) -> EvaluationReport {
  EvaluationReport(
    detector: anyDetector,
    sequences: scenarios.map { SequenceEvaluation($0.outcome, detail: .report) })
}

extension SequenceOutcome {
  /// How long answers of a class took to follow the truth, and to release it, under any rule.
  ///
  /// - Complexity: O(frames).
  func latencies(
    _ stream: AnswerStream, of code: UInt8, rule: LatencyRule = .standard
  ) -> (detections: [Latency], releases: [Latency]) {
    let scored = ScoredStream(self, stream)
    return LatencySpans(scored, scored.spans).latencies(rule: rule) { $0 == code }
  }
}
