internal import Evaluation
internal import PlankDetection
internal import PoseModel

/// A call of `evaluate` that can be made again with other values of parameters.
struct EvaluateCommand: Sendable {
  /// The datasets, and the options that say which of their sequences are evaluated.
  let data: [String]
  /// The options of the detector and its strategies except `--set`.
  let options: [String]
  /// The assignments of `--set`.
  let assignments: [String]

  /// The words of the call with other values; they replace those that `--set` gives.
  ///
  /// - Throws: `DetectorError` for a parameter that the detector does not have.
  func words(_ settings: [NextSteps.Setting], _ parameters: ParameterValues) throws -> [String] {
    let changed = Set(settings.map(\.parameter))
    let kept = assignments.filter { !changed.contains(String($0.prefix { $0 != "=" })) }
    var sets = kept
    for setting in settings {
      guard
        let definition = parameters.definitions.first(where: {
          $0.key.rawValue == setting.parameter
        })
      else {
        throw DetectorError.unusedParameter(
          setting.parameter, detector: parameters.detectorName,
          available: parameters.definitions.map(\.key))
      }
      sets.append(setting.parameter + "=" + definition.optionText(setting.value))
    }
    return ["planklab", "evaluate"] + data + options + sets.flatMap { ["--set", $0] }
  }

  /// What to type to look for a change of a stream's rules.
  func suggesting(_ stream: AnswerStream) -> ResultCommands {
    ResultCommands(
      again: ["suggest"] + data + options + assignments.flatMap { ["--set", $0] }
        + (stream == .plank ? [] : ["--stream", stream.rawValue]), data: data)
  }
}

extension ParameterDefinition {
  /// A value as people write it after `--set`, with its unit where options take one: `2.5cm`.
  ///
  /// Reading it back gives the same value to the last bit.
  func optionText(_ value: Double) -> String {
    guard !isInteger else { return NumberText.shortest(value) }
    let text = ParameterText.of(value, unit: unit).filter { $0 != " " }
    return (try? parse(text)) == value ? text : NumberText.shortest(value)
  }
}

/// Values of parameters, for people.
enum ParameterText {
  /// A value with its unit: `2.5 cm`, `140 deg`, `0.43`, `1 frame`.
  static func of(_ value: Double, unit: MeasurementUnit) -> String {
    switch unit {
    case .ratio: NumberText.short(value)
    case .meters: NumberText.short(100 * value) + " cm"
    case .frames: NumberText.short(value) + (value == 1 ? " frame" : " frames")
    default: NumberText.short(value) + " " + unit.rawValue
    }
  }

  /// The same for a unit by name; a unit of another version stays as it is written.
  static func of(_ value: Double, unit: String) -> String {
    MeasurementUnit(rawValue: unit).map { of(value, unit: $0) }
      ?? NumberText.short(value) + " " + unit
  }

  /// A range of values: `0.40 to 0.46`, `2 to 3 cm`.
  static func range(_ range: ClosedRange<Double>, unit: String) -> String {
    let low = of(range.lowerBound, unit: unit)
    let high = of(range.upperBound, unit: unit)
    guard low != high else { return low }
    let number = low.prefix { $0 != " " }
    return "\(number) to \(high)"
  }
}
