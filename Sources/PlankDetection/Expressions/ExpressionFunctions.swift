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
    guard let (code, result) = applied(name, kinds) else {
      let found = kinds.map { $0.text }.joined(separator: ", ")
      throw scanner.error(
        at: offset, found: "`\(name)` of \(found)", allowed: signature,
        "give arguments of these kinds")
    }
    for instruction in code { try emit(instruction) }
    return result
  }

  private mutating func arguments() throws(ExpressionError) -> [Kind] {
    if try scanner.take(.sign(")")) { return [] }
    var kinds = [try sum()]
    while try scanner.take(.sign(",")) { kinds.append(try sum()) }
    try scanner.expect(sign: ")")
    return kinds
  }

  private func applied(
    _ name: String, _ kinds: [Kind]
  ) -> (code: [ExpressionProgram.Instruction], result: Kind)? {
    guard let first = kinds.first, kinds.count <= 3 else { return nil }
    let (second, third) = (kinds.dropFirst().first, kinds.dropFirst(2).first)
    return switch (name, first, second, third) {
    case ("abs", .number(let unit, _), nil, nil): ([.absolute], .number(unit))
    case ("height", .point, nil, nil): ([.height], .number(lengths))
    case ("height", .vector(let unit), nil, nil): ([.height], .number(unit))
    case ("length", .vector(let unit), nil, nil): ([.norm], .number(unit))
    case ("direction", .vector, nil, nil): ([.unit], .vector(.ratio))
    case ("direction", .point, .point, nil):
      ([.subtractVectors, .negateVector, .unit], .vector(.ratio))
    case ("midpoint", .point, .point, nil): ([.midpoint], .point)
    case ("distance", .point, .point, nil): ([.subtractVectors, .norm], .number(lengths))
    case ("angle", .vector, .vector, nil): ([.angle], .number(.degrees))
    case ("angle", .point, .point, .point): ([.angleAt], .number(.degrees))
    case ("signedAngle", .point, .point, .point):
      ([.signedAngleAt], .number(.degrees, turn: 0...360))
    case ("projectedAngle", .vector, .vector, .vector):
      ([.projectedAngle], .number(.degrees, turn: -180...180))
    case ("deviation", .point, .point, .point): ([.deviation], .number(lengths))
    case ("dot", .vector(let a), .vector(let b), nil): ([.dot], .number(a * b))
    case ("cross", .vector(let a), .vector(let b), nil): ([.cross], .vector(a * b))
    case ("atan2", .number(let a, _), .number(let b, _), nil) where a == b:
      ([.angleOfPoint], .number(.degrees, turn: -180...180))
    default: nil
    }
  }

  private mutating func combined(_ name: String) throws(ExpressionError) -> Kind {
    let first = try numberArgument(name)
    var count = 1
    while try scanner.take(.sign(",")) {
      let offset = scanner.token.offset
      let next = try numberArgument(name)
      guard next == first else {
        throw scanner.error(
          at: offset, found: "a number in \(next.text)", allowed: "a number in \(first.text)",
          "bring all arguments of `\(name)` to one unit")
      }
      count += 1
      if name == "min" { try emit(.minimum) }
      if name == "max" { try emit(.maximum) }
    }
    try scanner.expect(sign: ")")
    if name == "mean" { try emit(.mean(count)) }
    return .number(first)
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
    try emit(.keepIf(comparison))
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
    try emit(.subtractVectors)
    try emit(.up)
    try emit(.angle)
    return .number(.degrees)
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
  mutating func combine(
    _ left: Kind, _ sign: String, _ right: Kind, at offset: Int
  ) throws(ExpressionError) -> Kind {
    let (code, result): (ExpressionProgram.Instruction, Kind)
    switch (left, sign, right) {
    case (.number(let a, _), "+", .number(let b, _)) where a == b:
      (code, result) = (.add, .number(a))
    case (.number(let a, _), "-", .number(let b, _)) where a == b:
      (code, result) = (.subtract, .number(a))
    case (.vector(let a), "+", .vector(let b)) where a == b:
      (code, result) = (.addVectors, .vector(a))
    case (.vector(let a), "-", .vector(let b)) where a == b:
      (code, result) = (.subtractVectors, .vector(a))
    case (.point, "-", .point): (code, result) = (.subtractVectors, .vector(lengths))
    case (.point, "+", .vector(lengths)): (code, result) = (.addVectors, .point)
    case (.point, "-", .vector(lengths)): (code, result) = (.subtractVectors, .point)
    case (.number(let a, _), "*", .number(let b, _)): (code, result) = (.multiply, .number(a * b))
    case (.vector(let a), "*", .number(let b, _)): (code, result) = (.scale, .vector(a * b))
    case (.number(let a, _), "*", .vector(let b)): (code, result) = (.scaleByFirst, .vector(a * b))
    case (.number(let a, _), "/", .number(let b, _)): (code, result) = (.divide, .number(a / b))
    case (.vector(let a), "/", .number(let b, _)): (code, result) = (.shrink, .vector(a / b))
    default:
      let (allowed, remedy) =
        switch sign {
        case "*": ("numbers, or a number and a vector", "use dot() or cross() for vectors")
        case "/": ("a number or a vector over a number", "divide by a number")
        default:
          (
            "two numbers or two vectors in one unit, or the difference of two points",
            "bring both sides to one unit"
          )
        }
      throw scanner.error(
        at: offset, found: "\(left.text) \(sign) \(right.text)", allowed: allowed, remedy)
    }
    try emit(code)
    return result
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
