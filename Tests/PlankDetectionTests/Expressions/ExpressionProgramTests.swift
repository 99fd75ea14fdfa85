import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Expressions of one frame, hand-computed")
struct ExpressionProgramTests {
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

  @Test("A measurement that mentions another gives what its text in parentheses gives")
  func mention() throws {
    let half = try Measurement("half", "kneeAngle / 2")
    let sum = try Measurement("sum", "half * 3 - half", using: [half])
    let written = try Measurement("written", "(kneeAngle / 2) * 3 - (kneeAngle / 2)")
    #expect(Self.figure.measure(sum) == Self.figure.measure(written))
  }
}

@Suite("Built-in measurements as expressions, by property")
struct BuiltInExpressionPropertyTests {
  static let texts: [(Measurement, String)] = [
    (.shoulderRise, "height(leftShoulder - rightShoulder)"),
    (
      .wristHipCosine, "dot(direction(centerShoulder, root), direction(centerShoulder, wrists))"
    ),
    (
      .elbowAngle,
      "mean(angle(leftShoulder, leftElbow, leftWrist), angle(rightShoulder, rightElbow, rightWrist))"
    ),
    (.bodyAngle, "angle(centerShoulder, root, ankles)"),
    (.hipDeviation, "deviation(root, centerShoulder, ankles)"),
    (.shoulderRiseFraction, "height(leftShoulder - rightShoulder) / bodyHeight"),
    (.hipDeviationFraction, "deviation(root, centerShoulder, ankles) / bodyHeight"),
    (.signedHipAngle, "signedAngle(centerShoulder, root, ankles)"),
    (
      .trunkRoll,
      """
      atan2(dot(direction(rightShoulder, leftShoulder), up),
        -dot(cross(direction(rightShoulder, leftShoulder),
          direction(centerShoulder - root - direction(rightShoulder, leftShoulder)
            * dot(centerShoulder - root, direction(rightShoulder, leftShoulder)))), up))
      """
    ),
    (
      .supportDrop,
      """
      max(dot(leftShoulder - leftElbow, up), dot(leftShoulder - leftWrist, up),
        dot(rightShoulder - rightElbow, up), dot(rightShoulder - rightWrist, up)) / bodyHeight
      """
    ),
    (
      .forearmVerticality,
      """
      mean(abs(dot(direction(leftElbow, leftWrist), up)),
        abs(dot(direction(rightElbow, rightWrist), up)))
      """
    ),
    (
      .kneeAngle,
      "mean(angle(leftHip, leftKnee, leftAnkle), angle(rightHip, rightKnee, rightAnkle))"
    ),
    (
      .smallerKneeAngle,
      "min(angle(leftHip, leftKnee, leftAnkle), angle(rightHip, rightKnee, rightAnkle))"
    ),
    (.thighSpread, "angle(leftKnee - leftHip, rightKnee - rightHip)"),
    (.trunkIncline, "dot(direction(root, centerShoulder), up)"),
    (
      .upperArmIncline,
      """
      mean(dot(direction(leftElbow, leftShoulder), up),
        dot(direction(rightElbow, rightShoulder), up))
      """
    ),
  ]

  /// Those whose built-in form reads along the up vector whatever the axes are.
  static let alongUp: [(Measurement, String)] = [
    (.verticalRatio, "abs(height(centerShoulder - ankles)) / length(centerShoulder - ankles)"),
    (.hipClearance, "(height(root) - lowest) / bodyHeight"),
    (
      .handHeight,
      """
      (min(height(leftElbow), height(leftWrist), height(rightElbow), height(rightWrist))
        - min(height(leftAnkle), height(rightAnkle))) / bodyHeight
      """
    ),
    (
      .kneeRise,
      """
      (min(height(leftKnee), height(rightKnee)) - min(height(leftAnkle), height(rightAnkle)))
        / bodyHeight
      """
    ),
    (.kneeDeviation, "deviation(knees, elbows, ankles) / bodyHeight"),
    (
      .elbowRise,
      """
      (min(height(leftElbow), height(rightElbow)) - min(height(leftWrist), height(rightWrist)))
        / bodyHeight
      """
    ),
  ]

  private func expectEqual(
    _ builtIn: Measurement, _ text: String, _ reading: AxisReading, _ seed: UInt64
  ) throws {
    let recording = RandomRecording.make(seed: seed, frames: 150, holdSeconds: 0.5)
    let measurement = try Measurement("it", text)
    #expect(measurement.unit == builtIn.unit)
    let columns = MeasurementColumns(recording, [builtIn, measurement], reading: reading)
    #expect(columns[measurement].bits == columns[builtIn].bits, "\(builtIn) \(reading)")
    #expect(columns[builtIn].contains { !$0.isNaN })
  }

  @Test(
    "A built-in measurement written as an expression gives equal numbers and equal reasons",
    arguments: texts.map(\.0), Draws.seeds(20 as UInt64))
  func equalNumbers(builtIn: Measurement, seed: UInt64) throws {
    let text = try #require(Self.texts.first { $0.0 == builtIn }?.1)
    for reading in [AxisReading.gravity, .article] {
      try expectEqual(builtIn, text, reading, seed)
    }
  }

  @Test(
    "So does one that is read along the up vector, in the axes of gravity",
    arguments: alongUp.map(\.0), Draws.seeds(20 as UInt64))
  func equalAlongUp(builtIn: Measurement, seed: UInt64) throws {
    let text = try #require(Self.alongUp.first { $0.0 == builtIn }?.1)
    try expectEqual(builtIn, text, .gravity, seed)
  }

  @Test("Every built-in measurement is among them")
  func complete() {
    #expect(MeasurementSet((Self.texts + Self.alongUp).map(\.0)) == .all)
  }
}
