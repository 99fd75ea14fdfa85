public import PoseModel

/// The body angles that separate the grades of a frame, by the answered class.
///
/// Each angle is the lower bound of its grade, bound included.
public struct GradeBands: Hashable, Sendable {
  /// The lowest angle of a good forearm or high plank.
  public var good: Degrees
  /// The lowest angle of a forearm or high plank graded `warning`.
  public var warning: Degrees
  /// The lowest angle of a good side or reverse plank.
  public var sideGood: Degrees
  /// The lowest angle of a side or reverse plank graded `warning`.
  public var sideWarning: Degrees

  /// Takes the bands from parameters; parameters that are missing have the published values.
  public init(_ parameters: ParameterValues) {
    self = .published
    if let value = parameters[.gradeGood] { good = Degrees(value) }
    if let value = parameters[.gradeWarning] { warning = Degrees(value) }
    if let value = parameters[.gradeSideGood] { sideGood = Degrees(value) }
    if let value = parameters[.gradeSideWarning] { sideWarning = Degrees(value) }
  }

  /// The article's bands: 165 and 155 degrees, or 160 and 150 degrees for side and reverse planks.
  public static let published = GradeBands(
    good: Degrees(165), warning: Degrees(155), sideGood: Degrees(160), sideWarning: Degrees(150))

  private init(good: Degrees, warning: Degrees, sideGood: Degrees, sideWarning: Degrees) {
    self.good = good
    self.warning = warning
    self.sideGood = sideGood
    self.sideWarning = sideWarning
  }
}

/// The article's grade of one frame by the angle at the hips, which is reported but never scored.
public enum FormGrade: String, CaseIterable, Hashable, Sendable {
  /// Straight enough.
  case good
  /// Bent a little.
  case warning
  /// Bent too far.
  case bad

  /// Grades a frame.
  ///
  /// - Parameters:
  ///   - bodyAngle: the angle at the hips in degrees.
  ///   - answer: the answered class.
  ///   - bands: the bounds of the grades, which are rounded to `Float` before the comparison.
  /// - Returns: nil if the answer is `none` or the angle has no value.
  public init?(bodyAngle: Float?, answer: PlankClass, _ bands: GradeBands = .published) {
    guard let angle = bodyAngle, !angle.isNaN, answer != .none else { return nil }
    let good = Float((answer.isProne ? bands.good : bands.sideGood).value)
    let warning = Float((answer.isProne ? bands.warning : bands.sideWarning).value)
    self = angle >= good ? .good : angle >= warning ? .warning : .bad
  }
}

#if !hasFeature(Embedded)
  extension FormGrade: Codable {}
#endif

/// How often the rule in meters and the bands in degrees judge a frame's form differently.
///
/// Both look at the hips, but on different scales: for a person 1.75 m tall, hips 5 cm off the line
/// are at 171 degrees, which the bands still call good; 165 degrees are 8.3 cm, and 155 degrees are
/// 13.7 cm.
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

  /// Counts a frame as a fault if its answered form is sag or pike; a frame without a grade does
  /// not count.
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
