internal import PoseModel

/// Parses and compiles an expression in one pass, and checks its units.
///
/// ```
/// sum     = product { ("+" | "-") product }
/// product = factor { ("*" | "/") factor }
/// factor  = "-" factor | number | name | name "(" arguments ")" | "(" sum ")"
/// ```
struct ExpressionParser {
  enum Kind: Hashable {
    /// `turn` is the range of an angle that wraps around.
    case number(Dimension, turn: ClosedRange<Double>? = nil)
    case point
    case vector(Dimension)
  }

  private static let deepest = 64
  private static let longest = 1000

  var scanner: ExpressionScanner
  let axes: AxisReading
  private let measurements: [Measurement]
  private var program = ExpressionProgram()
  private var height = 0
  private var depth = 0

  static func compile(
    _ text: String, using measurements: [Measurement], _ axes: AxisReading
  ) throws(ExpressionError) -> (ExpressionProgram, MeasurementUnit, ClosedRange<Double>?) {
    var parser = ExpressionParser(try ExpressionScanner(text), measurements, axes)
    let kind = try parser.sum()
    guard parser.scanner.token.kind == .end else {
      throw parser.scanner.unexpected(
        allowed: "an operator or the end", "remove it, or add + - * / before it")
    }
    guard case .number(let dimension, let turn) = kind else {
      throw parser.scanner.error(
        at: 0, found: kind.text, allowed: "a number",
        "turn it into one with height(), distance(), length(), angle() or dot()")
    }
    guard let unit = dimension.unit else {
      throw parser.scanner.error(
        at: 0, found: "an expression in \(dimension.text)",
        allowed: Dimension.units.map { $0.rawValue }.joined(separator: ", "),
        "divide or multiply until its unit is one of these")
    }
    return (parser.program, unit, turn)
  }

  private init(_ scanner: ExpressionScanner, _ measurements: [Measurement], _ axes: AxisReading) {
    self.scanner = scanner
    self.measurements = measurements
    self.axes = axes
    program.isOfImages = axes.isImage
  }

  var lengths: Dimension { axes.isImage ? .imageHeights : .meters }

