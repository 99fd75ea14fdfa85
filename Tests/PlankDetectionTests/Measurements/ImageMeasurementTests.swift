import PlankDetection
import PoseModel
import Testing

@Suite("Measurements of image points")
struct ImageMeasurementTests {
  private static let plank = ImageFigure.plank

  @Test(
    "Lengths are in image heights and angles are those of the picture, in either skeleton",
    arguments: [
      ("distance(shoulders, hips)", 0.5), ("height(shoulders) - lowest", 0.25),
      ("angle(shoulders, hips, ankles)", 180 - 26.565052), ("angle(up, knees - hips)", 116.56505),
      ("deviation(hips, shoulders, ankles) / distance(shoulders, ankles)", 0.114134),
      ("height(nose - shoulders)", -0.125), ("parentAngle(leftElbow)", 180),
    ] as [(String, Float)], [Skeleton.vision2d, .coco17])
  func numbers(expected: (text: String, value: Float), skeleton: Skeleton) throws {
    let found = try #require(try Self.plank.measured(expected.text, skeleton).number)
    #expect((found - expected.value).magnitude < 1e-5 * max(1, expected.value.magnitude))
  }

  @Test("Built-in angles and ratios need no depth, lengths in meters have no value")
  func builtIn() {
    #expect(Self.plank.measured(.elbowAngle).number == 180)
    #expect(Self.plank.measured(.forearmVerticality).number == 1)
    #expect(Self.plank.measured(.trunkIncline).number == 0)
    // The middles of shoulders and hips stand for the joints that 2D skeletons do not have.
    #expect(Self.plank.measured(.bodyAngle, .coco17).number != nil)
    #expect(Self.plank.measured(.verticalRatio, .coco17).number != nil)
    for measurement in Measurement.builtIn where !measurement.suits(.image) {
      #expect(Self.plank.measured(measurement) == .missing, "\(measurement)")
      #expect(measurement.unit != .ratio, "\(measurement)")
    }
  }

  @Test("One joint of a pair is enough; a joint by its own name must be there")
  func pairs() throws {
    let oneSided = Self.plank.without(.leftAnkle, .leftHip, .rightShoulder)
    #expect(try oneSided.measured("distance(shoulders, ankles)").number != nil)
    #expect(try oneSided.measured("distance(root, centerShoulder)").number == 0.5)
    #expect(try oneSided.measured("distance(leftAnkle, rightAnkle)") == .missing)
    let noAnkles = oneSided.without(.rightAnkle)
    #expect(try noAnkles.measured("distance(shoulders, ankles)") == .missing)
    #expect(noAnkles.measured(.kneeAngle) == .missing)
  }

  @Test("The least confidence counts, and of a pair the larger one; without any it is missing")
  func confidence() throws {
    var figure = Self.plank
    figure.confidences = [.leftWrist: 0.25, .rightWrist: 0.75, .nose: 0.125]
    #expect(try figure.measured("confidence(leftWrist)").number == 0.25)
    #expect(try figure.measured("confidence(wrists)").number == 0.75)
    #expect(try figure.measured("confidence(wrists, leftWrist, hips)").number == 0.25)
    #expect(try figure.measured("confidence(wrists, nose)", .coco17).number == 0.125)
    #expect(try figure.without(.nose).measured("confidence(nose)").number == 0)
    figure.hasConfidences = false
    #expect(try figure.measured("confidence(wrists)") == .missing)
    #expect(try figure.measured("orElse(confidence(wrists), 1)").number == 1)
  }

  @Test("orElse takes its second part only where the first lacks something")
  func orElse() throws {
    let text = "orElse(height(nose - shoulders), -2imageHeights)"
    #expect(try Self.plank.measured(text).number == -0.125)
    #expect(try Self.plank.without(.nose).measured(text).number == -2)
    let inapplicable = "orElse(angle(leftHip, rightHip, nose), 1deg)"
    #expect(try Self.plank.measured(inapplicable) == .inapplicable)
    let nested = "orElse(height(neck), 1imageHeights) + \(text)"
    #expect(try Self.plank.without(.nose).measured(nested).number == -1)
    let helper = try Measurement("lift", text, axes: .image)
    let user = try Measurement(
      "user", "orElse(confidence(neck), 0) + lift / 1imageHeights", using: [helper], axes: .image)
    #expect(Self.plank.without(.nose).measured(user).number == -2)
  }

  @Test(
    "A name without a meaning in an image, and one of images elsewhere, say so",
    arguments: [
      ("height(spine)", AxisReading.image, "3D positions"), ("hipDeviation", .image, "3D"),
      ("lowest / bodyHeight", .image, "3D positions"), ("height(nose)", .gravity, "axes: image"),
      ("confidence(root)", .gravity, "axes: image"), ("confidence(2)", .image, "a joint or a pair"),
      ("distance(hips, knees) + 1m", .image, "a number in image heights + a number in m"),
      ("orElse(1m, 2)", .image, "numbers in one unit"), ("orElse(nose, 2)", .image, "a point"),
    ] as [(String, AxisReading, String)])
  func mistakes(text: String, axes: AxisReading, word: String) {
    let error = #expect(throws: DetectorError.self) { try Measurement("it", text, axes: axes) }
    #expect("\(String(describing: error))".contains(word), "\(String(describing: error))")
  }

