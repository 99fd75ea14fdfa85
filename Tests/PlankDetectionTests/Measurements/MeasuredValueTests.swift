import PlankDetection
import PoseModel
import Testing

@Suite("Measured values") struct MeasuredValueTests {
  private static let arms: Set<Joint> = [
    .leftShoulder, .leftElbow, .leftWrist, .rightShoulder, .rightElbow, .rightWrist,
  ]
  private static let trunk: Set<Joint> = [.centerShoulder, .root, .leftAnkle, .rightAnkle]

  /// The joints without which a measurement is missing.
  private static let needed: [Measurement: Set<Joint>] = [
    .verticalRatio: [.centerShoulder, .leftAnkle, .rightAnkle],
    .shoulderRise: [.leftShoulder, .rightShoulder],
    .shoulderRiseFraction: [.leftShoulder, .rightShoulder],
    .wristHipCosine: [.centerShoulder, .root, .leftWrist, .rightWrist],
    .elbowAngle: arms, .supportDrop: arms, .bodyAngle: trunk, .hipDeviation: trunk,
    .hipDeviationFraction: trunk, .signedHipAngle: trunk,
    .trunkRoll: [.centerShoulder, .root, .leftShoulder, .rightShoulder],
    .hipClearance: [.root],
    .forearmVerticality: [.leftElbow, .leftWrist, .rightElbow, .rightWrist],
    .kneeAngle: legs, .smallerKneeAngle: legs,
    .thighSpread: [.leftHip, .leftKnee, .rightHip, .rightKnee],
    .trunkIncline: [.centerShoulder, .root],
    .upperArmIncline: [.leftShoulder, .leftElbow, .rightShoulder, .rightElbow],
    .handHeight: [.leftElbow, .leftWrist, .rightElbow, .rightWrist, .leftAnkle, .rightAnkle],
    .kneeRise: [.leftKnee, .rightKnee, .leftAnkle, .rightAnkle],
    .kneeDeviation: [.leftElbow, .rightElbow, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle],
    .elbowRise: [.leftElbow, .leftWrist, .rightElbow, .rightWrist],
  ]
  private static let legs: Set<Joint> = [
    .leftHip, .leftKnee, .leftAnkle, .rightHip, .rightKnee, .rightAnkle,
  ]

  @Test(
    "A measurement is missing without any joint that it needs, and depends on no other",
    arguments: Measurement.builtIn)
  func neededJoints(measurement: Measurement) throws {
    let value = try #require(Figure.prone.measure(measurement))
    let needed = try #require(Self.needed[measurement])
    for joint in Skeleton.vision3d.joints {
      let left = Figure.prone.without(joint).measured(measurement)
      if needed.contains(joint) {
        #expect(left == .missing, "without \(joint)")
      } else {
        #expect(left == .value(value), "without \(joint)")
      }
    }
  }

