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

  @Test("A label must be one of the stream's", arguments: AnswerStream.allCases)
  func unknownLabel(stream: AnswerStream) throws {
    let beyond = UInt8(stream.labels.count)
    _ = try DecisionList(stream, [Rule(label: beyond - 1)])
    #expect(throws: DetectorError.unknownLabel(stream, code: beyond)) {
      try DecisionList(stream, [Rule(label: beyond)])
    }
  }

  @Test("The last rule has no predicate")
  func conditionalLastRule() {
    #expect(throws: DetectorError.conditionalLastRule(.plank)) {
      try DecisionList(.plank, [Rule(label: 1, when: [bent])])
    }
  }

  @Test("Only the last rule has no predicate")
  func unreachableRules() {
    #expect(throws: DetectorError.unreachableRules(.form, after: 2)) {
      try DecisionList(
        .form, [Rule(label: 1, when: [bent]), Rule(label: 2), Rule(label: 0)])
    }
  }

  @Test("A list need not name the empty answer, and may name a label twice")
  func withoutEmptyAnswer() throws {
    let list = try DecisionList(.plank, [Rule(label: 2, when: [bent]), Rule(label: 2)])
    #expect(list.rules.count == 2)
  }

  @Test("A list knows its measurements and keys, each once, in order of mention")
  func mentions() throws {
    let list = try DecisionList(
      .plank,
      [
        Rule(label: 3, when: [raised, bent]), Rule(label: 4, when: [raised]), Rule(label: 1),
      ])
    #expect(list.measurements.members == [.shoulderRise, .bodyAngle])
    #expect(list.parameterKeys == [.sideRise, Self.bend])
  }

  @Test("Rules read as sentences")
  func sentences() throws {
    let low = Predicate(.hipDeviation, .less, .sag, negated: true)
    let list = try DecisionList(.form, [Rule(label: 1, when: [low, bent]), Rule(label: 0)])
    #expect(
      list.sentences == ["sag if hipDeviation < -sag and bodyAngle < bend", "aligned otherwise"])
  }
}
