@_spi(Bench) package import PlankDetection
internal import PoseModel

extension DebounceStrategy {
  /// The name of the detector's own debounce in text form.
  package static let parametersName = "parameters"
  /// The name of a list of Schmitt bands in text form.
  package static let bandsName = "bands"

  /// Parses a strategy: steps joined by +, each `name:key=value,...` with @plank or @form, or
  /// without for both streams; and `bands:threshold=halfWidth,...`.
  ///
  /// - Parameters:
  ///   - text: for example `dwell:enter=0.3s,exit=0.5s@plank+bands:side_rise=2cm`; `parameters`
  ///   - parameters: the detector's parameters, which give bands their units and keys.
  ///     - Throws: `StrategyTextError` with the step, what was found and what is allowed.
  package init(
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

  /// The strategy with every number; parsing it gives the same strategy.
  package var text: String { text(parameters: ParameterCatalogue.definitions) }

  /// The strategy with every number, bands in the units of a detector's parameters.
  package func text(parameters: [ParameterDefinition]) -> String {
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

  /// The names of all steps.
  package static var names: [String] {
    DebounceKind.allCases.map(\.rawValue) + [bandsName, parametersName]
  }

  private static func streams(of step: StepText) throws(StrategyTextError) -> [AnswerStream] {
    guard let text = step.target else { return AnswerStream.allCases }
    guard let stream = AnswerStream(rawValue: text) else {
      throw .unknownTarget(
        step: step.name, found: text, allowed: AnswerStream.allCases.map(\.rawValue))
    }
    return [stream]
  }

  private static func bands(
    _ step: StepText, _ parameters: [ParameterDefinition]
  ) throws(StrategyTextError) -> [SchmittBand] {
    guard step.target == nil else {
      throw .unknownTarget(step: step.name, found: step.target ?? "", allowed: [])
    }
    let widths = parameters.filter { !$0.isInteger && $0.unit != .seconds }.map(\.halfWidth)
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
  /// The definition of half the width of a band around this parameter.
  fileprivate var halfWidth: ParameterDefinition {
    let largest = range.upperBound - range.lowerBound
    return ParameterDefinition(
      checked: key, unit, largest / 20, 0...largest,
      "half the width of the band around \(key.rawValue)")
  }
}

/// Every step that a strategy's text may contain, for lists and documentation.
package struct StrategyCatalogue {
  /// One step with its parameters.
  package struct Entry: Hashable, Sendable {
    /// The name in text form.
    package let name: String
    /// What it does, in one line.
    package let summary: String
    /// Whether an app can run it: it depends on nothing later.
    package let isCausal: Bool
    /// The step in text form with every default.
    package let example: String
    /// The parameters.
    package let parameters: [ParameterDefinition]
    /// Parameters of which exactly one is given.
    package let alternatives: [ParameterKey]

    fileprivate init<Kind: StrategyKind>(_ kind: Kind, isCausal: Bool) {
      name = kind.rawValue
      summary = kind.summary
      self.isCausal = isCausal
      parameters = kind.parameters
      alternatives = kind.alternatives
      example = (try? StrategySettings(kind))?.text ?? kind.rawValue
    }
  }

  /// Smoothing: causal filters, then those that look ahead.
  package static let smoothing: [Entry] =
    SmoothingKind.allCases.map { Entry($0, isCausal: true) }
    + OfflineKind.allCases.map { Entry($0, isCausal: false) }

  /// Debounce, without bands.
  package static let debounce: [Entry] = DebounceKind.allCases.map { Entry($0, isCausal: true) }
}
