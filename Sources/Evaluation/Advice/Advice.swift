package import PoseModel
internal import Statistics

/// The judgment of a change of settings, the same in every command.
///
/// It depends only on the data, on the answers of both settings and on the number of choices, so
/// commands cannot contradict each other. The advice follows the expected gain: whoever must ship
/// one of two settings loses nothing by switching between equals, but keeps a bad threshold by
/// waiting for proof. Decision record 20 compares the rules.
package struct Advice: Codable, Hashable, Sendable {
  package enum Step: String, CaseIterable, Codable, Hashable, Sendable {
    case takeProven = "take-proven"
    case takeLikely = "take-likely"
    case either
    case same
    case keepLikely = "keep-likely"
    case keepProven = "keep-proven"

    package var takes: Bool { self == .takeProven || self == .takeLikely }
    package var keeps: Bool { self == .keepProven || self == .keepLikely }
    package var isProven: Bool { self == .takeProven || self == .keepProven }
  }

  package enum Side: String, CaseIterable, Codable, Hashable, Sendable {
    case before, after
  }

  package let step: Step
  package let ships: Side
  /// The observed gain as a share (0.01 is one point) or in the metric's unit; positive is better.
  package let gain: Double
  /// The gain to expect on new people.
  ///
  /// It is `gain` shrunk toward 0, because few people say little about others, and because a choice
  /// on the same people exaggerates the gain.
  package let expected: Double
  /// The lower end of the 90 % interval of the mean gain on new people.
  package let low: Double
  package let high: Double
  /// The chance, 0...1, that the change is better for new people, or for a new source if sources
  /// disagree.
  package let better: Double
  /// How many people were counted; a recording of an unnamed person counts as a person.
  package let people: Int
  /// The number of people with equal amounts of data who would be as informative.
  package let effective: Double
  package let helped: Int
  package let hurt: Int
  package let unnamed: Int
  package let named: Bool
  package let settings: Int
  package let candidates: Int
  package let against: [String]
  package let unit: String
  package private(set) var sentence = ""

  private enum CodingKeys: String, CodingKey {
    case step, ships, gain, expected, low, high, better, people, effective, helped, hurt, unnamed
    case named, settings, candidates, unit, sentence
    case against = "sources_against"
  }

  package struct Unit: Hashable, Sendable {
    package let name: String
    /// The largest gain that nobody notices.
    package let tolerance: Double
    var worth: Double { 3 * tolerance }
    /// The smallest gain or loss that one additional person is assumed to have.
    package let least: Double
    let sign: Double

    package static let points = Unit(name: "points", tolerance: 0.005, least: 0.05, sign: 1)

    /// A rate of something unwanted, such as flickers per minute.
    ///
    /// Assumes that nobody notices a change by a fiftieth of the current rate, and that one more
    /// person changes it by at least a fifth.
    package static func rate(_ name: String, now: Double) -> Unit {
      Unit(name: name, tolerance: 0.02 * now, least: 0.2 * now, sign: -1)
    }
  }

  /// The largest chance that a proven change is wrong, over all candidates together.
  package static let provenRisk = 0.025
  /// The fewest people for a proof.
  ///
  /// By chance, six people all gain with a probability of 1 / 2^6, which is below `provenRisk`.
  package static let fewestProving = 6
  static let mostLikely = 0.97
}

extension Advice {
  /// Judges a change; nil if nothing was counted.
  ///
  /// `settings` is the number of values that differ between the two sides; a detector, a smoother
  /// or a rule counts as one. If it is 0, nothing was chosen, so the gain is not exaggerated.
  /// `candidates` is the number of changes that are judged side by side; more candidates only make
  /// proofs harder.
  package init?(
    _ counts: PairedCounts, settings: Int, candidates: Int = 1, in unit: Unit = .points,
    seed: UInt64 = 0
  ) {
    guard !counts.units.isEmpty else { return nil }
    precondition(settings >= 0 && candidates > 0, "a change is one candidate or more")
    let judged = JudgedChange(counts.units, unit, isChosen: settings > 0, seed: seed)
    let sources = Dictionary(grouping: counts.units, by: \.source)
    let parts =
      sources.count < 2
      ? []
      : sources.keys.sorted().map { name in
        (
          name: name,
          change: JudgedChange(sources[name] ?? [], unit, isChosen: settings > 0, seed: seed)
        )
      }
    let against = parts.filter { part in
      let change = part.change
      return (judged.expected > 0 && change.expected < -unit.tolerance && change.better < 0.25)
        || (judged.expected < 0 && change.expected > unit.tolerance && change.better > 0.75)
    }.map(\.name)
    let better =
      against.isEmpty
      ? judged.better
      : JudgedChange.elsewhere(parts.map(\.change.gain), least: unit.least, seed: seed)
    // Without a losing draw, the chance of a loss may still be as large as one divided by the
    // number of draws.
    let wrong = Double(candidates) * max(min(better, 1 - better), JudgedChange.leastChance)
    let isProven =
      wrong <= Self.provenRisk && counts.units.count >= Self.fewestProving && counts.unnamed == 0
      && against.isEmpty
    let bar = isProven ? unit.tolerance : unit.worth
    let isTaken = judged.expected > bar
    if counts.units.allSatisfy({ $0.before == $0.after }) {
      step = .same
    } else if judged.expected.magnitude <= bar {
      step = .either
    } else if isTaken {
      step = isProven ? .takeProven : .takeLikely
    } else {
      step = isProven ? .keepProven : .keepLikely
    }
    ships = isTaken ? .after : .before
    gain = judged.gain
    expected = judged.expected
    low = judged.low
    high = judged.high
    self.better = better
    people = counts.units.count
    effective = judged.effective
    helped = judged.helped
    hurt = judged.hurt
    unnamed = counts.unnamed
    named = counts.unnamed == 0
    self.settings = settings
    self.candidates = candidates
    self.against = against
    self.unit = unit.name
    sentence = Self.sentence(self, tolerance: unit.tolerance)
  }
}

