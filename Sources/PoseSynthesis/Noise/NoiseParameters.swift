package import PoseModel

package struct NoiseParameters: Hashable, Sendable {
  package var joints = JointNoiseParameters()
  package var chain = ChainNoiseParameters()
  package var filter = FilterParameters()
  package var sight = SightParameters()
  package var confusions = ConfusionParameters()
  package var dropouts = DropoutParameters()
  package var capture = CaptureNoiseParameters()

  package init() {}

  package func validate(in section: String = "noise") throws {
    try joints.validate(in: section + ".joints")
    try chain.validate(in: section + ".chain")
    try filter.validate(in: section + ".filter")
    try sight.validate(in: section + ".sight")
    try confusions.validate(in: section + ".confusions")
    try dropouts.validate(in: section + ".dropouts")
    try capture.validate(in: section + ".capture")
  }
}

package struct CaptureNoiseParameters: ScriptParameters {
  package var pelvisRotation = Degrees(0)
  package var pelvisTime = Seconds(0.5)
  package var measuredHeight = 0.0
  package var whitePixels = 0.0
  package var coloredPixels = 0.0
  package var clockJitter = Seconds(0)
  package var clockGapProbability = 0.0

  package init() {}

  package static let section = "capture"

  package static let fields: [ScriptField<Self>] = [
    .init(
      "pelvis_rotation_deg", 0...15, \.pelvisRotation.value,
      "sd of each turn of the pelvis matrix; 1 to 5 deg"),
    .init("pelvis_time_s", 0.02...10, \.pelvisTime.value, "correlation time of that turn"),
    .init("measured_height", 0...0.1, \.measuredHeight, "relative sd of a measured height"),
    .init("white_px", 0...50, \.whitePixels, "white noise of 2D joints"),
    .init("colored_px", 0...50, \.coloredPixels, "AR(1) noise of 2D joints"),
    .init("clock_jitter_s", 0...0.02, \.clockJitter.value, "sd of timestamps; 2 to 5 ms"),
    .init(
      "clock_gap_probability", 0...0.2, \.clockGapProbability,
      "frames followed by a gap of 2 to 4 intervals"),
  ]
}

