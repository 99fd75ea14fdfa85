package import PoseModel
internal import Statistics

package struct GateRule: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case metric(MetricKey)
    case frameCostRatio
  }

  package enum Policy: String, CaseIterable, Hashable, Sendable, Codable {
    case pass
    case warn
    case fail
  }

  package enum Severity: String, CaseIterable, Hashable, Sendable, Codable {
    case critical
    case warning
  }

  package var name: String
  package var subject: Subject
  package var slice: GateSlice = .all
  package var atLeast: Double?
  package var atMost: Double?
  /// The largest allowed loss against the baseline, whatever the uncertainty.
  package var largestDrop: Double?
  /// The largest loss against the baseline that still counts as no worse, given the uncertainty.
  package var margin: Double?
  package var minimumSubjects = 0
  /// Whether a rule about forms passes while planks are labeled but no form is.
  package var whenLabeled = false
  package var severity = Severity.critical
  package var inconclusive = Policy.warn

  package init(name: String, subject: Subject) {
    self.name = name
    self.subject = subject
  }

  package var key: String {
    switch subject {
    case .metric(let key): key.description
    case .frameCostRatio: Self.frameCostRatioKey
    }
  }

  package var stream: AnswerStream? { judged?.stream }

  /// Replaces the plain macro F1, which one frame of a class without truth would change; nil for a
  /// rule about cost.
  var judged: MetricKey? {
    guard case .metric(let key) = subject else { return nil }
    return key.metric == .f1Macro ? MetricKey(.f1MacroTruth, in: key.stream) : key
  }

  var leavesStraysOut: Bool { judged?.metric == .f1MacroTruth }

  var comparison: GateRule? {
    guard needsBaseline else { return nil }
    var rule = self
    rule.atLeast = nil
    rule.atMost = nil
    return rule
  }

  package var higherIsBetter: Bool { judged?.metric.higherIsBetter ?? false }

  package var needsBaseline: Bool { largestDrop != nil || margin != nil }

  package static let frameCostRatioKey = "timing.frame_cost_ratio"
}

extension GateRule: Codable {
  private enum CodingKeys: String, SnakeCaseKey {
    case name, slice, margin, severity, inconclusive
    case subject = "metric"
    case atLeast, atMost, largestDrop, minimumSubjects, whenLabeled
  }
}

extension GateRule.Subject: Codable {
  package init(from decoder: any Decoder) throws {
    let name = try String(from: decoder)
    self =
      name == GateRule.frameCostRatioKey ? .frameCostRatio : .metric(try MetricKey(from: decoder))
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .metric(let key): try key.encode(to: encoder)
    case .frameCostRatio: try GateRule.frameCostRatioKey.encode(to: encoder)
    }
  }
}

package enum GateSlice: Hashable, Sendable, CustomStringConvertible {
  case all
  case subject(String)
  case tag(key: String, value: String)
  case activity(String)

  package func of(_ sequences: [SequenceScores]) -> [SequenceScores] {
    if case .activity(let name) = self { return sequences.compactMap { $0.during(name) } }
    return sequences.filter { contains(subject: $0.subject, tags: $0.tags) }
  }

  func frames(of outcome: SequenceOutcome) -> [Bool]? {
    guard case .activity(let name) = self else { return nil }
    let place = outcome.activities?.names.firstIndex(of: name)
    let activities = outcome.activities?.activities(at: outcome.times) ?? []
    return outcome.times.indices.map { place != nil && activities[$0] == place }
  }

  func contains(subject: String?, tags: [String: String]) -> Bool {
    switch self {
    case .all, .activity: true
    case .subject(let name): subject == name
    case .tag(let key, let value): tags[key] == value
    }
  }

  package var description: String {
    switch self {
    case .all: ""
    case .subject(let name): "subject \(name)"
    case .tag(let key, let value): "\(key) \(value)"
    case .activity(let name): "activity \(name)"
    }
  }
}

extension GateSlice: Codable {
  private enum CodingKeys: String, CodingKey { case subject, tag, value, activity }

  /// Reads `{}` for all sequences, `{"subject": "anna"}`, `{"tag": "view", "value": "side"}`, or
  /// `{"activity": "sitting"}`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let subject = try container.decodeIfPresent(String.self, forKey: .subject) {
      self = .subject(subject)
    } else if let tag = try container.decodeIfPresent(String.self, forKey: .tag) {
      self = .tag(key: tag, value: try container.decode(String.self, forKey: .value))
    } else if let activity = try container.decodeIfPresent(String.self, forKey: .activity) {
      self = .activity(activity)
    } else {
      self = .all
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .all: break
    case .subject(let name): try container.encode(name, forKey: .subject)
    case .tag(let key, let value):
      try container.encode(key, forKey: .tag)
      try container.encode(value, forKey: .value)
    case .activity(let name): try container.encode(name, forKey: .activity)
    }
  }
}

struct MarginTest {
  let index: Int
  /// The largest p of a one-sided claim at 95 % two-sided confidence.
  static let risk = 0.025
  /// The fewest people for a claimed gain, or for any claim if nothing varies: as many as a
  /// sign-flip test needs to exclude chance.
  static let fewestAlike = SignFlipTest.fewestClusters(risk: 2 * risk)

  private let margin: Double
  private let higherIsBetter: Bool
  private let comparison: MetricComparison