  mutating func sum() throws(ExpressionError) -> Kind {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw scanner.unexpected(
        allowed: "at most \(Self.deepest) levels of parentheses", "give a part of it a name")
    }
    var kind = try product()
    while case .sign(let sign) = scanner.token.kind, sign == "+" || sign == "-" {
      let offset = scanner.token.offset
      try scanner.advance()
      kind = try combine(kind, sign, try product(), at: offset)
    }
    return kind
  }

  mutating func emit(_ instruction: ExpressionProgram.Instruction) throws(ExpressionError) {
    program.instructions.append(instruction)
    height += instruction.growth
    try checkSize(height)
  }

  mutating func emit(
    _ kind: ExpressionWindow.Kind, seconds: Double, turns: Bool
  ) throws(ExpressionError) {
    program.windows.append(
      ExpressionWindow.Settings(kind: kind, seconds: seconds, turns: turns))
    try emit(.window(program.windows.count - 1))
  }

  mutating func emit(_ joint: Joint) throws(ExpressionError) {
    program.needs.formUnion(MeasurementNeeds([joint]))
    try emit(.joint(joint))
  }

  /// In an image, one joint of the pair is enough.
  mutating func emit(_ pair: JointPair) throws(ExpressionError) {
    guard axes.isImage else {
      try emit(pair.joints.left)
      try emit(pair.joints.right)
      return try emit(.midpoint)
    }
    program.needs.formUnion(MeasurementNeeds(oneOf: pair))
    try emit(.pair(pair))
  }

  mutating func emit(
    _ number: ExpressionProgram.Instruction, needing needs: MeasurementNeeds
  ) throws(ExpressionError) {
    program.needs.formUnion(needs)
    try emit(number)
  }

  mutating func firstChoice() throws(ExpressionError) -> (kind: Kind, number: Int) {
    let outer = program.needs
    program.needs = MeasurementNeeds()
    let kind = try sum()
    program.choices.append(program.needs)
    program.needs = outer
    return (kind, program.choices.count - 1)
  }

  private mutating func product() throws(ExpressionError) -> Kind {
    var kind = try factor()
    while case .sign(let sign) = scanner.token.kind, sign == "*" || sign == "/" {
      let offset = scanner.token.offset
      try scanner.advance()
      kind = try combine(kind, sign, try factor(), at: offset)
    }
    return kind
  }

  private mutating func factor() throws(ExpressionError) -> Kind {
    let offset = scanner.token.offset
    switch scanner.token.kind {
    case .sign("-"):
      try scanner.advance()
      return try negated(at: offset)
    case .sign("("):
      try scanner.advance()
      let kind = try sum()
      try scanner.expect(sign: ")")
      return kind
    case .number(let value, let suffix):
      try scanner.advance()
      return try constant(value, suffix, at: offset)
    case .word(let name):
      try scanner.advance()
      if try scanner.take(.sign("(")) { return try call(name, at: offset) }
      return try named(name, at: offset)
    default:
      throw scanner.unexpected(allowed: "a number, a name, `(` or `-`", "complete the expression")
    }
  }

  private mutating func negated(at offset: Int) throws(ExpressionError) -> Kind {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw scanner.unexpected(allowed: "fewer signs", "remove pairs of them")
    }
    switch try factor() {
    case .number(let dimension, _):
      try emit(.negate)
      return .number(dimension)
    case .vector(let dimension):
      try emit(.negateVector)
      return .vector(dimension)
    case .point:
      throw scanner.error(
        at: offset, found: "a minus before a point", allowed: "a number or a vector",
        "subtract it from another point")
    }
  }

  private mutating func constant(
    _ value: Double, _ suffix: String, at offset: Int
  ) throws(ExpressionError) -> Kind {
    if suffix.isEmpty {
      try emit(.constant(value))
      return .number(.ratio)
    }
    for unit in Dimension.units {
      for known in unit.suffixes where known.text == suffix {
        try emit(.constant(value / known.divisor))
        return .number(Dimension(unit))
      }
    }
    throw scanner.error(
      at: offset, found: "the unit `\(suffix)`",
      allowed: "m, cm, mm, deg, s, ms, Hz, bodyHeights, imageHeights right behind a number, or "
        + "no unit",
      "correct the unit")
  }

  private mutating func append(_ inner: ExpressionProgram) throws(ExpressionError) {
    _ = program.append(inner)
    try checkSize(height + inner.depth)
    height += 1
  }

  private mutating func checkSize(_ places: Int) throws(ExpressionError) {
    program.depth = max(program.depth, places)
    let isTooDeep = places > ExpressionProgram.largestStack
    guard !isTooDeep, program.instructions.count <= Self.longest else {
      throw scanner.unexpected(
        allowed:
          "\(Self.longest) steps that keep at most \(ExpressionProgram.largestStack) numbers "
          + "at a time", "leave out what is not needed")
    }
  }

  private mutating func named(_ name: String, at offset: Int) throws(ExpressionError) -> Kind {
    if let joint = Self.joint(name, in: axes) {
      try emit(joint)
      return .point
    }
    if let pair = Self.pair(name) {
      try emit(pair)
      return .point
    }
    switch name {
    case "up":
      try emit(.up)
      return .vector(.ratio)
    case "bodyHeight" where !axes.isImage:
      try emit(.bodyHeight, needing: MeasurementNeeds(bodyHeight: true))
      return .number(.bodyHeight)
    case "lowest":
      try emit(.lowest)
      return .number(lengths)
    default: return try measurement(name, at: offset)
    }
  }

  private mutating func measurement(
    _ name: String, at offset: Int
  ) throws(ExpressionError) -> Kind {
    let known = Measurement.builtIn(for: axes) + measurements
    guard let measurement = known.first(where: { $0.name == name }), measurement.suits(axes) else {
      throw unknown(name, known, at: offset)
    }
    program.needs.formUnion(measurement.needs)
    switch measurement.source {
    case .formula(let formula): try emit(.formula(formula))
    case .program(let inner): try append(inner)
    }
    return .number(Dimension(measurement.unit), turn: measurement.turn)
  }
}

