internal import PoseModel

extension SmoothingStrategy {
  /// Parses a strategy: steps joined by +, each `name:key=value,...@joints` or `@measurements`.
  ///
  /// Parameters that are missing take their defaults; the default target is `joints`. The commands
  /// of `planklab` take and print strategies in this form.
  ///
  /// - Parameter text: for example `one-euro:minCutoff=1Hz,beta=0.5@joints`; `none` does nothing.
  /// - Throws: `StrategyTextError` with the step, what was found and what is allowed.
  public init(text: String) throws(StrategyTextError) {
    try self.init(
      steps: StepText.steps(of: text), known: SmoothingKind.allCases.map { $0.rawValue })
  }

  package init(steps: [StepText], known: [String]) throws(StrategyTextError) {
    var parsed: [SmoothingStep] = []
    for step in steps {
      guard let kind = SmoothingKind(rawValue: step.name) else {
        throw .unknownStep(step.name, family: SmoothingKind.family, known: known)
      }
      parsed.append(
        SmoothingStep(settings: try step.settings(kind), on: try step.smoothingTarget()))
    }
    do {
      try self.init(parsed)
    } catch {
      throw .invalidStrategy("\(error)")
    }
  }

  /// The strategy as text with every parameter; parsing the text gives the same strategy.
  public var text: String {
    isEmpty
      ? SmoothingKind.none.rawValue
      : steps.map { $0.settings.text + "@" + $0.target.rawValue }.joined(separator: "+")
  }
}

extension DebounceStrategy {
  package static let parametersName = "parameters"
  package static let bandsName = "bands"

  /// Parses a strategy: steps joined by +, each `name:key=value,...`, and
  /// `bands:threshold=halfWidth,...`.
  ///
  /// A step applies to the stream in its suffix `@plank` or `@form`, or without a suffix to both
  /// streams. The commands of `planklab` take and print strategies in this form.
  ///
  /// - Parameters:
  ///   - text: for example `dwell:enter=0.3s,exit=0.5s@plank+bands:side_rise=2cm`; `parameters`
  ///     leaves debounce to the detector's own parameters.
  ///   - parameters: the detector's parameters, which provide the units and keys of bands.
  /// - Throws: `StrategyTextError` with the step, what was found and what is allowed.
  public init(
    text: String, parameters: [ParameterDefinition] = ParameterCatalogue.definitions
  ) throws(StrategyTextError) {
    var rules: [AnswerStream: StrategySettings<DebounceKind>] = [:]
    var bands: [SchmittBand] = []
    let steps = text == Self.parametersName ? [] : try StepText.steps(of: text)
    for step in steps {
      if step.name == Self.bandsName {
        bands += try Self.bands(step, parameters)
        continue
      }
      guard let kind = DebounceKind(rawValue: step.name) else {
        throw .unknownStep(step.name, family: DebounceKind.family, known: Self.names)
      }
      let settings = try step.settings(kind)
      for stream in try Self.streams(of: step) {
        guard rules[stream] == nil else {
          throw .repeatedStream(step: step.name, stream: stream.rawValue)
        }
        rules[stream] = settings
      }
    }
    do {
      try self.init(plank: rules[.plank], form: rules[.form], bands: bands)
    } catch {
      throw .invalidStrategy("\(error)")
    }
  }

  /// The strategy as text with every parameter; parsing the text gives the same strategy.
  public var text: String { text(parameters: ParameterCatalogue.definitions) }

  /// The strategy as text with every parameter; bands are in the units of a detector's parameters.
  public func text(parameters: [ParameterDefinition]) -> String {
    var steps: [String] = []
    if let plank, plank == form {
      steps.append(plank.text)
    } else {
      steps += AnswerStream.allCases.compactMap { stream in
        self[stream].map { $0.text + "@" + stream.rawValue }
      }
    }
    if !bands.isEmpty {
      let widths = bands.map { band in
        let definition = parameters.first { $0.key == band.parameter }
        return band.parameter.rawValue + "="
          + (definition?.text(band.halfWidth) ?? "\(band.halfWidth)")
      }
      steps.append(Self.bandsName + ":" + widths.joined(separator: ","))
    }
    return steps.isEmpty ? Self.parametersName : steps.joined(separator: "+")
  }

  package static var names: [String] {
    DebounceKind.allCases.map { $0.rawValue } + [bandsName, parametersName]
  }

  /// The half widths of bands around all parameters that are not in frames or seconds.
  ///
  /// The default, a twentieth of the threshold's range, is only an example.
  package static func bandWidths(
    _ parameters: [ParameterDefinition] = ParameterCatalogue.definitions
  ) -> [ParameterDefinition] {
    parameters.filter { !$0.isInteger && $0.unit != .seconds }.map { $0.halfWidth }
  }

