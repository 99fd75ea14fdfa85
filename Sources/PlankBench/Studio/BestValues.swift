internal import Evaluation
internal import PlankDetection
internal import PoseModel

struct BestValues: Sendable, Encodable {
  struct Mark: Sendable, Encodable {
    let parameter: String
    let stream: String
    let value: Double
    let asGood: [Double]
    let gain: Double
    /// Whether values chosen in the same way make held-out people worse; `evaluate` proposes none of
    /// these.
    let fails: Bool
    let holds: Bool
    let points: String
    let sentence: String

    private enum CodingKeys: String, CodingKey {
      case parameter, stream, value, gain, fails, holds, points, sentence
      case asGood = "as_good"
    }
  }

  let marks: [Mark]
  let reasons: [String]

  static let none = BestValues(marks: [], reasons: [])

  private init(marks: [Mark], reasons: [String]) {
    self.marks = marks
    self.reasons = reasons
  }

  /// What helps held-out people comes before what does not, then the larger gain.
  init(_ sweep: NextSearch.Sweep) {
    let steps = NextSteps(fixes: [], findings: sweep.findings, tried: sweep.tried)
    let byParameter = Dictionary(grouping: sweep.candidates) { $0.definition.key.rawValue }
    marks = sweep.tried.compactMap { key in
      byParameter[key]?.max { left, right in
        left.fails == right.fails ? left.gain < right.gain : left.fails
      }.map(Mark.init)
    }
    reasons = steps.reasons + Self.states(sweep.findings)
  }

  private static func states(_ findings: PerStream<NextSteps.Finding>) -> [String] {
    let states: [(NextSteps.Finding, String)] = [
      (.nothingWrong, "every scored frame is right."), (.unlabeled, "no frame is scored."),
      (.tooFewFrames, "too few frames are scored; label more."),
      (.undecided, "the rules decide no frame, as measurements are missing; try --detector."),
    ]
    return states.compactMap { finding, words in
      let streams = AnswerStream.allCases.filter { findings[$0] == finding }.map(\.rawValue)
      return streams.isEmpty ? nil : "Next, \(streams.joined(separator: " and ")): \(words)"
    }
  }
}

extension BestValues.Mark {
  init(_ candidate: NextSearch.Candidate) {
    let unit = candidate.definition.unit.rawValue
    let points = "+\(NumberText.fixed(100 * candidate.gain, 1)) points"
    let streamName = candidate.stream.rawValue
    parameter = candidate.definition.key.rawValue
    stream = streamName
    value = candidate.values.after
    asGood = [candidate.asGood.lowerBound, candidate.asGood.upperBound]
    gain = candidate.gain
    fails = candidate.fails
    holds = candidate.heldOut.map { $0.right.change > 0 } ?? true
    self.points = points
    let others = candidate.heldOut.map { heldOut in
      "\(heldOut.points) points on held-out people"
    }
    sentence =
      "\(ParameterText.of(candidate.values.after, unit: unit)) in place of "
      + "\(ParameterText.of(candidate.values.before, unit: unit)), alone: the \(streamName) is "
      + "right \(points) more of its time here"
      + (others.map { ", \($0)" } ?? "; nobody could be held out") + ". As good: "
      + "\(ParameterText.range(candidate.asGood, unit: unit))."
  }
}