extension ExpressionParser {
  static func joint(_ name: String, in axes: AxisReading) -> Joint? {
    Joint(name: name).flatMap { joints(in: axes).contains($0) ? $0 : nil }
  }

  static func pair(_ name: String) -> JointPair? { JointPair.allCases.first { $0.name == name } }

  static func isTaken(_ name: String, in axes: AxisReading) -> Bool {
    joint(name, in: axes) != nil || pair(name) != nil || signature(of: name) != nil
      || ["up", "bodyHeight", "lowest", "not", "and", "or"].contains(name)
  }

  func unknown(_ name: String, _ known: [Measurement], at offset: Int) -> ExpressionError {
    let names = plainNames + known.map { $0.name }
    let pairs = JointPair.allCases.map { $0.name }.joined(separator: ", ")
    let needsDepth =
      name == "bodyHeight" || Measurement.builtIn(named: name) != nil
      || Self.joint(name, in: .gravity) != nil
    let remedy: String
    if axes.isImage, needsDepth {
      remedy = "it needs 3D positions; measure something that an image shows"
    } else if !axes.isImage, Self.joint(name, in: .image) != nil {
      remedy = "only images have this joint; write `axes: image` for a detector of 2D poses"
    } else if let signature = Self.signature(of: name) {
      remedy = "write it as \(signature)"
    } else {
      remedy =
        NearestNames.hint(name, among: names)
        + "correct the name, or define a measurement of that name before this one"
    }
    return scanner.error(
      at: offset, found: "the name `\(name)`",
      allowed: "joints, \(pairs), up, \(axes.isImage ? "" : "bodyHeight, ")lowest, measurements "
        + "and functions", remedy)
  }

  /// Parses the rest of `confidence(joint, ...)`: the lowest confidence of its arguments.
  ///
  /// The confidence of a pair is the larger of its joints' confidences.
  mutating func confidence(at offset: Int) throws(ExpressionError) -> Kind {
    guard axes.isImage else {
      throw scanner.error(
        at: offset, found: "`confidence`", allowed: "functions of positions",
        "3D poses have no confidence; write `axes: image` for a detector of 2D poses")
    }
    var count = 0
    repeat {
      try oneConfidence()
      count += 1
      if count > 1 { try emit(.minimum) }
    } while try scanner.take(.sign(","))
    try scanner.expect(sign: ")")
    return .number(.ratio)
  }

  private mutating func oneConfidence() throws(ExpressionError) {
    if case .word(let name) = scanner.token.kind {
      if let pair = Self.pair(name) {
        try scanner.advance()
        return try emit(.pairConfidence(pair), needing: MeasurementNeeds(confidenceOf: pair))
      }
      if let joint = Self.joint(name, in: axes) {
        try scanner.advance()
        return try emit(.confidence(joint), needing: MeasurementNeeds(confidenceOf: joint))
      }
    }
    throw scanner.unexpected(
      allowed: "a joint or a pair of joints", "name the joints, separated by commas")
  }

  /// Parses the rest of `orElse(x, y)`: x in frames that have all inputs of x, otherwise y.
  mutating func choice() throws(ExpressionError) -> Kind {
    let offset = scanner.token.offset
    let (first, number) = try firstChoice()
    try scanner.expect(sign: ",")
    let second = try sum()
    guard case .number(let left, let turn) = first, case .number(let right, let other) = second,
      left == right
    else {
      throw scanner.error(
        at: offset, found: "`orElse` of \(first.text), \(second.text)",
        allowed: Self.signature(of: "orElse") ?? "two numbers", "bring both to one unit")
    }
    try scanner.expect(sign: ")")
    try emit(.orElse(number))
    return .number(left, turn: turn == other ? turn : nil)
  }

  private static func joints(in axes: AxisReading) -> [Joint] {
    axes.isImage ? Skeleton.vision2d.joints + [.centerShoulder] : Skeleton.vision3d.joints
  }

  private var plainNames: [String] {
    Self.joints(in: axes).map { $0.name } + JointPair.allCases.map { $0.name }
      + (axes.isImage ? ["up", "lowest"] : ["up", "bodyHeight", "lowest"])
  }
}
