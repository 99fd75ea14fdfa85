/// A number, or the reason why there is none; never 0, -1 or NaN in its place.
package enum MetricValue: Hashable, Sendable {
  /// A finite number.
  case value(Double)
  /// No number, and why.
  case undefined(UndefinedReason)

  /// The number, or nil where it is undefined.
  package var number: Double? {
    guard case .value(let number) = self else { return nil }
    return number
  }

  /// Why there is no number, or nil where there is one.
  package var reason: UndefinedReason? {
    guard case .undefined(let reason) = self else { return nil }
    return reason
  }

  /// A quotient, undefined where the divisor is exactly zero.
  static func ratio(
    _ dividend: Double, _ divisor: Double, orElse reason: UndefinedReason
  ) -> MetricValue {
    divisor == 0 ? .undefined(reason) : .value(dividend / divisor)
  }
}

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
  /// A score of events where neither truth nor answers have any.
  case noEvent = "neither truth nor answers have such an event"
  /// A recall or a latency where the truth has no event.
  case noTrueEvent = "the truth has no such event"
  /// A precision where no event was answered.
  case noAnsweredEvent = "no such event was answered"
  /// A share of the time without the class where there is none.
  case onlyTruth = "the class is true throughout"
  /// A latency that so many events reach only by never being answered.
  case tooManyMisses = "too many events were missed for this quantile"
  /// A mean over hits where there is none.
  case noHit = "no event was answered in time"
  /// A jerk where no four consecutive frames of a hold are valid.
  case noValidQuadruple = "no four consecutive valid frames within 0.5 s each in a hold"
  /// A correlation or a variation of what never changes.
  case constant = "the values do not vary"
  /// A spectrum or an Allan deviation where every hold is too short.
  case holdTooShort = "no hold is long enough"
  /// A smoothness where no movement is long enough.
  case noMovement = "no movement of a second or more without a missing frame"
  /// A time to reach a level that an output never reaches.
  case neverReached = "the output never gets there"
  /// A lag that is longer than any that was tried.
  case beyondSearch = "longer than the longest lag that was tried"
  /// A group delay of what is not linear.
  case notLinear = "the smoother is not linear"
  /// A number that nobody asked for.
  case notMeasured = "not measured"
}
