public import PoseModel

/// What a session learns from a frame.
public struct SessionFrame: Hashable, Sendable {
  /// When the frame was taken.
  public var time: Seconds
  /// The steady plank class; nil where the frame has no pose, which counts toward loss only.
  public var plank: PlankClass?
  /// How good the form is; nil where it cannot be said.
  public var quality: FormGrade?

  /// Makes a frame.
  public init(time: Seconds, plank: PlankClass?, quality: FormGrade?) {
    self.time = time
    self.plank = plank
    self.quality = quality
  }

  /// A frame as the detector answered it, graded by its body angle, as the article does.
  ///
  /// A frame that the rules could not judge counts as one without a pose.
  public init(time: Seconds, answer: DetectorAnswer) {
    self.init(
      time: time, plank: answer.rawPlank == nil ? nil : answer.plank, quality: answer.grade)
  }

  /// A frame whose form is a class: aligned is good, sag and pike are bad.
  public init(time: Seconds, plank: PlankClass?, form: FormClass?) {
    self.init(time: time, plank: plank, quality: form.map { $0 == .aligned ? .good : .bad })
  }
}