  init(_ index: Int, _ rule: GateRule, _ comparison: MetricComparison) {
    self.index = index
    margin = rule.margin ?? 0
    higherIsBetter = rule.higherIsBetter
    self.comparison = comparison
  }

  /// Uses Student's t with one more person or, if it can be computed and gives more, without that
  /// person.
  var probabilityOfLoss: Double {
    guard let test = comparison.test else { return withOneMore.probability(beyond: margin) }
    let alone = higherIsBetter ? test.probability(below: -margin) : test.probability(above: margin)
    return max(alone, withOneMore.probability(beyond: margin))
  }

  private var withOneMore: UnmovedPerson {
    UnmovedPerson(
      loss: (comparison.difference ?? 0) * (higherIsBetter ? -1 : 1),
      standardError: comparison.standardError ?? 0, people: comparison.subjects.count)
  }

  var probabilityOfGain: Double {
    guard let test = comparison.test else { return 1 }
    return higherIsBetter ? test.probability(above: 0) : test.probability(below: 0)
  }

  /// The smallest true loss that such gates would call regressed four times out of five, corrected
  /// for several rules; nil if it cannot be computed.
  func detectableLoss(among tests: Int) -> Double? {
    let risk = 2 * Self.risk / Double(tests)
    guard let test = comparison.test,
      let least = withOneMore.leastLoss(beyond: margin, risk: risk / 2)
    else { return nil }
    let spare =
      StudentT.quantile(StudentTest.power, freedom: Double(test.clusters - 1)) * test.standardError
    return max(margin + test.detectableDifference(risk: risk), least + spare)
  }

  func decide(_ finding: inout GateFinding, loss: Double, gain: Double) {
    guard !comparison.isUnchanged else {
      finding.note(GateReason(.unchanged))
      return
    }
    switch comparison.intervals.wider {
    case .undefined(let gap):
      finding.intervalGap = gap
      finding.note(reason(without: gap, loss: loss))
    case .interval(let interval):
      finding.interval = interval
      let least = higherIsBetter ? interval.lower : -interval.upper
      let greatest = higherIsBetter ? interval.upper : -interval.lower
      let kind: GateReason.Kind =
        if greatest < -margin, loss <= Self.risk {
          .worse
        } else if least > 0, gain <= Self.risk, comparison.subjects.count >= Self.fewestAlike {
          .better
        } else {
          least > -margin ? .noWorse : .cannotTell
        }
      finding.note(GateReason(kind, limit: margin))
    }
  }

  private func reason(without gap: UndefinedReason, loss: Double) -> GateReason {
    let gain = (comparison.difference ?? 0) * (higherIsBetter ? 1 : -1)
    let isBeyond = gain < -margin - GateFinding.tolerance
    switch gap {
    case .noVariation:
      guard comparison.subjects.count >= Self.fewestAlike else {
        return GateReason(.tooFewToTell, limit: margin, needed: Self.fewestAlike)
      }
      return GateReason(alike(gain, loss, isBeyond: isBeyond), limit: margin)
    case .fewerThanTwoClusters: return GateReason(.onePerson, limit: margin, needed: 2)
    default: return GateReason(isBeyond ? .noIntervalBeyond : .noInterval, limit: margin, gap: gap)
    }
  }

  private func alike(_ gain: Double, _ probability: Double, isBeyond: Bool) -> GateReason.Kind {
    let (wins, losses) = (comparison.wins, comparison.losses)
    if isBeyond {
      let isClaimed = losses >= Self.fewestAlike && wins == 0 && probability <= Self.risk
      return isClaimed ? .worseAlike : .cannotTell
    }
    return gain > 0 && wins >= Self.fewestAlike && losses == 0 ? .betterAlike : .noWorseAlike
  }
}

/// The mean loss of some people and of one additional person for whom nothing changed.
///
/// A few people who lose nearly alike have a tiny standard error, but say nothing about others. A
/// loss is claimed only if it would also be claimed with the additional person. With n people of
/// mean x and standard error e, the mean is n x / (n + 1), and its squared standard error is
/// (n (n - 1) e^2 + n x^2 / (n + 1)) / (n (n + 1)). The formulas are this project's.
struct UnmovedPerson {
  let loss: Double
  let standardError: Double
  let people: Int

  private var count: Double { Double(people) }

  func probability(beyond bound: Double) -> Double {
    let mean = count * loss / (count + 1)
    let squares = count * (count - 1) * standardError * standardError
    let variance = (squares + mean * loss) / (count * (count + 1))
    guard people > 0, variance > 0 else { return 1 }
    return StudentT.cumulative((bound - mean) / variance.squareRoot(), freedom: count)
  }

  /// The smallest mean loss x that is claimed to be beyond a bound m; nil with too few people.
  ///
  /// It is the larger root of (a x - m)^2 = c (S + a x^2), with a = n / (n + 1),
  /// c = t^2 / (n (n + 1)) and S = n (n - 1) e^2.
  func leastLoss(beyond bound: Double, risk: Double) -> Double? {
    guard people > 0 else { return nil }
    let quantile = StudentT.quantile(1 - risk, freedom: count)
    guard count > quantile else { return nil }
    let share = count / (count + 1)
    let factor = quantile * quantile / (count * (count + 1))
    let squares = count * (count - 1) * standardError * standardError
    let leading = share * (share - factor)
    let half = share * bound
    return (half + (half * half - leading * (bound * bound - factor * squares)).squareRoot())
      / leading
  }
}
