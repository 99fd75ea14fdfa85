public import PoseModel

/// What the detector says after a frame.
public struct DetectorAnswer: Hashable, Sendable {
  /// The steady plank class: what a user sees.
  public let plank: PlankClass
  /// The steady form class: what a user sees.
  public let form: FormClass
  /// The plank class by the rules alone, or nil where the frame is undetermined.
  public let rawPlank: PlankClass?
  /// The form class by the rules alone, or nil where the frame is undetermined.
  public let rawForm: FormClass?
  /// The grade of this frame's body angle for the steady plank class.
  public let grade: FormGrade?

  /// Makes an answer from stream codes.
  init(rawPlank: UInt8, rawForm: UInt8, plank: UInt8, form: UInt8, bodyAngle: Float) {
    self.plank = PlankClass(rawValue: plank) ?? .none
    self.form = FormClass(rawValue: form) ?? .aligned
    self.rawPlank = PlankClass(rawValue: rawPlank)
    self.rawForm = FormClass(rawValue: rawForm)
    grade = FormGrade(bodyAngle: bodyAngle, answer: self.plank)
  }
}