  private static func streams(of step: StepText) throws(StrategyTextError) -> [AnswerStream] {
    guard let text = step.target else { return AnswerStream.allCases }
    guard let stream = AnswerStream(rawValue: text) else {
      throw .unknownTarget(
        step: step.name, found: text, allowed: AnswerStream.allCases.map { $0.rawValue })
    }
    return [stream]
  }

  private static func bands(
    _ step: StepText, _ parameters: [ParameterDefinition]
  ) throws(StrategyTextError) -> [SchmittBand] {
    if let target = step.target {
      throw .invalidValue(
        step: step.name,
        problem: "a band belongs to a threshold, which decides its stream; leave out `@\(target)`")
    }
    guard !step.parameters.isEmpty else {
      throw .invalidValue(
        step: step.name,
        problem: "no threshold is named, so none has a band; give half the width of at least one, "
          + "for example bands:sag=1cm")
    }
    let widths = bandWidths(parameters)
    let values = try step.values(of: widths)
    var bands: [SchmittBand] = []
    for definition in widths {
      guard let width = values[definition.key] else { continue }
      do {
        bands.append(try SchmittBand(definition.key, halfWidth: width))
      } catch {
        throw .invalidValue(step: step.name, problem: "\(error)")
      }
    }
    return bands
  }
}

extension ParameterDefinition {
  fileprivate var halfWidth: ParameterDefinition {
    let largest = range.upperBound - range.lowerBound
    return ParameterDefinition(
      checked: key, unit, largest / 20, 0...largest,
      "half the width of the band around \(key.rawValue)")
  }
}

package struct StepText {
  /// The name before the colon.
  public let name: String
  /// The parameters in order, not yet parsed.
  public let parameters: [Substring]
  /// The text after the @; nil if there is none.
  public let target: String?

  /// Splits the text of a strategy into steps at each +.
  public static func steps(of text: String) throws(StrategyTextError) -> [StepText] {
    var steps: [StepText] = []
    for part in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard !part.isEmpty else { throw .emptyStep(in: text) }
      steps.append(StepText(part))
    }
    return steps
  }

  private init(_ text: Substring) {
    let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    target = halves.count == 2 ? String(halves[1]) : nil
    let parts = halves[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    parameters =
      parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
  }

  /// Parses the step's parameters as settings of a kind.
  public func settings<Kind: StrategyKind>(
    _ kind: Kind
  ) throws(StrategyTextError) -> StrategySettings<Kind> {
    let values = try values(of: kind.parameters)
    do {
      return try StrategySettings(kind, values)
    } catch {
      throw .invalidValue(step: name, problem: "\(error)")
    }
  }

  /// Parses the step's parameters, whose units and limits are in the definitions.
  public func values(
    of definitions: [ParameterDefinition]
  ) throws(StrategyTextError) -> [ParameterKey: Double] {
    let allowed = definitions.map { $0.keyWithUnit }
    var values: [ParameterKey: Double] = [:]
    for parameter in parameters {
      let halves = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty else {
        throw .malformedParameter(step: name, found: String(parameter), allowed: allowed)
      }
      let key = String(halves[0])
      guard let definition = definitions.first(where: { $0.key.rawValue == key }) else {
        throw .unknownParameter(step: name, found: key, allowed: allowed)
      }
      guard values[definition.key] == nil else {
        throw .repeatedParameter(step: name, key: key)
      }
      do {
        values[definition.key] = try definition.parse(String(halves[1]))
      } catch {
        throw .invalidValue(step: name, problem: "\(error)")
      }
    }
    return values
  }

  /// What the step smooths; joints if the text does not say.
  public func smoothingTarget() throws(StrategyTextError) -> SmoothingTarget {
    guard let target else { return .joints }
    guard let known = SmoothingTarget(rawValue: target) else {
      throw .unknownTarget(
        step: name, found: target, allowed: SmoothingTarget.allCases.map { $0.rawValue })
    }
    return known
  }
}

extension ParameterDefinition {
  package var keyWithUnit: String {
    unit == .ratio ? key.rawValue : "\(key.rawValue) (\(unit.rawValue))"
  }

  package func text(_ value: Double) -> String {
    let number = "\(value)"
    let digits = number.hasSuffix(".0") ? String(number.dropLast(2)) : number
    switch unit {
    case .ratio, .frames: return digits
    default: return digits + (unit.suffixes.first?.text ?? "")
    }
  }
}

extension StrategySettings {
  /// The kind, its first parameter and those that differ from their defaults.
  package var shortText: String {
    text(of: entries.prefix(1) + entries.dropFirst().filter { $1 != $0.defaultValue })
  }

  /// The kind and every parameter, for example `ema:cutoff=1.5Hz`.
  public var text: String { text(of: entries) }