  @Test(
    "A joint that is not finite is as good as missing", arguments: Measurement.builtIn,
    [Double.infinity, -.infinity, .nan])
  func nonFinite(measurement: Measurement, coordinate: Double) throws {
    for joint in try #require(Self.needed[measurement]) {
      let figure = Figure.prone.with(joint, at: Vector3(0, coordinate, 0))
      #expect(figure.measured(measurement) == .missing, "\(joint)")
    }
  }

  @Test(
    "Where no body height is given, measurements over it take Vision's 1.8 m",
    arguments: Measurement.builtIn)
  func unknownHeight(measurement: Measurement) {
    var figure = Figure.prone
    figure.height = nil
    let measured = figure.measure(measurement)
    figure.height = 1.8
    #expect(figure.measure(measurement) == measured)
    figure.height = 2
    let isDivided = measurement.unit == .bodyHeights && measured != 0
    #expect((figure.measure(measurement) != measured) == isDivided)
    figure.height = nil
    figure.frameHeight = 1.75
    #expect(figure.measure(measurement) == Figure.prone.measure(measurement))
  }

  @Test("A body height that none can have is as good as missing", arguments: [0, -1.8, .infinity])
  func impossibleHeight(height: Double) {
    var figure = Figure.prone
    figure.height = height
    #expect(figure.measured(.supportDrop) == .missing)
    #expect(figure.measured(.shoulderRiseFraction) == .missing)
  }

  @Test("What is missing outweighs what geometry cannot tell")
  func missingFirst() {
    var figure = Figure.prone.with(.root, at: Vector3(0.5, 0.5, 0))
    #expect(figure.measured(.wristHipCosine) == .inapplicable)
    figure = figure.without(.leftWrist)
    #expect(figure.measured(.wristHipCosine) == .missing)
  }

  @Test("A standing body has no signed hip angle, though nothing is missing")
  func standing() {
    let figure = Figure([
      .centerShoulder: Vector3(0, 1.4, 0), .root: Vector3(0, 0.9, 0),
      .leftAnkle: Vector3(0, 0.1, 0.1), .rightAnkle: Vector3(0, 0.1, -0.1),
    ])
    #expect(figure.measured(.signedHipAngle) == .inapplicable)
  }

  @Test("Where elbows and ankles are in one place, the knees have no line to be above")
  func noLine() {
    let ankles = [Joint.leftAnkle, .rightAnkle].compactMap { Figure.prone.joints[$0] }
    let figure = Figure.prone.with(.leftElbow, at: ankles[0]).with(.rightElbow, at: ankles[1])
    #expect(figure.measured(.kneeDeviation) == .inapplicable)
    #expect(figure.without(.leftKnee).measured(.kneeDeviation) == .missing)
  }

  @Test(
    "A value comes back from how columns store it",
    arguments: [MeasuredValue.value(-0.5), .value(0), .missing, .inapplicable])
  func stored(value: MeasuredValue) {
    #expect(MeasuredValue(stored: value.stored) == value)
    #expect(value.stored.isNaN == (value.number == nil))
    #expect(MeasuredValue.isMissing(value.stored) == (value == .missing))
  }

  @Test("Any other NaN reads as missing")
  func foreignNaN() {
    #expect(MeasuredValue(stored: Float(nan: 7, signaling: false)) == .missing)
    #expect(MeasuredValue(stored: -Float.nan) == .missing)
  }

  /// A measurement, the joint to move, and the joint that it is moved to.
  private static let directions: [(Measurement, Joint, Joint)] = [
    (.wristHipCosine, .root, .centerShoulder), (.elbowAngle, .leftShoulder, .leftElbow),
    (.elbowAngle, .rightWrist, .rightElbow), (.bodyAngle, .centerShoulder, .root),
    (.signedHipAngle, .root, .centerShoulder), (.trunkRoll, .leftShoulder, .rightShoulder),
    (.trunkRoll, .root, .centerShoulder), (.forearmVerticality, .leftWrist, .leftElbow),
    (.forearmVerticality, .rightElbow, .rightWrist), (.kneeAngle, .leftHip, .leftKnee),
    (.smallerKneeAngle, .rightAnkle, .rightKnee),
    (.kneeAngle, .rightAnkle, .rightKnee), (.thighSpread, .leftKnee, .leftHip),
    (.thighSpread, .rightHip, .rightKnee), (.trunkIncline, .root, .centerShoulder),
    (.upperArmIncline, .leftShoulder, .leftElbow),
    (.upperArmIncline, .rightElbow, .rightShoulder),
  ]

  @Test(
    "A direction is inapplicable below a millimeter and has a value from there on",
    arguments: directions)
  func shortVector(measurement: Measurement, moved: Joint, target: Joint) throws {
    // At the origin, so that the distance is the Float that is written.
    let origin = try #require(Figure.prone.joints[target])
    var figure = Figure.prone
    figure.joints = figure.joints.mapValues { $0 - origin }
    let bound = Float(0.001)
    #expect(Double(bound) >= 0.001 && Double(bound.nextDown) < 0.001)
    for (distance, isDefined) in [(bound, true), (bound.nextDown, false), (0, false)] {
      let near = figure.with(moved, at: Vector3(0, Double(distance), 0))
      #expect((near.measure(measurement) != nil) == isDefined, "\(distance) m")
      #expect((near.measured(measurement) == .inapplicable) != isDefined, "\(distance) m")
    }
  }

  @Test(
    "A line from shoulders to ankles below a millimeter has no side for the hips",
    arguments: [Measurement.hipDeviation, .hipDeviationFraction, .signedHipAngle])
  func shortLine(measurement: Measurement) {
    var figure = Figure.prone.with(.centerShoulder, at: Vector3(0, 0, 0))
    for (distance, isDefined) in [(Float(0.001), true), (Float(0.001).nextDown, false)] {
      figure.joints[.leftAnkle] = Vector3(Double(distance), 0, 0)
      figure.joints[.rightAnkle] = Vector3(Double(distance), 0, 0)
      #expect((figure.measure(measurement) != nil) == isDefined, "\(distance) m")
      #expect((figure.measured(measurement) == .inapplicable) != isDefined, "\(distance) m")
    }
  }
}
