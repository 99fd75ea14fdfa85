import PoseModel

/// A detector that an app might have: two angles, nothing of PlankDetection.
struct OwnDetector {
  /// The cosine at the elbow below which an arm counts as straight.
  var straightElbow = -0.77

  /// What is answered in a frame.
  mutating func update(_ frame: PoseFrame) -> (plank: String, form: String) {
    guard let shoulder = frame.position(of: .leftShoulder),
      let elbow = frame.position(of: .leftElbow), let wrist = frame.position(of: .leftWrist),
      let ankle = frame.position(of: .leftAnkle)
    else { return ("", "") }
    let rise = cosine(shoulder - ankle, frame.axes.up).magnitude
    guard rise < 0.55 else { return ("none", "aligned") }
    let isStraight = cosine(shoulder - elbow, wrist - elbow) < straightElbow
    return (isStraight ? "high" : "forearm", "aligned")
  }

  private func cosine(_ a: Vector3, _ b: Vector3) -> Double {
    let length = a.norm * b.norm
    return length > 0 ? a.dot(b) / length : 0
  }
}
