internal import PoseModel

extension ExpressionParser {
  static let signatures: [(name: String, text: String)] = [
    ("midpoint", "midpoint(a, b) of points"),
    ("distance", "distance(a, b) of points"),
    ("direction", "direction(a, b) of points or direction(v) of a vector"),
    ("height", "height(a) of a point or height(v) of a vector"),
    ("length", "length(v) of a vector"),
    ("angle", "angle(a, b, c) of points or angle(v, w) of vectors"),
    ("signedAngle", "signedAngle(a, b, c) of points"),
    ("projectedAngle", "projectedAngle(v, w, axis) of vectors"),
    ("parentAngle", "parentAngle(joint)"),
    ("deviation", "deviation(p, a, b) of points"),
    ("dot", "dot(v, w) of vectors"),
    ("cross", "cross(v, w) of vectors"),
    ("atan2", "atan2(y, x) of numbers in one unit"),
    ("abs", "abs(x)"), ("mean", "mean(x, y, ...) of numbers in one unit"),
    ("min", "min(x, y, ...) of numbers in one unit"),
    ("max", "max(x, y, ...) of numbers in one unit"),
    ("when", "when(x, y < z)"), ("speed", "speed(x, 0.5s)"), ("range", "range(x, 1s)"),
    ("relative", "relative(x, 2s)"), ("orElse", "orElse(x, y) of numbers in one unit"),
    ("confidence", "confidence(joint, ...) of joints or pairs of an image"),
  ]

  static func signature(of name: String) -> String? { signatures.first { $0.name == name }?.text }

  mutating func call(_ name: String, at offset: Int) throws(ExpressionError) -> Kind {
    switch name {
    case "speed": return try window(.speed)
    case "range": return try window(.range)
    case "relative": return try window(.relative)
    case "when": return try kept()
    case "parentAngle": return try parentAngle()
    case "orElse": return try choice()
    case "confidence": return try confidence(at: offset)
    case "mean", "min", "max": return try combined(name)
    default: break
    }
    guard let signature = Self.signature(of: name) else {
      throw scanner.error(
        at: offset, found: "the function `\(name)`",
        allowed: Self.signatures.map { $0.name }.joined(separator: ", "),
        NearestNames.hint(name, among: Self.signatures.map { $0.name }) + "use one of these")
    }
    let kinds = try arguments()
    guard let kind = try applied(name, kinds, at: offset) else {
      let found = kinds.map { $0.text }.joined(separator: ", ")
      throw scanner.error(
        at: offset, found: "`\(name)` of \(found)", allowed: signature,
        "give arguments of these kinds")
    }
    return kind
  }

  private mutating func arguments() throws(ExpressionError) -> [Kind] {
    if try scanner.take(sign: ")") { return [] }
    var kinds = [try sum()]
    while try scanner.take(sign: ",") { kinds.append(try sum()) }
    try scanner.expect(sign: ")")
    return kinds
  }

  private mutating func applied(
    _ name: String, _ kinds: [Kind], at offset: Int
  ) throws(ExpressionError) -> Kind? {
    switch kinds.count {
    case 1: return try applied(name, kinds[0])
    case 2: return try applied(name, kinds[0], kinds[1])
    case 3: return try applied(name, kinds[0], kinds[1], kinds[2])
    default: return nil
    }
  }

  private mutating func applied(_ name: String, _ kind: Kind) throws(ExpressionError) -> Kind? {
    switch (name, kind) {
    case ("abs", .number(let dimension, _)):
      try emit(.absolute, 0)
      return .number(dimension, turn: nil)
    case ("height", .point):
      try emit(.height, -2)
      return .number(lengths, turn: nil)
    case ("height", .vector(let dimension)):
      try emit(.height, -2)
      return .number(dimension, turn: nil)
    case ("length", .vector(let dimension)):
      try emit(.norm, -2)
      return .number(dimension, turn: nil)
    case ("direction", .vector):
      try emit(.unit, 0)
      return .vector(.ratio)
    default: return nil
    }
  }

