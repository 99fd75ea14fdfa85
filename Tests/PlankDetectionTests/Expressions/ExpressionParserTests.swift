import PlankDetection
import PoseModel
import Testing

@Suite("Reading expressions") struct ExpressionParserTests {
  @Test(
    "The unit of an expression follows from its parts",
    arguments: [
      ("distance(leftWrist, root)", .meters), ("bodyAngle", .degrees), ("3 * 4 - 1", .ratio),
      ("height(root) / bodyHeight", .bodyHeights), ("2cm", .meters), ("30°", .degrees),
      ("distance(wrists, ankles) / distance(hips, knees)", .ratio),
      ("speed(kneeAngle, 0.5s)", .degreesPerSecond),
      ("speed(height(root), 500ms)", .metersPerSecond),
      ("speed(hipClearance, 1s)", .bodyHeightsPerSecond), ("speed(verticalRatio, 1s)", .hertz),
      ("range(trunkRoll, 1s)", .degrees), ("relative(sag_like, 2s)", .meters),
      ("dot(root - spine, up) * 1Hz * 2s", .meters), ("1bodyHeights * bodyHeight", .meters),
      ("length(cross(root - spine, up))", .meters), ("atan2(1m, 2m)", .degrees),
      ("height(root - ankles + 2 * (spine - root))", .meters), ("0.5s", .seconds),
      ("height((root - spine) / 2 + 2 * (root - spine) * 3)", .meters), ("-(-1e-2m)", .meters),
      ("height(midpoint(hips + (root - spine), leftKnee - (spine - root)))", .meters),
      ("when(kneeAngle, height(root) - lowest <= 3mm)", .degrees),
      ("parentAngle(leftKnee)", .degrees),
    ] as [(String, MeasurementUnit)])
  func units(text: String, unit: MeasurementUnit) throws {
    let helper = try Measurement("sag_like", "deviation(root, shoulders, ankles)")
    #expect(try Measurement("it", text, using: [helper]).unit == unit)
  }

  /// A text, the line and column of its mistake, and a word of the message.
  static let mistakes: [(String, Int, Int, String)] = [
    ("", 1, 1, "the end"), ("kneeAngle +", 1, 12, "the end"), ("kneeAngle kneeAngle", 1, 11, "end"),
    ("(kneeAngle", 1, 11, "`)`"), ("kneeangle", 1, 1, "`kneeangle`"),
    ("angle(root, spine)", 1, 1, "a point, a point"), ("2 * angel(root)", 1, 5, "parentAngle"),
    ("root", 1, 1, "a point"), ("root - spine", 1, 1, "a vector in m"), ("up", 1, 1, "height()"),
    ("kneeAngle + hipDeviation", 1, 11, "a number in deg + a number in m"),
    ("root + spine", 1, 6, "a point + a point"), ("-root", 1, 1, "a minus before a point"),
    ("kneeAngle * kneeAngle", 1, 1, "deg^2"), ("1m * 1m * 1m", 1, 1, "m^3"),
    ("2 / (root - spine)", 1, 3, "divide by a number"), ("root * 2", 1, 6, "cross()"),
    ("5ft", 1, 1, "the unit `ft`"), ("1.2.3", 1, 1, "`1.2.3`"), ("kneeAngle # 2", 1, 11, "`#`"),
    ("min(kneeAngle, 2)", 1, 16, "a number in deg"), ("mean()", 1, 6, "`(`"),
    ("abs(root)", 1, 1, "abs(x)"), ("mean(root)", 1, 6, "a point"),
    ("speed(kneeAngle, 2)", 1, 18, "from 0.02s to 10s"), ("speed(kneeAngle, 11s)", 1, 18, "10s"),
    ("speed(kneeAngle, 0.01s)", 1, 18, "0.02s"), ("range(root, 1s)", 1, 7, "a number"),
    ("when(kneeAngle, kneeAngle)", 1, 26, ">="),
    ("when(kneeAngle, kneeAngle > 2)", 1, 29, "in deg"),
    ("when(root, 1 > 2)", 1, 6, "a number"), ("parentAngle(root)", 1, 13, "other than root"),
    ("parentAngle(nose)", 1, 13, "other than root"), ("height(nose)", 1, 8, "`nose`"),
    ("distance", 1, 1, "distance(a, b)"), ("kneeAngle\n  + 1", 2, 3, "a number in deg"),
    ("kneeAngle + «", 1, 13, "`«`"), ("1e400", 1, 1, "finite"),
    ("atan2(1m, 1deg)", 1, 1, "one unit"),
  ]

