public import PoseModel

/// Why a detector or its parameters cannot be used.
public enum DetectorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A decision list has no rules.
  case emptyList(AnswerStream)
  /// A rule of a list gives a label that belongs to the other stream.
  case labelOfOtherStream(AnswerStream, AnswerLabel)
  /// The last rule of a list has predicates.
  case conditionalLastRule(AnswerStream)
  /// A rule without predicates hides the rules after it; `after` is its number, from 1.
  case unreachableRules(AnswerStream, after: Int)
  /// One stream's list is in the place of the other stream's list.
  case wrongStream(AnswerStream)
  /// A rule uses a parameter that the detector does not define.
  case undefinedParameter(ParameterKey, available: [ParameterKey])
  /// A rule compares a measurement with a parameter in another unit.
  case unitMismatch(Predicate, measurement: MeasurementUnit, parameter: MeasurementUnit)
  /// A measurement is for poses other than those that the detector takes.
  case unsuitableMeasurement(Measurement, AxisReading)
  /// A parameter was set that the detector does not use.
  case unusedParameter(String, detector: String, available: [ParameterKey])
  /// A number is out of the parameter's range, or is not whole although it must be.
  case invalidValue(ParameterDefinition, Double)
  /// A text is not a number in the parameter's unit; `available` lists the keys that the detector
  /// uses, if known.
  case unreadableValue(ParameterDefinition, String, available: [ParameterKey] = [])
  /// A text is not of the form `key=value`.
  case unreadableAssignment(String)
  /// A definition does not allow its own default value.
  case inconsistentDefinition(ParameterDefinition)
  /// The name of a measurement with an expression is not a word, or is already taken.
  case invalidMeasurementName(String, isTaken: Bool)
  /// The expression of a measurement cannot be read.
  case unreadableExpression(String, ExpressionError)
  /// Two parameters of a detector have the same key.
  case repeatedParameter(ParameterKey)
  /// A stream is debounced both by a strategy and by the detector's own parameter.
  case debouncedTwice(AnswerStream, ParameterKey, Double)
  /// A Schmitt band is around a parameter that no rule of the detector uses.
  case bandWithoutThreshold(ParameterKey, available: [ParameterKey])
  /// A calibration is for a measurement that no form rule of the detector compares in the same
  /// unit.
  case unusedCalibration(Calibration, available: [Measurement])

  /// What is wrong, what is allowed, and what to do.
  public var description: String {
    switch self {
    case .emptyList(let stream):
      "the \(stream.rawValue) list has no rules; give it at least one label"
    case .labelOfOtherStream(let stream, let label):
      "the \(stream.rawValue) stream has no label `\(label.name)`; the labels are "
        + stream.labels.joined(separator: ", ")
    case .conditionalLastRule(let stream):
      "the last \(stream.rawValue) rule must always hold; add a label without a condition"
    case .unreachableRules(let stream, let rule):
      "rule \(rule) of the \(stream.rawValue) list has no condition, so the rules after it can "
        + "never hold; move it to the end"
    case .wrongStream(let stream):
      "the \(stream.rawValue) list answers the other stream's question; swap the two lists"
    case .undefinedParameter(let key, let available):
      "no parameter `\(key.rawValue)`; \(Self.hint(key.rawValue, available))"
        + "the defined parameters are \(Self.list(available))"
    case .unitMismatch(let predicate, let measurement, let parameter):
      "`\(predicate)` compares \(measurement.rawValue) with \(parameter.rawValue); use a parameter "
        + "in the measurement's unit"
    case .unsuitableMeasurement(let measurement, let axes):
      axes.isImage
        ? "`\(measurement.name)` needs 3D positions, but `axes: image` is for 2D poses; compare "
          + Measurement.builtIn(for: axes).map { $0.name }.joined(separator: ", ")
          + ", or an expression"
        : "`\(measurement.name)` is made for 2D poses, but the detector is for 3D positions; "
          + "write `axes: image`, or define it from positions"
    case .unusedParameter(let key, let detector, let available):
      "the detector \(detector) does not use `\(key)`; \(Self.hint(key, available))"
        + "it uses \(Self.list(available))"
    case .invalidValue(let parameter, let value):
      "\(parameter.key.rawValue) = \(value) is not allowed; give \(parameter.allowedValues)"
    case .unreadableValue(let parameter, let text, let available):
      "`\(text)` is not a value of \(parameter.key.rawValue); give \(parameter.allowedValues), "
        + "for example \(parameter.example)"
        + (available.isEmpty ? "" : "; the detector uses \(Self.list(available))")
    case .unreadableAssignment(let text):
      "`\(text)` is not of the form key=value, for example sag=3cm"
    case .inconsistentDefinition(let parameter):
      "the default of \(parameter.key.rawValue) must lie in its range; allowed: "
        + parameter.allowedValues
    case .invalidMeasurementName(let name, let isTaken):
      isTaken
        ? "`\(name)` is the name of a joint, a function or another measurement; choose another one"
        : "`\(name)` cannot be the name of a measurement; write letters, digits and underscores, a "
          + "letter first"
    case .unreadableExpression(let name, let error): "the expression of \(name): \(error)"
    case .repeatedParameter(let key): "the parameter `\(key.rawValue)` is defined twice; remove one"
    case .debouncedTwice(let stream, let key, let value):
      "the \(stream.rawValue) stream has a debounce strategy and \(key.rawValue) = \(value); "
        + "leave \(key.rawValue) at 1, or remove the strategy"
    case .bandWithoutThreshold(let key, let available):
      "no rule compares with `\(key.rawValue)`, so it can have no band; "
        + Self.hint(key.rawValue, available) + "rules compare with \(Self.list(available))"
    case .unusedCalibration(let calibration, let available):
      "the calibration is of `\(calibration.measurement)` in \(calibration.unit.rawValue), which no "
        + "form rule compares; they compare "
        + available.map { "\($0.name) in \($0.unit.rawValue)" }.joined(separator: ", ")
        + "; calibrate this detector anew"
    }
  }

  private static func list(_ keys: [ParameterKey]) -> String {
    keys.map { $0.rawValue }.joined(separator: ", ")
  }

  private static func hint(_ key: String, _ available: [ParameterKey]) -> String {
    NearestNames.hint(key, among: available.map { $0.rawValue })
  }
}
