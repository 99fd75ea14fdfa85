import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Conditions") struct ConditionTests {
  private func texts(
    _ text: String, _ conditions: [(name: String, Condition)] = []
  ) throws -> [[String]] {
    try Condition(text, conditions: conditions).alternatives.map { $0.map(\.description) }
  }

  @Test(
    "A comparison reads back from its own description",
    arguments: DetectorDefinition.builtIn.flatMap { $0.plank.rules + $0.form.rules }
      .flatMap(\.predicates))
  func roundTrip(predicate: Predicate) throws {
    let condition = try Condition("\(predicate)", measurements: [predicate.measurement])
    #expect(condition.alternatives == [[predicate]])
  }

  @Test("`and` binds tighter than `or`, `not` tighter than both")
  func precedence() throws {
    #expect(
      try texts("kneeAngle > a or not kneeRise < b and bodyAngle <= -c") == [
        ["kneeAngle > a"], ["kneeRise >= b", "bodyAngle <= -c"],
      ])
    #expect(
      try texts("not (kneeAngle > a or kneeRise <= b)") == [["kneeAngle <= a", "kneeRise > b"]])
    #expect(
      try texts("(kneeAngle > a or kneeRise > b) and bodyAngle < c") == [
        ["kneeAngle > a", "bodyAngle < c"], ["kneeRise > b", "bodyAngle < c"],
      ])
    #expect(try texts("not not kneeAngle > a") == [["kneeAngle > a"]])
  }

  @Test("A condition is mentioned by its name")
  func names() throws {
    let low = try Condition("kneeRise < a or kneeRise < b")
    #expect(try texts("not low", [("low", low)]) == [["kneeRise >= a", "kneeRise >= b"]])
  }

  @Test(
    "A text that is not a condition is an error with its place",
    arguments: [
      ("", 1), ("sag", 1), ("hipDeviation <", 15), ("hipDeviation < sag pike", 20),
      ("hipDeviation == sag", 14), ("hipdeviation < sag", 1), ("hipDeviation < --sag", 17),
      ("hipDeviation < 0.05", 16), ("(hipDeviation < sag", 20), ("not", 4),
      ("kneeAngle > a or", 17),
    ])
  func mistakes(text: String, column: Int) {
    let error = #expect(throws: ExpressionError.self) { try Condition(text) }
    #expect(error?.line == 1 && error?.column == column, "\(String(describing: error))")
  }

  @Test("Too many alternatives and too deep a nesting are refused")
  func limits() {
    let pairs = "abcdefg".map { "(kneeAngle > \($0) or kneeRise > \($0))" }
    let many = pairs.joined(separator: " and ")
    #expect(throws: ExpressionError.self) { try Condition(many) }
    #expect(throws: ExpressionError.self) {
      try Condition(String(repeating: "not ", count: 500) + "kneeAngle > a")
    }
    let six = pairs.dropLast().joined(separator: " and ")
    #expect(throws: Never.self) { try Condition(six) }
  }

  @Test("What a condition says twice counts once, however often conditions name each other")
  func repetitions() throws {
    #expect(try texts("kneeAngle > a and kneeAngle > a") == [["kneeAngle > a"]])
    #expect(try texts("kneeAngle > a or kneeAngle > a") == [["kneeAngle > a"]])
    var named = [(name: "c0", try Condition("kneeAngle > a or kneeRise > b"))]
    // Written out, the last one would have 2^40 comparisons.
    for level in 1...40 {
      let word = level.isMultiple(of: 2) ? "and" : "or"
      let text = "c\(level - 1) \(word) c\(level - 1)"
      named.append((name: "c\(level)", try Condition(text, conditions: named)))
      try #require(named[level].1.alternatives.allSatisfy { $0.count <= 2 })
    }
    #expect(try texts("c40", named).contains(["kneeAngle > a"]))
  }

  @Test("An alternative has at most 64 comparisons, also if conditions name each other")
  func comparisons() throws {
    func all(_ numbers: Range<Int>) -> String {
      numbers.map { "kneeAngle > p\($0)" }.joined(separator: " and ")
    }
    let first = try Condition(all(0..<40))
    #expect(
      try Condition("first and \(all(40..<64))", conditions: [("first", first)])
        .alternatives.map(\.count) == [64])
    let error = #expect(throws: ExpressionError.self) {
      try Condition("first and \(all(40..<65))", conditions: [("first", first)])
    }
    #expect("\(try #require(error))".contains("64 comparisons"))
  }

  @Test(
    "A random condition holds if its parts say so, and never because of an inapplicable measurement",
    arguments: Draws.seeds(200 as UInt64))
  func truth(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let tree = Tree.random(&random, depth: 3)
    guard let condition = try? Condition(tree.text) else { return }
    for _ in 0..<20 {
      let values: [Float?] = (0..<3).map { _ in
        random.chance(0.2) ? nil : Float(random.integer(-1...1))
      }
      let holds = condition.alternatives.contains { alternative in
        alternative.allSatisfy { predicate in
          guard let index = Tree.measurements.firstIndex(of: predicate.measurement),
            let value = values[index]
          else { return false }
          return predicate.comparison.holds(value, 0)
        }
      }
      #expect(holds == (tree.value(values) == true), "\(tree.text)")
    }
  }

  /// A condition as a tree, in the logic of three values: nil is neither true nor false.
  private indirect enum Tree {
    case comparison(Int, Comparison)
    case not(Tree)
    case and(Tree, Tree)
    case or(Tree, Tree)

    static let measurements: [Measurement] = [.kneeAngle, .kneeRise, .bodyAngle]

    static func random(_ random: inout SplitMix64, depth: Int) -> Tree {
      if depth == 0 || random.chance(0.2) {
        return .comparison(random.integer(0...2), random.pick(Comparison.allCases))
      }
      let first = Self.random(&random, depth: depth - 1)
      switch random.integer(0...2) {
      case 0: return .not(first)
      case 1: return .and(first, Self.random(&random, depth: depth - 1))
      default: return .or(first, Self.random(&random, depth: depth - 1))
      }
    }

    var text: String {
      switch self {
      case .comparison(let index, let comparison):
        "\(Self.measurements[index]) \(comparison.rawValue) zero"
      case .not(let tree): "not (\(tree.text))"
      case .and(let a, let b): "(\(a.text)) and (\(b.text))"
      case .or(let a, let b): "(\(a.text)) or (\(b.text))"
      }
    }

    func value(_ values: [Float?]) -> Bool? {
      switch self {
      case .comparison(let index, let comparison):
        return values[index].map { comparison.holds($0, 0) }
      case .not(let tree): return tree.value(values).map { !$0 }
      case .and(let a, let b):
        let (left, right) = (a.value(values), b.value(values))
        if left == false || right == false { return false }
        return left == nil || right == nil ? nil : true
      case .or(let a, let b):
        let (left, right) = (a.value(values), b.value(values))
        if left == true || right == true { return true }
        return left == nil || right == nil ? nil : false
      }
    }
  }
}

