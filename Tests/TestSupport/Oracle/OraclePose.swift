/// One frame of a recording after unmirroring and rotation: what the measurements see.
package struct OraclePose: Sendable {
  /// Seconds, as parsed.
  package var time: Double
  /// Present joints by name, in the frame in which they are evaluated; empty when missing.
  package var joints: [String: SIMD3<Double>]
  /// The unit vector that points up, nil if the contract gives none.
  package var up: SIMD3<Double>?
  /// Body height in meters: the frame's, or else the header's.
  package var height: Double?
  /// No pose was found, or a pelvis pose came without a matrix.
  package var isMissing: Bool
  /// The axis that the article uses for `verticalRatio`: x in landscape, otherwise y.
  package var articleVerticalAxis: SIMD3<Double>

  /// Makes a pose.
  package init(
    time: Double, joints: [String: SIMD3<Double>], up: SIMD3<Double>?, height: Double? = nil,
    isMissing: Bool = false, articleVerticalAxis: SIMD3<Double> = SIMD3(0, 1, 0)
  ) {
    self.time = time
    self.joints = joints
    self.up = up
    self.height = height
    self.isMissing = isMissing
    self.articleVerticalAxis = articleVerticalAxis
  }
}