  @Test("A detector takes measurements of its own poses only, and lengths of its own unit")
  func detectors() throws {
    let span = try Measurement("span", "distance(shoulders, ankles)", axes: .image)
    #expect(throws: DetectorError.unsuitableMeasurement(span, .gravity)) {
      try Self.detector(span, .meters, .gravity)
    }
    #expect(throws: DetectorError.unsuitableMeasurement(.hipClearance, .image)) {
      try Self.detector(.hipClearance, .bodyHeights, .image)
    }
    let error = #expect(throws: DetectorError.self) { try Self.detector(span, .meters, .image) }
    #expect("\(String(describing: error))".contains("image heights"))
    let definition = try Self.detector(span, .imageHeights, .image)
    #expect(definition.reportedMeasurements.members.allSatisfy { $0.suits(.image) })
  }

  @Test("A detector and the poses of a recording that do not fit are named, and nothing is decided")
  func mismatches() throws {
    let image = Self.plank.recording()
    let gravity = DetectorDefinition.gravity
    #expect(gravity.mismatch(with: image.header) == .imagePoints(detector: "gravity"))
    let definition = try Self.detector(
      try Measurement("span", "distance(shoulders, ankles)", axes: .image), .imageHeights, .image)
    #expect(definition.mismatch(with: image.header) == nil)
    let body = Figure.prone.recording
    #expect(definition.mismatch(with: body.header) == .positions(detector: "test"))
    #expect(try Replay.stream(body, definition).first?.rawPlank == nil)
    #expect(try Replay.batch(body, definition).plank.raw == [Debouncer.undetermined])
    #expect(try Replay.stream(image, .gravity).first?.rawPlank == nil)
    var header = image.header
    header.imageHeight = nil
    #expect(definition.mismatch(with: header) == .unknownImageSize)
  }

  @Test(
    "The streaming detector measures image points as the batch detector does, smoothed or not",
    arguments: [false, true], [Skeleton.vision2d, .coco17])
  func streaming(isSmoothed: Bool, skeleton: Skeleton) throws {
    let measurements = try [
      "distance(shoulders, ankles)", "angle(root, knees, ankles) / 1deg * 1imageHeights",
      "confidence(wrists, leftAnkle) * 1imageHeights",
      "orElse(height(nose - shoulders), 0imageHeights)",
    ].enumerated().map { try Measurement("m\($0)", $1, axes: .image) }
    let smoothing =
      isSmoothed ? try SmoothingStrategy([SmoothingStep(.movingAverage, on: .joints)]) : .none
    var figure = Self.plank
    var recording = Recording(header: figure.recording(skeleton).header)
    for index in 0..<40 {
      figure.points[.nose] = index % 7 == 3 ? nil : Vector3(0.1, 0.01 * Double(index), 0)
      figure.points[.leftAnkle] = index % 5 == 2 ? nil : Vector3(1.2, 0.3, 0)
      figure.points[.leftShoulder]?.y += 0.003
      figure.confidences[.leftWrist] = Float(index) / 40
      recording.append(figure.recording(skeleton), at: Double(index) / 30)
    }
    for measurement in measurements {
      let definition = try Self.detector(measurement, .imageHeights, .image)
      let batch = try BatchDetector(definition, smoothing: smoothing).measure(recording)
      var detector = try PlankDetector(definition, smoothing: smoothing)
      for (index, frame) in recording.poseFrames.enumerated() {
        _ = try detector.update(frame)
        #expect(detector.measured(measurement) == batch.measured(measurement, at: index))
      }
      #expect(batch[measurement].contains { !$0.isNaN })
    }
  }

  /// A detector of one comparison.
  private static func detector(
    _ measurement: Measurement, _ unit: MeasurementUnit, _ axes: AxisReading
  ) throws -> DetectorDefinition {
    let limit = try ParameterDefinition(
      ParameterKey("limit"), unit: unit, default: 1, range: 0...2, meaning: "a limit")
    return try DetectorDefinition(
      name: "test", summary: "a test", axes: axes,
      plank: DecisionList(
        .plank,
        [
          Rule(.plank(.forearm), when: [Predicate(measurement, .greater, limit.key)]),
          Rule(.plank(.none)),
        ]), form: DecisionList(.form, [Rule(.form(.aligned))]), custom: [limit])
  }
}

extension Recording {
  /// Appends the first frame of another recording.
  fileprivate mutating func append(_ other: Recording, at time: Double) {
    other.positions.withUnsafeBufferPointer { pose in
      other.confidences.withUnsafeBufferPointer { confidences in
        append(time: time, pose: pose, confidences: confidences)
      }
    }
  }
}