  @Test("Every mistake has its place and a remedy", arguments: mistakes)
  func mistake(text: String, line: Int, column: Int, word: String) {
    let error = #expect(throws: DetectorError.self) { try Measurement("it", text) }
    guard case .unreadableExpression("it", let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.line == line && problem.column == column, "\(problem)")
    #expect(problem.description.contains(word), "\(problem)")
    #expect(
      problem.description.hasPrefix(line == 1 ? "column \(column): found " : "line 2, column 3"))
    #expect(error?.description == "the expression of it: \(problem)")
  }

  @Test(
    "A name that is taken, or is not a word, cannot be the name of a measurement",
    arguments: [
      "root", "ankles", "up", "mean", "bodyAngle", "not", "lowest", "", "a b", "2nd", "é", "other",
    ])
  func names(name: String) throws {
    let other = try Measurement("other", "kneeAngle")
    let error = #expect(throws: DetectorError.self) {
      try Measurement(name, "kneeAngle", using: [other])
    }
    guard case .invalidMeasurementName(name, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("Hostile depth and length are refused, not run into")
  func hostile() throws {
    let nested = String(repeating: "(", count: 500) + "1" + String(repeating: ")", count: 500)
    let long = Array(repeating: "1", count: 1500).joined(separator: "+")
    let wide = "max(" + Array(repeating: "1", count: 300).joined(separator: ",") + ")"
    let tall = String(repeating: "1+(", count: 60) + "1" + String(repeating: ")", count: 60)
    let means = "mean(" + Array(repeating: "1", count: 200).joined(separator: ",") + ")"
    for text in [nested, long, means, String(repeating: "-", count: 400) + "1"] {
      #expect(throws: DetectorError.self) { try Measurement("it", text) }
    }
    #expect(throws: DetectorError.self) {
      try Measurement("it", String(repeating: "1 ", count: 3000))
    }
    for text in [wide, tall] { _ = try Measurement("it", text) }
  }

  @Test("The definition is the text on one line")
  func definition() throws {
    let measurement = try Measurement("it", " kneeAngle\n   + 1deg ")
    #expect(measurement.definition == "kneeAngle + 1deg")
    #expect(measurement.expression == measurement.definition && !measurement.isBuiltIn)
    #expect(Measurement.kneeAngle.expression == nil)
    #expect(try Measurement("it", "speed(kneeAngle, 1s)").columnName == "it_deg_per_s")
  }
}

@Suite("Expressions of one frame, hand-computed") struct ExpressionProgramTests {
  private static let figure = Figure.prone

  @Test(
    "Each function gives what its definition says",
    arguments: [
      ("distance(leftWrist, rightWrist)", 0.5), ("height(root) - height(ankles)", 0.375),
      ("height(root - leftAnkle)", 0.375), ("length(root - centerShoulder)", 0.5),
      ("angle(leftShoulder, leftElbow, leftWrist)", 180), ("angle(up, root - spine)", 90),
      ("dot(direction(leftElbow, leftWrist), up)", -1),
      ("deviation(knees, root, ankles)", -0.05479452),
      ("signedAngle(leftShoulder, leftElbow, leftWrist)", nil),
      ("signedAngle(centerShoulder, root, centerHead + (centerHead - root))", 0),
      ("projectedAngle(root - centerShoulder, leftShoulder - rightShoulder, up)", -90),
      ("projectedAngle(leftShoulder - rightShoulder, root - centerShoulder, up)", 90),
      ("projectedAngle(up, root - spine, up)", nil), ("parentAngle(leftElbow)", 180),
      ("parentAngle(spine)", 90), ("atan2(1, -1)", 135), ("abs(-2) + min(3, 1, 2) + max(1, 4)", 7),
      ("mean(1, 2, 6)", 3), ("2 - 3 - 4", -5), ("12 / 3 / 2", 2), ("1 + 2 * 3", 7), ("-2 * -3", 6),
      ("1 / 0", nil), ("0 / 0", nil), ("length((root - spine) / 0)", nil), ("-(1 - 3)", 2),
      ("height(leftWrist) - lowest", 0), ("bodyHeight / 1m * 1bodyHeights", 1.75),
      ("when(5, 1 < 2)", 5), ("when(5, 2 < 2)", nil), ("when(5, 2 <= 2)", 5),
      ("when(5, 1 > 2)", nil),
      ("when(5, 2 >= 2)", 5), ("when(5, 1 / 0 < 2)", nil),
      ("length(cross(up, root - spine))", 0.25),
      ("height(midpoint(root, leftAnkle))", 0.3125), ("height(hips + 2 * up * 1m)", 2.5),
      ("length(direction(root, root))", nil), ("distance(shoulders, elbows)", 0.25),
    ] as [(String, Double?)])
  func functions(text: String, expected: Double?) throws {
    let measured = Self.figure.measured(try Measurement("it", text))
    guard let expected else {
      #expect(measured == .inapplicable)
      return
    }
    #expect(abs(Double(measured.number ?? .nan) - expected) < 1e-6, "\(measured)")
  }

  @Test(
    "An expression is missing without any joint that it names, and depends on no other",
    arguments: Skeleton.vision3d.joints)
  func needs(joint: Joint) throws {
    let named: Set<Joint> = [
      .leftHip, .leftKnee, .leftAnkle, .rightWrist, .leftWrist, .spine, .root,
    ]
    let measurement = try Measurement(
      "it", "when(angle(leftHip, leftKnee, leftAnkle), height(wrists) < 9m) + parentAngle(spine)")
    let whole = Self.figure.measured(measurement)
    #expect(whole.number != nil)
    let left = Self.figure.without(joint).measured(measurement)
    #expect(left == (named.contains(joint) ? .missing : whole))
  }

  @Test("Only an expression that mentions the body height needs it")
  func bodyHeight() throws {
    var figure = Self.figure
    figure.height = 0
    #expect(figure.measured(try Measurement("it", "height(root) / bodyHeight")) == .missing)
    #expect(figure.measured(try Measurement("it", "kneeRise * 2")) == .missing)
    #expect(figure.measured(try Measurement("it", "height(root)")).number != nil)
  }

  @Test("Heights are read along the axis of the detector, `up` is always the up vector")
  func axes() throws {
    var figure = Self.figure
    figure.up = .unitX
    let height = try Measurement("it", "height(leftShoulder - leftElbow)")
    let along = try Measurement("it", "dot(leftShoulder - leftElbow, up)")
    #expect(figure.measure(height, .gravity) == 0 && figure.measure(height, .article) == 0.25)
    #expect(figure.measure(along, .gravity) == 0 && figure.measure(along, .article) == 0)
  }
}
