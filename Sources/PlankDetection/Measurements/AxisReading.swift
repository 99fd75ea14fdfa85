internal import PoseModel

/// Which direction a detector takes for vertical.
public enum AxisReading: String, CaseIterable, Hashable, Sendable {
  /// The frame's up vector.
  case gravity
  /// The camera's axes, for the measurements that the article published.
  ///
  /// `shoulderRise`, `hipDeviation` and their fractions are read along the camera's y in every
  /// orientation, `verticalRatio` along its x in both landscape orientations. Measurements that
  /// the article does not have keep the up vector.
  case article

  /// The direction along which shoulder and hip heights are read.
  func height(_ axes: FrameAxes) -> Vector3 { self == .gravity ? axes.up : .unitY }

  /// The direction in which `verticalRatio` is read.
  func vertical(_ axes: FrameAxes) -> Vector3 {
    self == .gravity ? axes.up : axes.publishedVertical
  }
}