  private func text(of entries: [(definition: ParameterDefinition, value: Double)]) -> String {
    let parameters = entries.map { definition, value in
      definition.key.rawValue + "=" + definition.text(value)
    }
    return parameters.isEmpty
      ? kind.rawValue : kind.rawValue + ":" + parameters.joined(separator: ",")
  }
}

/// Why a text is not a smoothing or debounce strategy.
public enum StrategyTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text contains an empty step.
  case emptyStep(in: String)
  /// No step has this name.
  case unknownStep(String, family: String, known: [String])
  /// A parameter is not of the form `key=value`.
  case malformedParameter(step: String, found: String, allowed: [String])
  /// The step has no parameter with this name.
  case unknownParameter(step: String, found: String, allowed: [String])
  /// A parameter is given twice.
  case repeatedParameter(step: String, key: String)
  /// A value is not a number in its unit, or is not allowed.
  case invalidValue(step: String, problem: String)
  /// The step has no target with this name.
  case unknownTarget(step: String, found: String, allowed: [String])
  /// A chain contains a filter that looks ahead, which only the bench has.
  case lookingAhead(step: String)
  /// The text has two debounce rules for one stream.
  case repeatedStream(step: String, stream: String)
  /// The steps cannot be combined.
  case invalidStrategy(String)

  /// The step, what was found, what is allowed, and the nearest name.
  public var description: String {
    switch self {
    case .emptyStep(let text):
      "`\(text)` has an empty step; join steps with one +, for example median+ema:cutoff=1.5Hz"
    case .unknownStep(let found, let family, let known):
      "no \(family) `\(found)`" + Self.hint(found, known) + "; the choices are "
        + known.joined(separator: ", ")
    case .malformedParameter(let step, let found, let allowed):
      "\(step): `\(found)` is not of the form key=value; " + Self.list(allowed)
    case .unknownParameter(let step, let found, let allowed):
      "\(step) has no parameter `\(found)`"
        + Self.hint(found, allowed.map { String($0.prefix { $0 != " " }) }) + "; "
        + Self.list(allowed)
    case .repeatedParameter(let step, let key): "\(step): `\(key)` is given twice; keep one of them"
    case .invalidValue(let step, let problem): "\(step): \(problem)"
    case .unknownTarget(let step, let found, let allowed):
      "\(step) cannot work on `\(found)`" + Self.hint(found, allowed) + "; write @"
        + allowed.joined(separator: " or @")
    case .lookingAhead(let step):
      "\(step) looks ahead, so it cannot stand in a chain with others; give it alone, or a causal "
        + "filter"
    case .repeatedStream(let step, let stream):
      "\(step): the \(stream) stream already has a rule; name the streams with @plank and @form"
    case .invalidStrategy(let problem): problem
    }
  }

  private static func list(_ allowed: [String]) -> String {
    allowed.isEmpty ? "it takes none" : "it takes " + allowed.joined(separator: ", ")
  }

  private static func hint(_ found: String, _ known: [String]) -> String {
    NearestNames.of(found, among: known, limit: 1).first.map { ", did you mean `\($0)`?" } ?? ""
  }
}

/// A kind of step with a value for each of its parameters.
///
/// Values are checked against the catalog when settings are made. Missing values take their
/// defaults, so that equal settings are equal however they were written.
public struct StrategySettings<Kind: StrategyKind>: Hashable, Sendable {
  /// The kind of step.
  public let kind: Kind
  private let values: [ParameterKey: Double]

  /// Creates settings after checking the values.
  ///
  /// - Parameters:
  ///   - kind: the kind of step.
  ///   - given: values in the units of the catalog; all other parameters take their defaults.
  /// - Throws: `StrategyError` for keys that the kind lacks, two alternatives at once, values out
  ///   of range and values that contradict each other.
  public init(_ kind: Kind, _ given: [ParameterKey: Double] = [:]) throws(StrategyError) {
    for key in given.keys where !kind.parameters.contains(where: { $0.key == key }) {
      throw .unknownParameter(
        key.rawValue, of: kind.rawValue, available: kind.parameters.map { $0.key })
    }
    let chosen = kind.alternatives.filter { given[$0] != nil }
    guard chosen.count <= 1 else { throw .conflictingParameters(chosen, of: kind.rawValue) }
    let alternative = chosen.first ?? kind.alternatives.first
    var values: [ParameterKey: Double] = [:]
    for parameter in kind.parameters {
      let isLeftOut = kind.alternatives.contains(parameter.key) && parameter.key != alternative
      if isLeftOut { continue }
      let value = given[parameter.key] ?? parameter.defaultValue
      guard parameter.accepts(value) else { throw .invalidValue(parameter, value) }
      values[parameter.key] = value
    }
    if let problem = kind.contradiction(in: values) { throw .contradiction(kind.rawValue, problem) }
    self.kind = kind
    self.values = values
  }

