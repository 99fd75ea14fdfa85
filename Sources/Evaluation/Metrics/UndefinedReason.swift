/// Why a number has no value; the text completes "undefined: ".
package enum UndefinedReason: String, CaseIterable, Hashable, Sendable {
  /// Nothing was scored.
  case noScoredFrames = "no scored frame"
  /// A precision of a class that was never answered.
  case neverAnswered = "the class was never answered"
  /// A recall of a class without truth.
  case noTruth = "the class has no truth"
  /// An F1 of a class that occurs neither in truth nor in answers.
  case occursNowhere = "the class occurs neither in truth nor in answers"
  /// A kappa where truth and answers are one and the same class.
  case certainAgreement = "truth and answers are one and the same class, so chance agrees fully"
  /// A correlation where truth or answers do not vary.
  case singleClass = "truth or answers have a single class"
  /// A step where no two consecutive frames of a hold are valid.
  case noValidPair = "no two consecutive valid frames within 0.5 s in a hold"
  /// An acceleration where no three consecutive frames of a hold are valid.
  case noValidTriple = "no three consecutive valid frames within 0.5 s each in a hold"
  /// A spread where no frame of a hold is valid.
  case noValidFrame = "no valid frame in a hold"
}