@Suite("Decision lists") struct DecisionListTests {
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
    #expect(error.map { "\($0)" }?.contains("no label `sag`; the labels are none, forearm") == true)
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
}

@Suite("Comparisons") struct ComparisonTests {
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
}

@Suite("Rule traces") struct RuleTraceTests {
  private let list = DetectorDefinition.gravity.plank
  private let defaults = DetectorDefinition.gravity.defaults

  private func trace(_ values: [Measurement: Float]) throws -> [RuleTrace] {
    try list.trace(defaults) { values[$0].map(MeasuredValue.value) ?? .missing }
  }

  @Test("Exactly the first rule that holds decides")
  func firstRule() throws {
    let traces = try trace([
      .verticalRatio: 0.2, .shoulderRise: 0.3, .wristHipCosine: 0.9, .elbowAngle: 180,
    ])
    #expect(traces.map(\.decides) == [false, true, false, false, false, false])
    #expect(traces.map(\.holds) == [false, true, false, true, true, true])
    #expect(traces[1].label == "sideLeft")
  }

  @Test("No rule decides if a measurement of any rule is missing, even of a later one")
  func undetermined() throws {
    let traces = try trace([.verticalRatio: 0.9, .shoulderRise: 0, .elbowAngle: 180])
    #expect(traces.allSatisfy { !$0.decides })
    #expect(traces[0].holds)
    #expect(traces[3].steps[0].measured == .missing && traces[3].steps[0].margin == nil)
  }

