internal import Evaluation
internal import PlankDetection
internal import PoseModel

struct BestValues: Sendable, Encodable {
  struct Mark: Sendable, Encodable {
    let parameter: String
    let stream: String
    let value: Double
    let asGood: [Double]
    /// Whether the advice is not to take it; `evaluate` proposes none of these.
    let fails: Bool
    let points: String
    let sentence: String
    let advice: Advice

    private enum CodingKeys: String, CodingKey {
      case parameter, stream, value, fails, points, sentence, advice
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

  /// Of each parameter, the value with the larger expected gain.
  init(_ sweep: NextSearch.Sweep) {
    let steps = NextSteps(fixes: [], findings: sweep.findings, tried: sweep.tried)
    let byParameter = Dictionary(grouping: sweep.candidates) { $0.definition.key.rawValue }
    marks = sweep.tried.compactMap { key in
      byParameter[key]?.max { $0.advice.expected < $1.advice.expected }.map(Mark.init)
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
    parameter = candidate.definition.key.rawValue
    stream = candidate.stream.rawValue
    value = candidate.values.after
    asGood = [candidate.asGood.lowerBound, candidate.asGood.upperBound]
    fails = !candidate.advice.step.takes
    points = candidate.advice.expectedText
    advice = candidate.advice
    sentence =
      "\(ParameterText.of(candidate.values.after, unit: unit)) in place of "
      + "\(ParameterText.of(candidate.values.before, unit: unit)), alone, for the "
      + "\(candidate.stream.rawValue). \(candidate.advice.sentence) As good: "
      + "\(ParameterText.range(candidate.asGood, unit: unit))."
  }
}
