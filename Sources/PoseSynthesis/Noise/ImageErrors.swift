import PoseModel
import Statistics

/// The errors and confidences of 2D joints.
struct ImageErrors {
  private let parameters: CaptureNoiseParameters
  private let coloredTime: Double
  private let white: RandomStream
  private let scores: RandomStream
  private var colored: AutoregressiveProcess

  init(_ noise: NoiseParameters, joints: Int, seed: UInt64) {
    parameters = noise.capture
    coloredTime = noise.joints.coloredTime.value
    white = RandomStream(seed: seed, purpose: "noise.pixels")
    scores = RandomStream(seed: seed, purpose: "noise.confidences")
    colored = AutoregressiveProcess(
      count: 2 * joints, stream: RandomStream(seed: seed, purpose: "noise.coloredPixels"))
  }

  /// Moves the colored part on; call once a frame, before the joints.
  mutating func advance(by step: Double) {
    if parameters.coloredPixels > 0 { colored.advance(by: step, time: coloredTime) }
  }

  /// The pixel as it is seen.
  func seen(_ pixel: (u: Double, v: Double), slot: Int) -> (u: Double, v: Double) {
    let (whiteSize, coloredSize) = (parameters.whitePixels, parameters.coloredPixels)
    return (
      u: pixel.u + whiteSize * white.gaussian() + coloredSize * colored.values[2 * slot],
      v: pixel.v + whiteSize * white.gaussian() + coloredSize * colored.values[2 * slot + 1]
    )
  }

  /// A confidence: 0.6 to 0.95, half as much on the far side (ours; nothing is published).
  func confidence(isFar: Bool) -> Double {
    let score = scores.uniform(in: 0.6...0.95) * (isFar ? 0.5 : 1)
    return (score * 1000).rounded() / 1000
  }
}