package enum NoisePreset: String, CaseIterable, Hashable, Sendable {
  case clean
  case article
  case phone
  case harsh
  case vision3d
  case mediapipe

  package var parameters: NoiseParameters {
    switch self {
    case .clean: NoiseParameters()
    case .article: Self.articleNoise
    case .phone: Self.phoneNoise
    case .harsh: Self.harshNoise
    case .vision3d: Self.visionNoise
    case .mediapipe: Self.mediaPipeNoise
    }
  }

  /// Noise of Vision's 3D request.
  ///
  /// - Known: 17 joints or none, constant bones with the reference height, no documented filter
  ///   (Apple's documentation; public dumps).
  /// - Taken from other estimators: a white part of 5 to 8 mm at a joint (acceleration errors of
  ///   SimpleBaseline, VIBE and SPIN), which is 0.5 degrees on every bone; angles that are wrong by
  ///   far more than they jitter (ARKit: 19 degrees on average, Reimer 2022).
  /// - Unknown: everything that only a device can show, such as the spectrum of the errors, what
  ///   happens to joints out of sight, and the error at the hips in a plank.
  private static let visionNoise: NoiseParameters = {
    var noise = NoiseParameters()
    noise.chain.whiteTurn = Degrees(0.5)
    noise.chain.coloredTurn = Degrees(1.2)
    noise.chain.biasTurn = Degrees(2)
    noise.chain.distalFactor = 1.5
    noise.chain.unseenFactor = 2.5
    noise.chain.wholeTurn = Degrees(1)
    noise.chain.hipFlexionSpread = Degrees(3)
    noise.chain.clothesTurn = Degrees(0.5)
    noise.joints.unevenness = 0.4
    noise.joints.lyingFactor = 1.5
    noise.sight.fewestJoints = 8
    noise.confusions = phoneNoise.confusions
    noise.dropouts = phoneNoise.dropouts
    noise.capture = capture(scale: 1)
    return noise
  }()

  /// Noise of MediaPipe's video mode, fitted to public clips and photos (docs/studio.md).
  ///
  /// - Known: the filter of MediaPipe's pose graph; median steps of every joint, five times larger
  ///   in depth than across the view; bones that vary by 2 to 10 %; hips 4.9 cm above the line in
  ///   correct planks; elbows that appear bent by 9 to 26 degrees too much.
  /// - Unknown: what was filtered again before it was saved, whether the offset of the hips is the
  ///   estimator's or the people's, and why arms jitter in some clips and not in others.
  private static let mediaPipeNoise: NoiseParameters = {
    var noise = NoiseParameters()
    noise.chain.whiteTurn = Degrees(0.15)
    noise.chain.coloredTurn = Degrees(0.4)
    noise.chain.coloredTime = Seconds(2)
    noise.chain.biasTurn = Degrees(2)
    noise.chain.depthFactor = 5
    noise.chain.distalFactor = 1.5
    noise.chain.armFactor = 2
    noise.chain.unseenFactor = 2
    noise.chain.wholeTurn = Degrees(0.2)
    noise.chain.scale = 0.01
    noise.chain.hipFlexion = Degrees(10)
    noise.chain.hipFlexionSpread = Degrees(3)
    noise.chain.elbowFlexion = Degrees(15)
    noise.chain.elbowFlexionSpread = Degrees(8)
    noise.chain.clothesTurn = Degrees(0.9)
    noise.joints.unevenness = 0.4
    noise.joints.limbLength = 0.03
    noise.joints.coloredTime = Seconds(4)
    noise.filter.cutoff = Hertz(0.1)
    noise.sight.outside = .lost
    noise.confusions = phoneNoise.confusions
    noise.dropouts = phoneNoise.dropouts
    noise.capture = capture(scale: 1)
    return noise
  }()

  /// White noise of 1.0 cm across the view and 2.5 cm in depth at 2 m, which gives the article's 2
  /// to 3 cm of depth jitter and 2 to 3 degrees of angle jitter.
  private static let articleNoise: NoiseParameters = {
    var noise = NoiseParameters()
    noise.joints.whiteAcross = Meters(0.010)
    noise.joints.whiteDepth = Meters(0.025)
    noise.capture.whitePixels = 4
    return noise
  }()

  /// Noise of a phone: the white noise of single-frame estimators, with the rest of the article's
  /// spread colored.
  ///
  /// The white noise is 5 to 8 mm per axis, from the acceleration errors published for
  /// SimpleBaseline, VIBE and SPIN. The bias is 2.0 cm across the view, from the distances between
  /// real clips with the same label (docs/studio.md), and 2.5 cm in depth. Confusions, tails and
  /// dropouts are in the lower half of their published ranges.
  private static let phoneNoise: NoiseParameters = {
    var noise = NoiseParameters()
    noise.joints.whiteAcross = Meters(0.005)
    noise.joints.whiteDepth = Meters(0.010)
    noise.joints.coloredAcross = Meters(0.008)
    noise.joints.coloredDepth = Meters(0.020)
    noise.joints.biasAcross = Meters(0.020)
    noise.joints.biasDepth = Meters(0.025)
    noise.joints.unevenness = 0.4
    noise.joints.lyingFactor = 2
    noise.joints.farSideFactor = 2
    noise.joints.outOfImageFactor = 3
    noise.joints.outlierProbability = 0.001
    noise.confusions.swapsPerMinute = 0.5
    noise.confusions.mirrorsPerMinute = 0.5
    noise.confusions.occlusionsPerMinute = 1
    noise.dropouts.probability = 0.01
    noise.dropouts.burstsPerMinute = 0.5
    noise.dropouts.burstMaximum = Seconds(1.5)
    noise.dropouts.entryLoss = Seconds(0.3)
    noise.dropouts.headOnBurstsPerMinute = 4
    noise.capture = capture(scale: 1)
    return noise
  }()

  private static let harshNoise: NoiseParameters = {
    var noise = phoneNoise
    noise.joints.whiteAcross = Meters(0.010)
    noise.joints.whiteDepth = Meters(0.020)
    noise.joints.coloredAcross = Meters(0.016)
    noise.joints.coloredDepth = Meters(0.040)
    noise.joints.biasAcross = Meters(0.025)
    noise.joints.biasDepth = Meters(0.040)
    noise.joints.depthExponent = 1.5
    noise.joints.lyingFactor = 4
    noise.joints.farSideFactor = 3
    noise.joints.limbLength = 0.03
    noise.joints.outlierProbability = 0.01
    noise.confusions.swapsPerMinute = 2
    noise.confusions.mirrorsPerMinute = 2
    noise.confusions.occlusionsPerMinute = 4
    noise.confusions.occlusionOffset = Meters(0.15)
    noise.dropouts.probability = 0.05
    noise.dropouts.burstsPerMinute = 2
    noise.dropouts.burstMaximum = Seconds(3)
    noise.dropouts.entryLoss = Seconds(1)
    noise.dropouts.headOnBurstsPerMinute = 12
    noise.capture = capture(scale: 2)
    return noise
  }()

  private static func capture(scale: Double) -> CaptureNoiseParameters {
    var capture = CaptureNoiseParameters()
    capture.pelvisRotation = Degrees(2 * scale)
    capture.measuredHeight = 0.01 * scale
    capture.whitePixels = 3 * scale
    capture.coloredPixels = 3 * scale
    capture.clockJitter = Seconds(0.002 * scale)
    capture.clockGapProbability = 0.002 * scale
    return capture
  }
}
