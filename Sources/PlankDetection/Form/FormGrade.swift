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

/// How often the rule in meters and the bands in degrees judge a frame's form differently.
///
/// Both look at the hips, but not alike: at a stature of 1.75 m hips 5 cm off the line are at
/// 171 degrees, which the bands still call good; 165 degrees are 8.3 cm, 155 are 13.7 cm.
public struct FormDisagreement: Hashable, Sendable {
  /// Frames with a form answer and a grade.
  public private(set) var frames = 0
  /// Frames answered sag or pike that the bands grade good.
  public private(set) var faultsGradedGood = 0
  /// Frames answered sag or pike.
  public private(set) var faults = 0
  /// Frames answered aligned that the bands grade bad.
  public private(set) var alignedGradedBad = 0

  /// Makes an empty count.
  public init() {}

  /// Counts a frame; one without a grade does not count.
  ///
  /// - Parameters:
  ///   - isFault: whether the form is answered as sag or pike.
  ///   - grade: the grade of the body angle.
  public mutating func count(isFault: Bool, grade: FormGrade?) {
    guard let grade else { return }
    frames += 1
    if isFault {
      faults += 1
      if grade == .good { faultsGradedGood += 1 }
    } else if grade == .bad {
      alignedGradedBad += 1
    }
  }

  /// Adds another count.
  public static func += (left: inout FormDisagreement, right: FormDisagreement) {
    left.frames += right.frames
    left.faultsGradedGood += right.faultsGradedGood
    left.faults += right.faults
    left.alignedGradedBad += right.alignedGradedBad
  }
}
