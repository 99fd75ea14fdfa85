public import PoseModel

/// The body angles that separate the grades of a frame, by plank class.
///
/// Each angle is the inclusive lower bound of a grade.
public struct GradeBands: Hashable, Sendable {
  /// The lowest angle of a good forearm or high plank.
  public var good: Degrees
  /// The lowest angle of a forearm or high plank graded `warning`.
  public var warning: Degrees
  /// The lowest angle of a good side or reverse plank.
  public var sideGood: Degrees
  /// The lowest angle of a side or reverse plank graded `warning`.
  public var sideWarning: Degrees

  /// Reads the bands from parameters; a missing parameter has its published value.
  public init(_ parameters: ParameterValues) {
    func bound(_ key: ParameterKey, published: Double) -> Degrees {
      Degrees(parameters[key] ?? published)
    }
    good = bound(.gradeGood, published: 165)
    warning = bound(.gradeWarning, published: 155)
    sideGood = bound(.gradeSideGood, published: 160)
    sideWarning = bound(.gradeSideWarning, published: 150)
  }

  /// The article's bands: 165 and 155 degrees, or 160 and 150 degrees for side and reverse planks.
  public static let published = GradeBands(ParameterValues(detectorName: "", definitions: []))
}

/// The article's grade of one frame by the angle at the hips.
///
/// Reports show the grade, but evaluation does not score it.
public enum FormGrade: String, CaseIterable, Hashable, Sendable {
  /// Straight enough.
  case good
  /// Bent a little.
  case warning
  /// Bent too far.
  case bad

  /// Grades a frame by its body angle and its answered class.
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

/// How often the form rule in meters and the grade bands in degrees disagree about a frame.
///
/// Both judge the hips, but on different scales. For a person 1.75 m tall, hips 5 cm off the line
/// give an angle of 171 degrees, which the bands still grade good. An angle of 165 degrees
/// corresponds to 8.3 cm, and an angle of 155 degrees to 13.7 cm.
public struct FormDisagreement: Hashable, Sendable {
  /// The number of frames with a form answer and a grade.
  public private(set) var frames = 0
  /// The number of frames answered sag or pike that the bands grade good.
  public private(set) var faultsGradedGood = 0
  /// The number of frames answered sag or pike.
  public private(set) var faults = 0
  /// The number of frames answered aligned that the bands grade bad.
  public private(set) var alignedGradedBad = 0

  /// Starts with no frames.
  public init() {}

  /// Counts a frame that has a grade; `isFault` tells whether its answer is sag or pike.
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

  /// Adds the frames of another count.
  public static func += (left: inout FormDisagreement, right: FormDisagreement) {
    left.frames += right.frames
    left.faultsGradedGood += right.faultsGradedGood
    left.faults += right.faults
    left.alignedGradedBad += right.alignedGradedBad
  }
}
