internal import PoseModel

/// The condition of a rule: it holds if all predicates of at least one alternative hold.
///
/// The parser resolves `or`, `and` and `not`, so that a rule stays a conjunction and code that runs
/// rules need not know these words. `not` negates comparisons (`>` becomes `<=`), so that even a
/// negated comparison with an inapplicable measurement does not hold.
public struct Condition: Hashable, Sendable {
  /// The alternatives in order, at least one, each with its predicates.
  public let alternatives: [[Predicate]]

  /// The largest number of alternatives in a condition.
  public static let mostAlternatives = 64
  /// The largest number of different comparisons in an alternative.
  public static let mostComparisons = 64
  package static var limits: String {
    "at most \(mostAlternatives) alternatives of at most \(mostComparisons) comparisons once `or` "
      + "is written out"
  }

  /// Parses a condition from text.
  ///
  /// ```
  /// condition = all { "or" all }
  /// all       = one { "and" one }
  /// one       = "not" one | "(" condition ")" | name | measurement op ["-"] parameter
  /// ```
  ///
  /// - Parameters:
  ///   - text: for example `not lying or trunkRoll >= -roll_limit`.
  ///   - measurements: the measurements that may be compared, in addition to the built-in ones.
  ///   - conditions: other conditions by name.
  /// - Throws: `ExpressionError` with the position of the mistake.
  public init(
    _ text: String, measurements: [Measurement] = [], conditions: [(name: String, Condition)] = []
  ) throws(ExpressionError) {
    var parser = ConditionParser(
      scanner: try ExpressionScanner(text), measurements: Measurement.builtIn + measurements,
      conditions: conditions)
    self = try parser.any()
    guard parser.scanner.token.kind == .end else {
      throw parser.scanner.unexpected(allowed: "`and`, `or` or the end", "remove it")
    }
  }

  /// The condition that holds if all of the given conditions hold, without repeated comparisons or
  /// alternatives.
  ///
  /// - Returns: nil if the condition would have more than `mostAlternatives` alternatives, or more
  ///   than `mostComparisons` comparisons in one of them.
  public static func all(of conditions: [Condition]) -> Condition? {
    var product: [[Predicate]] = [[]]
    for condition in conditions {
      var next: [[Predicate]] = []
      for left in product {
        for right in condition.alternatives {
          let both = left + right.filter { !left.contains($0) }
          guard both.count <= mostComparisons else { return nil }
          if !next.contains(both) { next.append(both) }
          guard next.count <= mostAlternatives else { return nil }
        }
      }
      product = next
    }
    return Condition(alternatives: product)
  }

  init(_ predicate: Predicate) { alternatives = [[predicate]] }

  func or(_ other: Condition) -> Condition? {
    let all = alternatives + other.alternatives.filter { !alternatives.contains($0) }
    return all.count <= Self.mostAlternatives ? Condition(alternatives: all) : nil
  }

  var negated: Condition? {
    let turned = alternatives.map { alternative in
      Condition(alternatives: alternative.map { [$0.turnedAround] })
    }
    return Condition.all(of: turned)
  }

  private init(alternatives: [[Predicate]]) { self.alternatives = alternatives }
}

private struct ConditionParser {
  private static let deepest = 32

  var scanner: ExpressionScanner
  let measurements: [Measurement]
  let conditions: [(name: String, Condition)]
  var depth = 0

  mutating func any() throws(ExpressionError) -> Condition {
    try descend()
    defer { depth -= 1 }
    var condition = try all()
    while try scanner.take(.word("or")) { condition = try checked(condition.or(try all())) }
    return condition
  }

  private mutating func descend() throws(ExpressionError) {
    guard depth < Self.deepest else {
      throw scanner.unexpected(
        allowed: "at most \(Self.deepest) levels", "name a part of the condition")
    }
    depth += 1
  }

  private mutating func all() throws(ExpressionError) -> Condition {
    var condition = try one()
    while try scanner.take(.word("and")) {
      condition = try checked(Condition.all(of: [condition, try one()]))
    }
    return condition
  }

  private mutating func one() throws(ExpressionError) -> Condition {
    try descend()
    defer { depth -= 1 }
    if try scanner.take(.word("not")) { return try checked(try one().negated) }
    if try scanner.take(.sign("(")) {
      let condition = try any()
      try scanner.expect(sign: ")")
      return condition
    }
    guard case .word(let name) = scanner.token.kind else {
      throw scanner.unexpected(
        allowed: "a measurement, a condition, `not` or `(`",
        "write, for example, `hipDeviation < -sag`")
    }
    if let condition = conditions.first(where: { $0.name == name })?.1 {
      try scanner.advance()
      return condition
    }
    guard let measurement = measurements.first(where: { $0.name == name }) else {
      let known = conditions.map { $0.name } + measurements.map { $0.name }
      throw scanner.unexpected(
        allowed: known.joined(separator: ", "),
        NearestNames.hint(name, among: known) + "use one of these, or define it first")
    }
    try scanner.advance()
    return Condition(try predicate(measurement))
  }

  private mutating func predicate(_ measurement: Measurement) throws(ExpressionError) -> Predicate {
    guard case .sign(let sign) = scanner.token.kind, let comparison = Comparison(rawValue: sign)
    else {
      throw scanner.unexpected(
        allowed: ">, >=, < or <=", "compare \(measurement.name) with a parameter")
    }
    try scanner.advance()
    let isNegated = try scanner.take(.sign("-"))
    guard case .word(let key) = scanner.token.kind else {
      throw scanner.unexpected(
        allowed: "the name of a parameter",
        "give the number a name under `parameters`, so that it can be tuned")
    }
    try scanner.advance()
    return Predicate(measurement, comparison, ParameterKey(key), negated: isNegated)
  }

  private func checked(_ condition: Condition?) throws(ExpressionError) -> Condition {
    guard let condition else {
      throw scanner.unexpected(allowed: Condition.limits, "split the rule")
    }
    return condition
  }
}
