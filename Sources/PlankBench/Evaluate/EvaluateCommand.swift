internal import Evaluation
internal import PlankDetection
internal import PoseModel

struct EvaluateCommand: Sendable {
  let data: [String]
  let options: [String]
  let assignments: [String]

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

  var suggesting: ResultCommands {
    ResultCommands(
      again: ["suggest"] + data + options + assignments.flatMap { ["--set", $0] }, data: data)
  }
}

extension ParameterDefinition {
  /// With its unit, as after `--set`: `2.5cm`; reads back to the last bit.
  func optionText(_ value: Double) -> String {
    guard !isInteger else { return NumberText.shortest(value) }
    let text = ParameterText.of(value, unit: unit).filter { $0 != " " }
    return (try? parse(text)) == value ? text : NumberText.shortest(value)
  }
}

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
