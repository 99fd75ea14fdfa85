import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Frames side by side")
struct FrameGroupTests {
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