  private mutating func applied(
    _ name: String, _ first: Kind, _ second: Kind
  ) throws(ExpressionError) -> Kind? {
    switch (name, first, second) {
    case ("midpoint", .point, .point):
      try emit(.midpoint, -3)
      return .point
    case ("distance", .point, .point):
      try emit(.subtractVectors, -3)
      try emit(.norm, -2)
      return .number(lengths, turn: nil)
    case ("direction", .point, .point):
      try emit(.subtractVectors, -3)
      try emit(.negateVector, 0)
      try emit(.unit, 0)
      return .vector(.ratio)
    case ("angle", .vector, .vector):
      try emit(.angle, -5)
      return .number(.degrees, turn: nil)
    case ("dot", .vector(let a), .vector(let b)):
      try emit(.dot, -5)
      return .number(a * b, turn: nil)
    case ("cross", .vector(let a), .vector(let b)):
      try emit(.cross, -3)
      return .vector(a * b)
    case ("atan2", .number(let a, _), .number(let b, _)) where a == b:
      try emit(.angleOfPoint, -1)
      return .number(.degrees, turn: -180...180)
    default: return nil
    }
  }

  private mutating func applied(
    _ name: String, _ first: Kind, _ second: Kind, _ third: Kind
  ) throws(ExpressionError) -> Kind? {
    switch (name, first, second, third) {
    case ("angle", .point, .point, .point):
      try emit(.angleAt, -8)
      return .number(.degrees, turn: nil)
    case ("signedAngle", .point, .point, .point):
      try emit(.signedAngleAt, -8)
      return .number(.degrees, turn: 0...360)
    case ("deviation", .point, .point, .point):
      try emit(.deviation, -8)
      return .number(lengths, turn: nil)
    case ("projectedAngle", .vector, .vector, .vector):
      try emit(.projectedAngle, -8)
      return .number(.degrees, turn: -180...180)
    default: return nil
    }
  }

  private mutating func combined(_ name: String) throws(ExpressionError) -> Kind {
    let first = try numberArgument(name)
    var count = 1
    while try scanner.take(sign: ",") {
      let offset = scanner.token.offset
      let next = try numberArgument(name)
      guard next == first else {
        throw scanner.error(
          at: offset, found: "a number in \(next.text)", allowed: "a number in \(first.text)",
          "bring all arguments of `\(name)` to one unit")
      }
      count += 1
      if name == "min" { try emit(.minimum, -1) }
      if name == "max" { try emit(.maximum, -1) }
    }
    try scanner.expect(sign: ")")
    if name == "mean" { try emit(.mean(count), 1 - count) }
    return .number(first, turn: nil)
  }

  /// Parses the rest of `when(x, y < z)`: x if the comparison holds, otherwise no value.
  private mutating func kept() throws(ExpressionError) -> Kind {
    let (dimension, turn) = try firstNumber()
    let left = try numberArgument("when")
    guard case .sign(let sign) = scanner.token.kind, let comparison = Comparison(rawValue: sign)
    else {
      throw scanner.unexpected(allowed: ">, >=, < or <=", "compare two numbers")
    }
    try scanner.advance()
    let place = scanner.token.offset
    let right = try numberArgument("when")
    guard left == right else {
      throw scanner.error(
        at: place, found: "a number in \(right.text)", allowed: "a number in \(left.text)",
        "compare numbers in one unit")
    }
    try scanner.expect(sign: ")")
    try emit(.keepIf(comparison), -2)
    return .number(dimension, turn: turn)
  }

  private mutating func parentAngle() throws(ExpressionError) -> Kind {
    let skeleton = axes.isImage ? Skeleton.vision2d : .vision3d
    guard case .word(let name) = scanner.token.kind, let joint = Self.joint(name, in: axes),
      let parent = skeleton.parent(of: joint)
    else {
      throw scanner.unexpected(
        allowed: "a joint other than root", "give the joint at the bone's far end")
    }
    try scanner.advance()
    try scanner.expect(sign: ")")
    try emit(joint)
    try emit(parent)
    try emit(.subtractVectors, -3)
    try emit(.up, 3)
    try emit(.angle, -5)
    return .number(.degrees, turn: nil)
  }

