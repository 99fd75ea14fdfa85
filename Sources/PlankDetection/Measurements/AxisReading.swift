internal import PoseModel

/// Which direction a detector takes for vertical.
public enum AxisReading: String, CaseIterable, Hashable, Sendable {
  /// The frame's up vector.
  case gravity
  /// The camera's axes as the article published them; up vectors are ignored.
  ///
  /// Heights are read along the camera's y in every orientation. Only `verticalRatio` looks along
  /// the camera's x in both landscape orientations.
  case article

  /// The direction along which heights are read.
  func up(_ axes: FrameAxes) -> Vector3 { self == .gravity ? axes.up : .unitY }

  /// The direction in which `verticalRatio` is read.
  func vertical(_ axes: FrameAxes) -> Vector3 {
    self == .gravity ? axes.up : axes.publishedVertical
  }
}