extension Advice {
  package var strength: String {
    switch step {
    case .takeProven, .keepProven: "proven"
    case .takeLikely, .keepLikely:
      "likely: \(chance) in 100"
    case .either: "cannot tell"
    case .same: "the same answers"
    }
  }

  private var chance: Int {
    let chance = ships == .after ? better : 1 - better
    return Int((100 * min(Self.mostLikely, max(0.5, chance))).rounded())
  }

  package var settling: String? {
    guard !step.isProven, step != .same, against.isEmpty else { return nil }
    guard named else { return "Recordings prove nothing until their people are named." }
    return peopleMissing.map {
      "With about \($0) more \($0 == 1 ? "person" : "people") like these, the result would be "
        + "conclusive."
    }
  }

  private static let mostMissing = 1000

  /// Assumes that the normal quantile of the chance grows with the square root of the number of
  /// people; nil if a proof takes too many people.
  var peopleMissing: Int? {
    let needed = Normal.quantile(1 - Self.provenRisk / Double(candidates))
    let known = Normal.quantile(max(better, 1 - better))
    let ratio = needed / known
    let all = max(Double(Self.fewestProving), (Double(people) * ratio * ratio).rounded(.up))
    guard all - Double(people) <= Double(Self.mostMissing) else { return nil }
    return max(1, Int(all) - people)
  }

  package var expectedText: String { "\(number(expected)) \(unit)" }

  /// The interval with its smaller number first: a falling rate is a gain, so its ends are swapped.
  private var ends: String {
    unit == Unit.points.name
      ? "\(number(low)) to \(number(high))" : "\(number(high)) to \(number(low))"
  }

  package var measured: String {
    let verdict =
      switch step {
      case .takeProven: "better, proven"
      case .keepProven: "worse, proven"
      case .takeLikely: "better with a probability of \(chance) %"
      case .keepLikely: "worse with a probability of \(chance) %"
      case .either, .same: strength
      }
    return "\(expectedText) (\(ends); \(verdict))"
  }

  private static func sentence(_ advice: Advice, tolerance: Double) -> String {
    let ends = advice.ends
    let names = advice.people - advice.unnamed
    let who = [
      names == 0 ? "" : names == 1 ? "1 person" : "\(names) people",
      advice.named
        ? ""
        : advice.unnamed == 1
          ? "1 recording of an unnamed person"
          : "\(advice.unnamed) recordings of unnamed people",
    ].filter { !$0.isEmpty }.joined(separator: " and ")
    let other =
      advice.against.isEmpty ? "" : "; the opposite in \(advice.against.joined(separator: ", "))"
    switch advice.step {
    case .same: return "Either: the answers are the same."
    case .either:
      let areFew = "\(who) \(advice.people == 1 ? "is" : "are") too few to tell"
      let why = max(-advice.low, advice.high) <= 4 * tolerance ? "no difference seen" : areFew
      return "Either (\(why)): \(ends) \(advice.unit). Yours stays."
    case .takeProven, .takeLikely, .keepProven, .keepLikely:
      return "\(advice.step.takes ? "Take it" : "Keep yours") (\(advice.strength)): "
        + "\(advice.expectedText) (\(ends)) on new \(names > 0 ? "people" : "recordings"), "
        + "from \(who)\(other)."
    }
  }

  private func number(_ gain: Double) -> String {
    let isShare = unit == Unit.points.name
    let value = isShare ? 100 * gain : -gain
    let digits = isShare || value.magnitude >= 1 ? 10.0 : 100
    let whole = Int((value.magnitude * digits).rounded(.toNearestOrAwayFromZero))
    let rest = String(whole % Int(digits))
    let padding = String(repeating: "0", count: (digits == 10 ? 1 : 2) - rest.count)
    return (whole == 0 ? "" : value < 0 ? "-" : "+") + "\(whole / Int(digits)).\(padding)\(rest)"
  }
}

/// The advice on a change for each stream; nil for a stream in which nothing was counted.
package struct StreamAdvice: Codable, Hashable, Sendable {
  package var plank: Advice?
  package var form: Advice?

  package init(_ advice: (AnswerStream) -> Advice?) {
    plank = advice(.plank)
    form = advice(.form)
  }

  package subscript(stream: AnswerStream) -> Advice? { stream == .plank ? plank : form }

  package var all: [Advice] { [plank, form].compactMap(\.self) }

  package var sentences: [String] {
    AnswerStream.allCases.compactMap { stream in
      self[stream].map { "\(stream == .plank ? "Plank" : "Form"): \($0.sentence)" }
    }
  }
}

extension StreamAdvice {
  /// Both sides must have the same recordings in the same order.
  package init(
    _ before: [SequenceScores], _ after: [SequenceScores], candidates: Int = 1,
    settings: (AnswerStream) -> Int
  ) {
    self.init { stream in
      Advice(
        PairedCounts(before, after, stream), settings: settings(stream), candidates: candidates)
    }
  }
}
