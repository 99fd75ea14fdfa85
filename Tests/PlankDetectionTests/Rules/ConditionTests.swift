import PlankDetection
import TestSupport
import Testing

@Suite("Conditions")
struct ConditionTests {
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
