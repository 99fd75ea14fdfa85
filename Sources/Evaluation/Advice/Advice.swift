package import PoseModel
internal import Statistics

/// The judgment of a change of settings, the same in every command.
///
/// Four questions are answered separately: which of the two settings to ship, what gain to expect
/// on new people with its interval, how likely the change is to be better, and whether this is
/// proven. The judgment depends only on the data, on the answers of both settings, and on how much
/// was chosen, so that commands cannot contradict each other.
///
/// The advice follows the expected gain. Whoever must ship one of two settings loses nothing by
/// switching between equals, but keeps a bad threshold by waiting for proof. Decision record 20
/// describes the rules that were compared, and their regret on people who were left out.
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
  /// The gain on these people, as a share (0.01 is a point) or in the metric's unit; a positive
  /// gain is better.
  package let gain: Double
  /// The gain to expect on new people.
  ///
  /// It is `gain`, shrunk toward 0 because it rests on few people, and because a choice on the same
  /// people exaggerates it.
  package let expected: Double
  /// The lower end of the 90 % interval of the mean gain on new people.
  package let low: Double
  package let high: Double
  /// The chance, 0...1, that the change is better for new people, or for a new source if sources
  /// disagree.
  package let better: Double
  /// How many people were counted; a recording of an unnamed person counts as a person.
  package let people: Int
  /// How many people with equal amounts of data would be as informative.
  package let effective: Double
  package let helped: Int
  package let hurt: Int
  /// How many of `people` are recordings of unnamed people.
  package let unnamed: Int
  package let named: Bool
  package let settings: Int
  package let candidates: Int
  /// The sources in which the change probably has the opposite effect.
  package let against: [String]
  /// `points` (hundredths of a share), or the unit of a rate.
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
    /// The gain that justifies an unproven change.
    var worth: Double { 3 * tolerance }
    /// The smallest gain or loss that one additional person is assumed to have.
    package let least: Double
    /// +1 if more is better, -1 if less is better.
    let sign: Double

    package static let points = Unit(name: "points", tolerance: 0.005, least: 0.05, sign: 1)

    /// A rate of something unwanted, such as flickers per minute.
    ///
    /// Nobody notices a change by a fiftieth of the present rate, and an additional person is
    /// assumed to change by at least a fifth of it.
    package static func rate(_ name: String, now: Double) -> Unit {
      Unit(name: name, tolerance: 0.02 * now, least: 0.2 * now, sign: -1)
    }
  }

  /// The largest chance that a proven change is wrong, over all candidates together.
  package static let provenRisk = 0.025
  /// The fewest people for a proof.
  ///
  /// The smallest probability that the signs of six people can give, 1 / 2^6, is below
  /// `provenRisk`.
  package static let fewestProving = 6
  /// The largest chance that is reported without a proof.
  static let mostLikely = 0.97
}

extension Advice {
  /// Judges a change; nil if nothing was counted.
  ///
  /// - `settings`: how many values differ between the two sides; a detector, a smoother or a rule
  ///   counts as one. If no value differs, nothing was chosen, so no gain is exaggerated.
  /// - `candidates`: how many changes are judged side by side; more candidates only make proofs
  ///   harder.
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
  /// How sure the advice is, for example `proven`, `likely: 93 in 100` or `cannot tell`.
  package var strength: String {
    switch step {
    case .takeProven, .keepProven: "proven"
    case .takeLikely, .keepLikely:
      "likely: \(chance) in 100"
    case .either: "cannot tell"
    case .same: "the same answers"
    }
  }

  /// The probability in percent, 50...97, that what ships is the better one.
  private var chance: Int {
    let chance = ships == .after ? better : 1 - better
    return Int((100 * min(Self.mostLikely, max(0.5, chance))).rounded())
  }

  /// What would settle an unproven change; nil if nothing would, or if it is unknown.
  package var settling: String? {
    guard !step.isProven, step != .same, against.isEmpty else { return nil }
    guard named else { return "Recordings prove nothing until their people are named." }
    return peopleMissing.map {
      "With about \($0) more \($0 == 1 ? "person" : "people") like these, the result would be "
        + "conclusive."
    }
  }

  private static let mostMissing = 1000

  /// How many more people who change alike would make the chance of being wrong small enough; nil
  /// if that takes too many.
  ///
  /// The distance of the chance from one half, in standard deviations, grows with the square root
  /// of the number of people.
  var peopleMissing: Int? {
    let needed = Normal.quantile(1 - Self.provenRisk / Double(candidates))
    let known = Normal.quantile(max(better, 1 - better))
    let ratio = needed / known
    let all = max(Double(Self.fewestProving), (Double(people) * ratio * ratio).rounded(.up))
    guard all - Double(people) <= Double(Self.mostMissing) else { return nil }
    return max(1, Int(all) - people)
  }

  /// The gain to expect with its unit, for example `+8.1 points`; negative for a falling rate.
  package var expectedText: String { "\(number(expected)) \(unit)" }

  /// The interval with its smaller number first.
  ///
  /// The ends of a rate's interval are swapped, because a falling rate is a gain.
  private var ends: String {
    unit == Unit.points.name
      ? "\(number(low)) to \(number(high))" : "\(number(high)) to \(number(low))"
  }

  /// The gain without a step, for numbers that are judged beside the change.
  ///
  /// For example: `-54.5 false transitions per minute (-61.0 to -48.2; better, proven)`.
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

  /// The number with its sign and one decimal, for example `+8.1`; rates below 1 have two decimals.
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

  /// One sentence for each judged stream, for example `Plank: Take it (likely: 93 in 100): ...`.
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