  /// The value of a parameter in its unit; nil for an unknown key or an alternative that was not
  /// chosen.
  public subscript(key: ParameterKey) -> Double? { values[key] }

  /// Every parameter that has a value, in the order of the catalog.
  public var entries: [(definition: ParameterDefinition, value: Double)] {
    kind.parameters.compactMap { parameter in
      values[parameter.key].map { (definition: parameter, value: $0) }
    }
  }

  /// Returns 0 for a parameter without a value; only alternatives may lack one.
  func value(_ key: ParameterKey) -> Double { values[key] ?? 0 }
}

#if !hasFeature(Embedded)
  extension StrategySettings: Codable {
    private enum CodingKeys: String, CodingKey { case kind, parameters }

    /// Decodes a kind and its parameters, and checks them as the initializer does.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let name = try container.decode(String.self, forKey: .kind)
      guard let kind = Kind(rawValue: name) else {
        throw DecodingError.dataCorruptedError(
          forKey: .kind, in: container,
          debugDescription: "no \(Kind.family) `\(name)`; the choices are "
            + Kind.allCases.map { $0.rawValue }.joined(separator: ", "))
      }
      let given = try container.decode([String: Double].self, forKey: .parameters)
      let keyed = given.map { (ParameterKey($0), $1) }
      self = try container.checked(.parameters) {
        try StrategySettings(kind, Dictionary(uniqueKeysWithValues: keyed))
      }
    }

    /// Encodes the kind and every parameter by key.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(kind.rawValue, forKey: .kind)
      let named = entries.map { ($0.definition.key.rawValue, $0.value) }
      try container.encode(Dictionary(uniqueKeysWithValues: named), forKey: .parameters)
    }
  }
#endif

/// A family of interchangeable steps, each with its own parameters.
///
/// A conforming enum is a catalog: the names, summaries and parameters of smoothing or debounce
/// come from it, as do validation, the text form, `--help` and the documentation.
public protocol StrategyKind: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The name of the family in messages: `smoothing`, `debounce`.
  static var family: String { get }
  /// What the kind does, in one line.
  var summary: String { get }
  /// The parameters in the order used in documentation and output.
  var parameters: [ParameterDefinition] { get }
  /// Parameters of which exactly one has a value; if none is given, the first takes its default.
  var alternatives: [ParameterKey] { get }
  /// A conflict that no single parameter shows; nil if the values are compatible.
  func contradiction(in values: [ParameterKey: Double]) -> String?
}

extension StrategyKind {
  /// Empty by default: a kind has no alternatives.
  public var alternatives: [ParameterKey] { [] }

  /// Nil by default: the values of a kind never contradict each other.
  public func contradiction(in values: [ParameterKey: Double]) -> String? { nil }
}

/// Why a smoothing or debounce strategy cannot be used.
public enum StrategyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A step has a parameter that its kind lacks.
  case unknownParameter(String, of: String, available: [ParameterKey])
  /// Parameters that exclude each other were given together.
  case conflictingParameters([ParameterKey], of: String)
  /// A number is out of its parameter's range, or is not whole although it must be.
  case invalidValue(ParameterDefinition, Double)
  /// The values of a step contradict each other.
  case contradiction(String, String)
  /// A step on joints comes after a step on measurements.
  case jointsAfterMeasurements
  /// The half width of a Schmitt band is not a positive finite number.
  case invalidBand(ParameterKey, Double)
  /// A threshold has two Schmitt bands.
  case repeatedBand(ParameterKey)

  /// What is wrong, what is allowed, and what to do.
  public var description: String {
    switch self {
    case .unknownParameter(let key, let kind, let available):
      available.isEmpty
        ? "\(kind) has no parameters; remove `\(key)`"
        : "\(kind) has no parameter `\(key)`; it has \(Self.list(available))"
    case .conflictingParameters(let keys, let kind):
      "\(kind) takes only one of \(Self.list(keys)); remove the others"
    case .invalidValue(let parameter, let value):
      "\(parameter.key.rawValue) = \(value) is not allowed; give \(parameter.allowedValues)"
    case .contradiction(let kind, let problem): "\(kind): \(problem)"
    case .jointsAfterMeasurements:
      "a step on joints cannot follow a step on measurements, which are made from joints; put "
        + "the steps on joints first"
    case .invalidBand(let key, let width):
      "the band of \(key.rawValue) is \(width); give half its width, above 0"
    case .repeatedBand(let key): "\(key.rawValue) has two bands; remove one"
    }
  }

  private static func list(_ keys: [ParameterKey]) -> String {
    keys.map { $0.rawValue }.joined(separator: ", ")
  }
}
