package import PoseModel
package import Statistics

/// A number, or the reason why there is none; 0, -1 or NaN never stand for a missing number.
package enum MetricValue: Hashable, Sendable {
  case value(Double)
  case undefined(UndefinedReason)

  package var number: Double? {
    guard case .value(let number) = self else { return nil }
    return number
  }

  package var reason: UndefinedReason? {
    guard case .undefined(let reason) = self else { return nil }
    return reason
  }

  package var remark: String? { reason?.rawValue }

  func clamped(to range: ClosedRange<Double>) -> MetricValue {
    guard case .value(let number) = self else { return self }
    return .value(min(max(number, range.lowerBound), range.upperBound))
  }

  /// The mean of the defined values, or the first reason if no value is defined.
  ///
  /// - Precondition: there is at least one value.
  package static func mean(_ values: [MetricValue]) -> MetricValue {
    let numbers = values.compactMap(\.number)
    guard !numbers.isEmpty, values.count > 1 else { return values[0] }
    return .value(numbers.reduce(0, +) / Double(numbers.count))
  }

  static func ratio(
    _ dividend: Double, _ divisor: Double, orElse reason: UndefinedReason
  ) -> MetricValue {
    divisor == 0 ? .undefined(reason) : .value(dividend / divisor)
  }

  static func of(_ number: Double?, orElse reason: UndefinedReason) -> MetricValue {
    number.map(MetricValue.value) ?? .undefined(reason)
  }
}

extension UndefinedReason {
  package static let noScoredFrames = UndefinedReason("no scored frame")
  package static let neverAnswered = UndefinedReason("the class was never answered")
  package static let noTruth = UndefinedReason("the class has no truth")
  package static let occursNowhere = UndefinedReason(
    "the class occurs neither in truth nor in answers")
  package static let certainAgreement = UndefinedReason(
    "truth and answers have the same single class, so chance agreement is certain")
  package static let singleClass = UndefinedReason("truth or answers have a single class")
  package static let noEvent = UndefinedReason("neither truth nor answers have such an event")
  package static let noTrueEvent = UndefinedReason("the truth has no such event")
  package static let noObservedStart = UndefinedReason(
    "no start was observed: every event begins where scoring begins")
  package static let noObservedEnd = UndefinedReason(
    "no end was observed: no answered event ends before scoring does")
  package static let noAnsweredEvent = UndefinedReason("no such event was answered")
  package static let onlyTruth = UndefinedReason("the class is true throughout")
  package static let tooManyMisses = UndefinedReason(
    "too many events were missed for this quantile")
  package static let noHit = UndefinedReason("no event was answered in time")
}

extension UndefinedReason {
  package static let nothingLabeled = UndefinedReason("neither labels any frame")
  package static let noCommonTime = UndefinedReason("no frame is labeled by both")
  package static let bothAlike = UndefinedReason(
    "both label a single class, the same one, so agreement by chance is certain")
  package static let noAgreementBeyondChance = UndefinedReason(
    "the labels agree no better than chance")
  package static let noMatchedBoundary = UndefinedReason(
    "no boundary in one is near a boundary in the other")
}

extension UndefinedReason {
  package static let noValidPair = UndefinedReason(
    "no two consecutive valid frames within 0.5 s in a hold")
  package static let noValidTriple = UndefinedReason(
    "no three consecutive valid frames within 0.5 s each in a hold")
  package static let noValidQuadruple = UndefinedReason(
    "no four consecutive valid frames within 0.5 s each in a hold")
  package static let noValidFrame = UndefinedReason("no valid frame in a hold")
  package static let constant = UndefinedReason("the values do not vary")
  package static let holdTooShort = UndefinedReason("no hold is long enough")
  package static let noMovement = UndefinedReason(
    "no movement of a second or more without a missing frame")
}

extension UndefinedReason {
  package static let neverReached = UndefinedReason("the output never gets there")
  package static let beyondSearch = UndefinedReason("longer than the longest lag that was tried")
  package static let notLinear = UndefinedReason("the smoother is not linear")
  package static let notMeasured = UndefinedReason("not measured")
}

package struct PerStream<Value> {
  package var plank: Value
  package var form: Value

  package init(plank: Value, form: Value) {
    self.plank = plank
    self.form = form
  }

  package init<Failure: Error>(_ value: (AnswerStream) throws(Failure) -> Value) throws(Failure) {
    plank = try value(.plank)
    form = try value(.form)
  }

  package subscript(stream: AnswerStream) -> Value {
    get { stream == .plank ? plank : form }
    set {
      switch stream {
      case .plank: plank = newValue
      case .form: form = newValue
      }
    }
  }

  package var all: [Value] { [plank, form] }

  package func map<Other, Failure: Error>(
    _ transform: (Value) throws(Failure) -> Other
  ) throws(Failure) -> PerStream<Other> {
    PerStream<Other>(plank: try transform(plank), form: try transform(form))
  }
}

extension PerStream: Sendable where Value: Sendable {}
extension PerStream: Equatable where Value: Equatable {}
extension PerStream: Hashable where Value: Hashable {}
extension PerStream: Encodable where Value: Encodable {}
extension PerStream: Decodable where Value: Decodable {}
