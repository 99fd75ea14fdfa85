public import PlankDetection
internal import PoseModel

/// A detector as lines of text, which a page hands to the detector that runs in it.
///
/// Fields are separated by tabs. Expressions and conditions are the texts that detector files have,
/// so that the detection library reads them; numbers are the bits of a `Double` in hexadecimal, so
/// that they come back exactly. What measures and smooths is left out: a page has the measurements.
///
/// ```
/// axes         AXES
/// measurement  NAME  EXPRESSION
/// parameter    KEY   UNIT  LEAST  GREATEST  VALUE
/// plank        CODE  CONDITION
/// form         CODE  CONDITION
/// debounce     STREAM  KIND  KEY  VALUE  ...
/// band         KEY   HALF WIDTH
/// ```
public enum DetectorLines {
  /// The lines of a detector with its parameters and its debounce.
  public static func text(of detector: BatchDetector) -> String {
    let definition = detector.definition
    var lines = [["axes", definition.axes.rawValue]]
    lines += definition.expressions.map { ["measurement", $0.name, $0.definition] }
    lines += detector.parameters.entries.map { definition, value in
      [
        "parameter", definition.key.rawValue, definition.unit.rawValue,
        bits(definition.range.lowerBound), bits(definition.range.upperBound), bits(value),
      ]
    }
    for stream in AnswerStream.allCases {
      lines += definition.list(stream).rules.map { rule in
        let condition = rule.predicates.map { $0.description }.joined(separator: " and ")
        return [stream.rawValue, String(rule.label.code), condition]
      }
      guard let debounce = detector.debounce[stream] else { continue }
      lines.append(
        ["debounce", stream.rawValue, debounce.kind.rawValue]
          + debounce.entries.flatMap { [$0.definition.key.rawValue, bits($0.value)] })
    }
    lines += detector.debounce.bands.map { ["band", $0.parameter.rawValue, bits($0.halfWidth)] }
    return lines.map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  /// The detector of such lines; it does not smooth.
  ///
  /// - Throws: `UnreadableLines` for lines that `text(of:)` did not write.
  public static func detector(of text: String) throws(UnreadableLines) -> BatchDetector {
    var reader = DetectorLinesReader()
    for (index, line) in text.split(separator: "\n").enumerated() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard reader.take(fields) else { throw UnreadableLines(line: index + 1) }
    }
    guard let detector = reader.detector else { throw UnreadableLines(line: nil) }
    return detector
  }

  private static func bits(_ number: Double) -> String { String(number.bitPattern, radix: 16) }
}

/// Lines that are no detector.
public struct UnreadableLines: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line that cannot be read, from 1; nil where the lines do not go together.
  public let line: Int?

  /// Which line it is, and what to do.
  public var description: String {
    let place = line.map { "line \($0) of the detector cannot be read" }
    return (place ?? "the lines of the detector do not go together")
      + "; write the page again with the program that it comes from"
  }
}

/// What the lines read so far say of a detector.
private struct DetectorLinesReader {
  private var axes = AxisReading.gravity
  private var measurements: [Measurement] = []
  private var parameters: [ParameterDefinition] = []
  private var rules: [AnswerStream: [Rule]] = [:]
  private var debounce: [AnswerStream: StrategySettings<DebounceKind>] = [:]
  private var bands: [SchmittBand] = []

  /// The detector; nil where its parts do not go together.
  var detector: BatchDetector? {
    guard let plank = try? DecisionList(.plank, rules[.plank] ?? []),
      let form = try? DecisionList(.form, rules[.form] ?? []),
      let definition = try? DetectorDefinition(
        name: "", summary: "", axes: axes, plank: plank, form: form,
        expressions: measurements, custom: parameters),
      let strategy = try? DebounceStrategy(
        plank: debounce[.plank], form: debounce[.form], bands: bands)
    else { return nil }
    return try? BatchDetector(definition, debounce: strategy)
  }

  /// Takes in a line; false for one that cannot be read.
  mutating func take(_ fields: [String]) -> Bool {
    switch fields[0] {
    case "axes": takeAxes(fields)
    case "measurement": takeMeasurement(fields)
    case "parameter": takeParameter(fields)
    case "debounce": takeDebounce(fields)
    case "band": takeBand(fields)
    default: takeRule(fields)
    }
  }

  private mutating func takeAxes(_ fields: [String]) -> Bool {
    guard fields.count == 2, let axes = AxisReading(rawValue: fields[1]) else { return false }
    self.axes = axes
    return true
  }

  private mutating func takeMeasurement(_ fields: [String]) -> Bool {
    guard fields.count == 3,
      let measurement = try? Measurement(fields[1], fields[2], using: measurements, axes: axes)
    else { return false }
    measurements.append(measurement)
    return true
  }

  private mutating func takeParameter(_ fields: [String]) -> Bool {
    guard fields.count == 6, let unit = MeasurementUnit(rawValue: fields[2]),
      let least = number(fields[3]), let greatest = number(fields[4]), least <= greatest,
      let value = number(fields[5]),
      let parameter = try? ParameterDefinition(
        ParameterKey(fields[1]), unit: unit, default: value, range: least...greatest, meaning: "")
    else { return false }
    parameters.append(parameter)
    return true
  }

  private mutating func takeRule(_ fields: [String]) -> Bool {
    guard fields.count == 3, let stream = AnswerStream(rawValue: fields[0]),
      let label = UInt8(fields[1]).flatMap({ AnswerLabel(stream, code: $0) })
    else { return false }
    guard !fields[2].isEmpty else {
      rules[stream, default: []].append(Rule(label))
      return true
    }
    guard let condition = try? Condition(fields[2], measurements: measurements) else {
      return false
    }
    rules[stream, default: []] += Rule.rules(label, when: condition)
    return true
  }

  private mutating func takeDebounce(_ fields: [String]) -> Bool {
    guard fields.count >= 3, fields.count.isMultiple(of: 2) == false,
      let stream = AnswerStream(rawValue: fields[1]), let kind = DebounceKind(rawValue: fields[2])
    else { return false }
    var values: [ParameterKey: Double] = [:]
    for place in stride(from: 3, to: fields.count, by: 2) {
      guard let value = number(fields[place + 1]) else { return false }
      values[ParameterKey(fields[place])] = value
    }
    debounce[stream] = try? StrategySettings(kind, values)
    return debounce[stream] != nil
  }

  private mutating func takeBand(_ fields: [String]) -> Bool {
    guard fields.count == 3, let halfWidth = number(fields[2]),
      let band = try? SchmittBand(ParameterKey(fields[1]), halfWidth: halfWidth)
    else { return false }
    bands.append(band)
    return true
  }

  private func number(_ bits: String) -> Double? {
    UInt64(bits, radix: 16).map { Double(bitPattern: $0) }
  }
}