  @Test("An inapplicable measurement makes its rule not hold, and the list goes on")
  func inapplicable() throws {
    let traces = try list.trace(defaults) {
      $0 == .verticalRatio || $0 == .elbowAngle ? .inapplicable : .value(0)
    }
    #expect(traces.map(\.decides) == [false, false, false, false, false, true])
    #expect(traces[0].steps[0].measured == .inapplicable)
    #expect(traces[0].steps[0].margin == nil && !traces[0].steps[0].holds)
  }

  @Test("A step has value, threshold and margin, with the threshold negated if the rule says so")
  func steps() throws {
    let traces = try trace([
      .verticalRatio: 0.25, .shoulderRise: -0.25, .wristHipCosine: 0.1, .elbowAngle: 90,
    ])
    let right = traces[2].steps[0]
    #expect(right.threshold == -Float(0.15) && right.value == -0.25 && right.holds)
    #expect(right.margin == -Float(0.15) + 0.25)
    #expect(traces[0].steps[0].margin == 0.25 - Float(0.55))
  }

  /// A built-in detector with random parameters, and a random recording.
  private func drawn(
    _ name: String, _ seed: UInt64, frames: Int
  ) throws -> (DetectorDefinition, ParameterValues, Recording) {
    let definition = try #require(DetectorDefinition.builtIn(named: name))
    var random = SplitMix64(seed: seed)
    let parameters = try RandomParameters.make(definition, &random)
    return (
      definition, parameters, RandomRecording.make(seed: seed, frames: frames, holdSeconds: 0.5)
    )
  }

  @Test(
    "Pivots are the comparisons that change the label if they alone turn over",
    arguments: DetectorDefinition.builtIn.map(\.name), Draws.seeds(5 as UInt64))
  func pivots(name: String, seed: UInt64) throws {
    let (definition, parameters, recording) = try drawn(name, seed, frames: 50)
    for stream in AnswerStream.allCases {
      let list = definition.list(stream)
      let columns = MeasurementColumns(recording, list.measurements, reading: definition.axes)
      let batch = try BatchDetector(definition, parameters: parameters)
      let distances = try batch.nearestDistances(
        stream, columns, times: recording.times)
      for frame in 0..<recording.frameCount {
        let traces = try list.trace(parameters, columns, at: frame)
        func label(turning place: Int?) -> String? {
          var next = 0
          return traces.first { trace in
            trace.steps.map { step in
              defer { next += 1 }
              return step.holds != (next == place)
            }.allSatisfy(\.self)
          }?.label
        }
        let own = traces.first(where: \.decides)?.label
        let steps = traces.flatMap(\.steps)
        let expected = steps.indices.filter { place in
          own != nil && steps[place].value != nil && label(turning: place) != own
        }
        let pivots = traces.pivots
        #expect(pivots.map(\.place) == expected)
        #expect(pivots.allSatisfy { label(turning: $0.place) == $0.label })
        #expect(distances[frame] == traces.nearestStep?.relativeDistance)
      }
    }
  }

  @Test("The nearest step is the smallest share of its range among those that change the label")
  func nearestStep() throws {
    // Shares: 0.35 of 1, 0.14 of 0.6 to the left, 0.16 of 0.6 to the right; the rest not asked.
    let traces = try trace([
      .verticalRatio: 0.2, .shoulderRise: -0.16, .wristHipCosine: 0.5, .elbowAngle: 140,
    ])
    #expect(traces.nearestStep?.predicate.isNegated == true)
    #expect([RuleTrace]().nearestStep == nil)
  }

  @Test(
    "The deciding rule is the raw label of every frame",
    arguments: DetectorDefinition.builtIn.map(\.name), Draws.seeds(10 as UInt64))
  func decidesAsDetector(name: String, seed: UInt64) throws {
    let (definition, parameters, recording) = try drawn(name, seed, frames: 200)
    let answers = try Replay.batch(recording, definition, parameters)
    for stream in AnswerStream.allCases {
      let columns = MeasurementColumns(
        recording, definition.list(stream).measurements, reading: definition.axes)
      let decided = try (0..<recording.frameCount).map { frame in
        let traces = try definition.list(stream).trace(parameters, columns, at: frame)
        let label = traces.first(where: \.decides)?.label
        return label.flatMap { stream.code(of: $0) } ?? Debouncer.undetermined
      }
      #expect(decided == answers[stream].raw)
    }
  }
}
