/// What a smoothing step works on.
public enum SmoothingTarget: String, CaseIterable, Codable, Hashable, Sendable {
  /// The coordinates of the joints, in the axes of evaluation.
  ///
  /// Pelvis positions are turned by their matrix first: pelvis axes turn with the body.
  case joints
  /// The measurements of a frame; angles that go around are unwrapped.
  case measurements
}
