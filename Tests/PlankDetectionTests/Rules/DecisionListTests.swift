import PlankDetection
import PoseModel
import Testing

@Suite("Decision lists")
struct DecisionListTests {
  private static let bend = ParameterKey("bend")
  private let bent = Predicate(.bodyAngle, .less, Self.bend)
  private let raised = Predicate(.shoulderRise, .greater, .sideRise)

  @Test("A list needs a rule", arguments: AnswerStream.allCases)
  func emptyList(stream: AnswerStream) {
    #expect(throws: DetectorError.emptyList(stream)) { try DecisionList(stream, []) }
  }

  @Test("A label must be one of the stream's")
  func labelOfOtherStream() {
    let sag = AnswerLabel.form(.sag)
    let error = #expect(throws: DetectorError.labelOfOtherStream(.plank, sag)) {
      try DecisionList(.plank, [Rule(sag)])
    }
    #expect(error.map { "\($0)" }?.contains("no label `sag`; labels are none, forearm") == true)
  }

  @Test("The last rule has no predicate")
  func conditionalLastRule() {
    #expect(throws: DetectorError.conditionalLastRule(.plank)) {
      try DecisionList(.plank, [Rule(.plank(.forearm), when: [bent])])
    }
  }

  @Test("Only the last rule has no predicate")
  func unreachableRules() {
    #expect(throws: DetectorError.unreachableRules(.form, after: 2)) {
      try DecisionList(
        .form, [Rule(.form(.sag), when: [bent]), Rule(.form(.pike)), Rule(.form(.aligned))])
    }
  }

  @Test("A list need not contain the empty answer, and may contain a label twice")
  func withoutEmptyAnswer() throws {
    let list = try DecisionList(.plank, [Rule(.plank(.high), when: [bent]), Rule(.plank(.high))])
    #expect(list.rules.count == 2)
  }

  @Test("A list knows its measurements and keys, each once, in order of mention")
  func mentions() throws {
    let list = try DecisionList(
      .plank,
      [
        Rule(.plank(.sideLeft), when: [raised, bent]), Rule(.plank(.sideRight), when: [raised]),
        Rule(.plank(.forearm)),
      ])
    #expect(list.measurements.members == [.shoulderRise, .bodyAngle])
    #expect(list.parameterKeys == [.sideRise, Self.bend])
  }

  @Test("Rules read as sentences")
  func sentences() throws {
    let low = Predicate(.hipDeviation, .less, .sag, negated: true)
    let list = try DecisionList(
      .form, [Rule(.form(.sag), when: [low, bent]), Rule(.form(.aligned))])
    #expect(
      list.sentences == ["sag if hipDeviation < -sag and bodyAngle < bend", "aligned otherwise"])
  }
}

@Suite("Comparisons")
struct ComparisonTests {
  @Test("At the bound, only the comparisons with = hold", arguments: Comparison.allCases)
  func atTheBound(comparison: Comparison) {
    let isInclusive = comparison == .greaterOrEqual || comparison == .lessOrEqual
    for bound in [Float(0.15), 140, -0.05, 0] {
      #expect(comparison.holds(bound, bound) == isInclusive)
    }
  }

  @Test("One Float beside the bound decides", arguments: Comparison.allCases)
  func besideTheBound(comparison: Comparison) {
    let isUpward = comparison == .greater || comparison == .greaterOrEqual
    for bound in [Float(0.15), 140, -0.05] {
      #expect(comparison.holds(bound.nextUp, bound) == isUpward)
      #expect(comparison.holds(bound.nextDown, bound) == !isUpward)
    }
  }

  @Test("Nothing holds for a number that is none", arguments: Comparison.allCases)
  func notANumber(comparison: Comparison) {
    #expect(!comparison.holds(.nan, 1))
    #expect(!comparison.holds(1, .nan))
  }

  @Test("The margin is positive on the side that holds", arguments: Comparison.allCases)
  func margin(comparison: Comparison) {
    let isUpward = comparison == .greater || comparison == .greaterOrEqual
    #expect(comparison.margin(3, 1) == (isUpward ? 2 : -2))
    #expect(comparison.margin(1, 1) == 0)
  }

  @Test("Raw values are the operators as they are written")
  func rawValues() {
    #expect(Comparison.allCases.map(\.rawValue) == [">", ">=", "<", "<="])
  }
}
