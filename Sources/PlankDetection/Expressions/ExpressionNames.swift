internal import PoseModel

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

  /// `confidence(joint, ...)`: the lowest confidence; of a pair, the larger one counts.
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
      if count > 1 { try emit(.minimum, -1) }
    } while try scanner.take(sign: ",")
    try scanner.expect(sign: ")")
    return .number(.ratio, turn: nil)
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

  /// `orElse(x, y)`: x in frames that have all that x needs, otherwise y.
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
    try emit(.orElse(number), -1)
    return .number(left, turn: turn == other ? turn : nil)
  }

  /// An image has the joints of both 2D skeletons, and `centerShoulder` for the middle of the
  /// shoulders.
  private static func joints(in axes: AxisReading) -> [Joint] {
    axes.isImage ? Skeleton.vision2d.joints + [.centerShoulder] : Skeleton.vision3d.joints
  }

  private var plainNames: [String] {
    Self.joints(in: axes).map { $0.name } + JointPair.allCases.map { $0.name }
      + (axes.isImage ? ["up", "lowest"] : ["up", "bodyHeight", "lowest"])
  }
}
