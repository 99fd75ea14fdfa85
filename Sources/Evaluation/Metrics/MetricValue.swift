package import Statistics

/// A number, or the reason why there is none; never 0, -1 or NaN in its place.
package enum MetricValue: Hashable, Sendable {
  /// A finite number.
  case value(Double)
  /// No number, and the reason.
  case undefined(UndefinedReason)

  /// The number, or nil if it is undefined.
  package var number: Double? {
    guard case .value(let number) = self else { return nil }
    return number
  }

  /// Why there is no number, or nil if there is one.
  package var reason: UndefinedReason? {
    guard case .undefined(let reason) = self else { return nil }
    return reason
  }

  /// Why there is no number in words, or nil if there is one.
  package var remark: String? { reason?.rawValue }

  /// The same within the metric's range, which only rounding can exceed.
  func clamped(to range: ClosedRange<Double>) -> MetricValue {
    guard case .value(let number) = self else { return self }
    return .value(min(max(number, range.lowerBound), range.upperBound))
  }

  /// The mean of the defined values; if none is defined, the first reason.
  ///
  /// For sources of data: each counts once, whatever its size.
  ///
  /// - Precondition: at least one value.
  package static func mean(_ values: [MetricValue]) -> MetricValue {
    let numbers = values.compactMap(\.number)
    guard !numbers.isEmpty, values.count > 1 else { return values[0] }
    return .value(numbers.reduce(0, +) / Double(numbers.count))
  }

  /// A quotient, undefined if the divisor is exactly zero.
  static func ratio(
    _ dividend: Double, _ divisor: Double, orElse reason: UndefinedReason
  ) -> MetricValue {
    divisor == 0 ? .undefined(reason) : .value(dividend / divisor)
  }

  /// An optional number, undefined if it is nil.
  static func of(_ number: Double?, orElse reason: UndefinedReason) -> MetricValue {
    number.map(MetricValue.value) ?? .undefined(reason)
  }
}

/// Why metrics are undefined.
extension UndefinedReason {
  /// Nothing was scored.
  package static let noScoredFrames = UndefinedReason("no scored frame")
  /// A precision of a class that was never answered.
  package static let neverAnswered = UndefinedReason("the class was never answered")
  /// A recall of a class without truth.
  package static let noTruth = UndefinedReason("the class has no truth")
  /// An F1 of a class that occurs neither in truth nor in answers.
  package static let occursNowhere = UndefinedReason(
    "the class occurs neither in truth nor in answers")
  /// A kappa if truth and answers are the same single class.
  package static let certainAgreement = UndefinedReason(
    "truth and answers are one and the same class, so chance agrees fully")
  /// A correlation if truth or answers do not vary.
  package static let singleClass = UndefinedReason("truth or answers have a single class")
  /// A score of events if neither truth nor answers have any.
  package static let noEvent = UndefinedReason("neither truth nor answers have such an event")
  /// A recall or a latency if the truth has no event.
  package static let noTrueEvent = UndefinedReason("the truth has no such event")
  /// A latency if every event starts where scoring starts.
  package static let noObservedStart = UndefinedReason(
    "no start was observed: every event begins where scoring begins")
  /// A release if no answered event ends before scoring does.
  package static let noObservedEnd = UndefinedReason(
    "no end was observed: no answered event ends before scoring does")
  /// A precision if no event was answered.
  package static let noAnsweredEvent = UndefinedReason("no such event was answered")
  /// A share of the time without the class if there is none.
  package static let onlyTruth = UndefinedReason("the class is true throughout")
  /// A quantile of latencies that too many missed events put out of reach.
  package static let tooManyMisses = UndefinedReason(
    "too many events were missed for this quantile")
  /// A mean over hits if there are none.
  package static let noHit = UndefinedReason("no event was answered in time")
}

/// Why the agreement of two people is undefined.
extension UndefinedReason {
  /// Neither gave any frame a class.
  package static let nothingLabeled = UndefinedReason("neither labeled any frame")
  /// No frame has a class from both.
  package static let noCommonTime = UndefinedReason("no frame that both labeled")
  /// A kappa if both gave the same single class everywhere.
  package static let bothAlike = UndefinedReason(
    "both gave one and the same class, so chance agrees fully")
  /// What a perfect detector would reach if two people agree no better than by chance.
  package static let noAgreementBeyondChance = UndefinedReason(
    "they agree no better than by chance")
  /// A boundary difference if no boundary of one person matches one of the other.
  package static let noMatchedBoundary = UndefinedReason(
    "no boundary of one lies near one of the other")
}

/// Why jitter is undefined.
extension UndefinedReason {
  /// A step if no two consecutive frames of a hold are valid.
  package static let noValidPair = UndefinedReason(
    "no two consecutive valid frames within 0.5 s in a hold")
  /// An acceleration if no three consecutive frames of a hold are valid.
  package static let noValidTriple = UndefinedReason(
    "no three consecutive valid frames within 0.5 s each in a hold")
  /// A jerk if no four consecutive frames of a hold are valid.
  package static let noValidQuadruple = UndefinedReason(
    "no four consecutive valid frames within 0.5 s each in a hold")
  /// A spread if no frame of a hold is valid.
  package static let noValidFrame = UndefinedReason("no valid frame in a hold")
  /// A correlation or a variation of constant values.
  package static let constant = UndefinedReason("the values do not vary")
  /// A spectrum or an Allan deviation if every hold is too short.
  package static let holdTooShort = UndefinedReason("no hold is long enough")
  /// A smoothness if no movement is long enough.
  package static let noMovement = UndefinedReason(
    "no movement of a second or more without a missing frame")
}

/// Why the lag of a smoother is undefined.
extension UndefinedReason {
  /// A time to reach a level that the output never reaches.
  package static let neverReached = UndefinedReason("the output never gets there")
  /// A lag longer than any that was tried.
  package static let beyondSearch = UndefinedReason("longer than the longest lag that was tried")
  /// A group delay of a nonlinear smoother.
  package static let notLinear = UndefinedReason("the smoother is not linear")
  /// A number that was not asked for.
  package static let notMeasured = UndefinedReason("not measured")
}
