public import PoseModel

/// The article's grade of one frame by the angle at the hips; it is reported, never scored.
public enum FormGrade: String, CaseIterable, Hashable, Sendable {
  /// Straight enough.
  case good
  /// Bent a little.
  case warning
  /// Bent too far.
  case bad

  /// Grades a frame.
  ///
  /// Forearm and high planks are good from 165 degrees on and bad below 155; side and reverse
  /// planks from 160 on and below 150. Bands are half-open: the lower edge belongs to a band.
  ///
  /// - Returns: nil where the answer is none or the angle is undefined.
  public init?(bodyAngle: Float?, answer: PlankClass) {
    guard let angle = bodyAngle, !angle.isNaN, answer != .none else { return nil }
    let isProne = answer == .forearm || answer == .high
    let (good, warning): (Float, Float) = isProne ? (165, 155) : (160, 150)
    self = angle >= good ? .good : angle >= warning ? .warning : .bad
  }
}