  private mutating func window(_ kind: ExpressionWindow.Kind) throws(ExpressionError) -> Kind {
    let (dimension, turn) = try firstNumber()
    let seconds = try duration()
    try scanner.expect(sign: ")")
    try emit(kind, seconds: seconds, turns: turn != nil)
    let result = kind == .speed ? dimension / .seconds : dimension
    return .number(result, turn: kind == .relative && turn != nil ? -180...180 : nil)
  }

  private mutating func firstNumber() throws(ExpressionError) -> (Dimension, ClosedRange<Double>?) {
    let offset = scanner.token.offset
    guard case .number(let dimension, let turn) = try sum() else {
      throw scanner.error(
        at: offset, found: "a point or a vector", allowed: "a number", "turn it into a number first"
      )
    }
    try scanner.expect(sign: ",")
    return (dimension, turn)
  }

  private mutating func duration() throws(ExpressionError) -> Double {
    if case .number(let value, let suffix) = scanner.token.kind,
      let divisor = MeasurementUnit.seconds.suffixes.first(where: { $0.text == suffix })?.divisor,
      (0.02...10).contains(value / divisor)
    {
      try scanner.advance()
      return value / divisor
    }
    throw scanner.unexpected(
      allowed: "a time from 0.02s to 10s", "write it as a number, for example 0.5s")
  }

  private mutating func numberArgument(_ name: String) throws(ExpressionError) -> Dimension {
    let offset = scanner.token.offset
    let kind = try sum()
    guard case .number(let dimension, _) = kind else {
      throw scanner.error(
        at: offset, found: kind.text, allowed: Self.signature(of: name) ?? "a number",
        "turn it into a number first")
    }
    return dimension
  }
}

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
        allowed: "numbers, or a number and a vector", "use dot() or cross() for vectors")
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

struct Dimension: Hashable, Sendable {
  var meters = 0
  var bodyHeights = 0
  var imageHeights = 0
  var degrees = 0
  var seconds = 0

  static let ratio = Dimension()
  static let meters = Dimension(meters: 1)
  static let imageHeights = Dimension(imageHeights: 1)
  static let degrees = Dimension(degrees: 1)
  static let seconds = Dimension(seconds: 1)
  /// A length in meters divided by this unit is a number of body heights.
  static let bodyHeight = Dimension(meters: 1, bodyHeights: -1)
}

extension Dimension {
  init(_ unit: MeasurementUnit) {
    switch unit {
    case .ratio, .frames: self = .ratio
    case .meters: self = .meters
    case .degrees: self = .degrees
    case .bodyHeights: self = Dimension(bodyHeights: 1)
    case .imageHeights: self = .imageHeights
    case .seconds: self = .seconds
    case .hertz: self = Dimension(seconds: -1)
    case .metersPerSecond: self = Dimension(meters: 1, seconds: -1)
    case .degreesPerSecond: self = Dimension(degrees: 1, seconds: -1)
    case .bodyHeightsPerSecond: self = Dimension(bodyHeights: 1, seconds: -1)
    case .imageHeightsPerSecond: self = Dimension(imageHeights: 1, seconds: -1)
    }
  }

  static let units: [MeasurementUnit] = MeasurementUnit.allCases.filter { $0 != .frames }

  var unit: MeasurementUnit? { Self.units.first { Dimension($0) == self } }

  var text: String {
    if let unit { return unit.rawValue }
    let factors = [
      ("m", meters), ("body heights", bodyHeights), ("image heights", imageHeights),
      ("deg", degrees), ("s", seconds),
    ].filter { $0.1 != 0 }
    return factors.map { $0.1 == 1 ? $0.0 : "\($0.0)^\($0.1)" }.joined(separator: " ")
  }

  static func * (left: Dimension, right: Dimension) -> Dimension {
    Dimension(
      meters: left.meters + right.meters, bodyHeights: left.bodyHeights + right.bodyHeights,
      imageHeights: left.imageHeights + right.imageHeights,
      degrees: left.degrees + right.degrees, seconds: left.seconds + right.seconds)
  }

  static func / (left: Dimension, right: Dimension) -> Dimension {
    Dimension(
      meters: left.meters - right.meters, bodyHeights: left.bodyHeights - right.bodyHeights,
      imageHeights: left.imageHeights - right.imageHeights,
      degrees: left.degrees - right.degrees, seconds: left.seconds - right.seconds)
  }
}
