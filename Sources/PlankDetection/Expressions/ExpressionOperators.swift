internal import PoseModel

extension ExpressionParser {
  mutating func sum(
    _ left: Kind, _ right: Kind, isDifference: Bool, at offset: Int
  ) throws(ExpressionError) -> Kind {
    switch (left, right) {
    case (.number(let a, _), .number(let b, _)) where a == b:
      try emit(isDifference ? .subtract : .add, -1)
      return .number(a, turn: nil)
    case (.vector(let a), .vector(let b)) where a == b:
      try emit(isDifference ? .subtractVectors : .addVectors, -3)
      return .vector(a)
    case (.point, .point) where isDifference:
      try emit(.subtractVectors, -3)
      return .vector(lengths)
    case (.point, .vector(let unit)) where unit == lengths:
      try emit(isDifference ? .subtractVectors : .addVectors, -3)
      return .point
    default:
      throw scanner.error(
        at: offset, found: "\(left.text) \(isDifference ? "-" : "+") \(right.text)",
        allowed: "two numbers or two vectors in one unit, or the difference of two points",
        "bring both sides to one unit")
    }
  }

  mutating func product(
    _ left: Kind, _ right: Kind, at offset: Int
  ) throws(ExpressionError) -> Kind {
    switch (left, right) {
    case (.number(let a, _), .number(let b, _)):
      try emit(.multiply, -1)
      return .number(a * b, turn: nil)
    case (.vector(let a), .number(let b, _)):
      try emit(.scale, -1)
      return .vector(a * b)
    case (.number(let a, _), .vector(let b)):
      try emit(.scaleByFirst, -1)
      return .vector(a * b)
    default:
      throw scanner.error(
        at: offset, found: "\(left.text) * \(right.text)",
        allowed: "numbers, or a number and a vector",
        "use dot() or cross() for vectors")
    }
  }

  mutating func quotient(
    _ left: Kind, _ right: Kind, at offset: Int
  ) throws(ExpressionError) -> Kind {
    switch (left, right) {
    case (.number(let a, _), .number(let b, _)):
      try emit(.divide, -1)
      return .number(a / b, turn: nil)
    case (.vector(let a), .number(let b, _)):
      try emit(.shrink, -1)
      return .vector(a / b)
    default:
      throw scanner.error(
        at: offset, found: "\(left.text) / \(right.text)",
        allowed: "a number or a vector over a number", "divide by a number")
    }
  }
}

extension ExpressionParser.Kind {
  var text: String {
    switch self {
    case .number(let dimension, _): "a number in \(dimension.text)"
    case .point: "a point"
    case .vector(let dimension): "a vector in \(dimension.text)"
    }
  }
}
