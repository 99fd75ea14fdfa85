/// A detector that an app might have: two angles, nothing of PlankDetection.
struct OwnDetector {
  /// The cosine at the elbow below which an arm counts as straight.
  var straightElbow = -0.77

  /// What is answered in a frame.
  mutating func update(
    _ joints: [String: SIMD3<Double>], up: [Double], at seconds: Double
  ) -> (plank: String, form: String) {
    guard let shoulder = joints["leftShoulder"], let elbow = joints["leftElbow"],
      let wrist = joints["leftWrist"], let ankle = joints["leftAnkle"]
    else { return ("", "") }
    let body = shoulder - ankle
    let rise = cosine(body, SIMD3(up[0], up[1], up[2])).magnitude
    guard rise < 0.55 else { return ("none", "aligned") }
    let isStraight = cosine(shoulder - elbow, wrist - elbow) < straightElbow
    return (isStraight ? "high" : "forearm", "aligned")
  }

  private func cosine(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    let length = ((a * a).sum() * (b * b).sum()).squareRoot()
    return length > 0 ? (a * b).sum() / length : 0
  }
}
