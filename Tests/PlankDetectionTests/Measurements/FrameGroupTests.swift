import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Frames side by side") struct FrameGroupTests {
  /// Expressions of all axes in which every instruction occurs, with those for points or positions.
  private static func texts(_ reading: AxisReading) -> [String] {
    let own =
      reading.isImage
      ? [
        "confidence(leftWrist)", "confidence(shoulders, elbows)",
        "orElse(confidence(wrists, leftKnee), 1)", "distance(hips, knees)",
      ]
      : [
        "height(root) / bodyHeight", "length((leftWrist - leftElbow) / bodyHeight)",
        "range(trunkRoll, 0.3s)", "orElse(hipClearance, shoulderRiseFraction)",
      ]
    return common + own
  }

  private static let common = [
    "-kneeAngle", "abs(height(leftAnkle) - lowest) / distance(leftKnee, leftAnkle)",
    "elbowAngle * 0.5 + 20deg", "min(kneeAngle, elbowAngle)", "max(kneeAngle, bodyAngle)",
    "mean(kneeAngle, elbowAngle, bodyAngle)", "1 / max(0, verticalRatio - 0.5)",
    "atan2(height(leftWrist - leftElbow), distance(leftWrist, leftElbow))",
    "when(kneeAngle, elbowAngle > bodyAngle)", "when(kneeAngle, elbowAngle >= bodyAngle)",
    "when(kneeAngle, elbowAngle < bodyAngle)", "when(kneeAngle, elbowAngle <= bodyAngle)",
    "speed(height(leftWrist), 0.3s)", "relative(signedHipAngle, 0.4s)",
    "range(speed(kneeAngle, 0.2s), 0.3s)", "orElse(elbowAngle, kneeAngle)",
    "dot(-(leftWrist - leftElbow), up)",
    "length((leftWrist - leftElbow) + (leftElbow - leftShoulder))",
    "length(midpoint(root, leftAnkle) - centerShoulder)",
    "dot(cross(up, direction(root, leftKnee)), direction(leftAnkle - root))",
    "length((leftWrist - leftElbow) * 2)", "length(2 * (leftWrist - leftElbow))",
    "length((leftWrist - leftElbow) / max(distance(root, root), height(leftWrist - leftElbow)))",
    "angle(leftWrist - leftElbow, up)", "angle(root, leftKnee, leftAnkle)",
    "signedAngle(centerShoulder, root, leftAnkle)", "deviation(root, centerShoulder, leftAnkle)",
    "projectedAngle(leftWrist - leftElbow, rightWrist - rightElbow, cross(up, leftKnee - root))",
  ]

  /// A detector whose rules compare every built-in measurement and every instruction's result.
  private static func detector(_ reading: AxisReading) throws -> DetectorDefinition {
    let own = try texts(reading).enumerated().map { index, text in
      try Measurement("own\(index)", text, axes: reading)
    }
    let measurements = Measurement.builtIn(for: reading) + own
    let limits = measurements.map { ParameterKey("limit_" + $0.name) }
    return try DetectorDefinition(
      name: "all", summary: "", axes: reading,
      plank: DecisionList(
        .plank,
        zip(measurements, limits).map { Rule(.plank(.none), when: [Predicate($0, .less, $1)]) }
          + [Rule(.plank(.high))]),
      form: DecisionList(.form, [Rule(.form(.aligned))]),
      custom: zip(measurements, limits).map {
        try ParameterDefinition($1, unit: $0.unit, default: 0, range: -1000...1000, meaning: "")
      })
  }

  /// Random bodies, most of them without some joint, some in one point; some frames have no pose.
  private static func recording(_ reading: AxisReading, _ random: inout SplitMix64) -> Recording {
    let skeleton: Skeleton = reading.isImage ? .vision2d : .vision3d
    var header = RecordingHeader(
      skeleton: skeleton, joints: skeleton.joints, frame: reading.isImage ? .image : .camera)
    header.up = Vector3(0, 0.8, 0.6)
    (header.imageWidth, header.imageHeight) = reading.isImage ? (1600, 800) : (nil, nil)
    var recording = Recording(header: header)
    var time = 0.0
    for _ in 0..<150 {
      time += random.chance(0.03) ? 0.7 : random.uniform(0.02, 0.05)
      let lack = random.pick([0, 0, 0.02, 0.2])
      let size = random.chance(0.1) ? 0 : 1.0
      let pose = (0..<skeleton.joints.count).flatMap { _ in
        let isMissing = random.chance(lack)
        return (0..<skeleton.dimension).map { _ in
          isMissing ? Float.nan : Float(size * random.uniform(-1, 1))
        }
      }
      let sureness = skeleton.joints.map { _ in
        random.chance(0.05) ? Float.nan : Float(random.uniform(0.1, 1))
      }
      let hasPose = random.chance(0.9)
      let height = random.chance(0.1) ? Meters(random.pick([1.5, 1.9])) : nil
      pose.withUnsafeBufferPointer { pose in
        sureness.withUnsafeBufferPointer { sureness in
          recording.append(
            time: time, pose: hasPose ? pose : nil, extras: FrameExtras(bodyHeight: height),
            confidences: reading.isImage && hasPose ? sureness : nil)
        }
      }
    }
    return recording
  }

  @Test(
    "Frames that are measured together have the numbers of one that is measured alone, to the bit",
    arguments: AxisReading.allCases, ["none", "one-euro@joints", "median:frames=3@measurements"])
  func bits(_ reading: AxisReading, _ smoothing: String) throws {
    let definition = try Self.detector(reading)
    let strategy = try SmoothingStrategy(text: smoothing)
    var random = SplitMix64(seed: 78)
    let recording = Self.recording(reading, &random)
    let together = try BatchDetector(definition, smoothing: strategy).measure(recording)
    var alone = try PlankDetector(definition, smoothing: strategy)
    var kinds: [Measurement: Set<String>] = [:]
    for (frame, pose) in recording.poseFrames.enumerated() {
      _ = try alone.update(pose)
      for measurement in together.measurements.members {
        let (one, other) = (alone.measured(measurement), together.measured(measurement, at: frame))
        let isEqual = one.stored.bitPattern == other.stored.bitPattern
        if !isEqual { Issue.record("\(measurement) in frame \(frame): \(one), not \(other)") }
        kinds[measurement, default: []].insert(one.absence ?? "number")
      }
    }
    for measurement in together.measurements.members {
      #expect(kinds[measurement]?.isSuperset(of: ["number", "missing"]) == true, "\(measurement)")
    }
  }
}

@Suite("Measurements of image points") struct ImageMeasurementTests {
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
}
