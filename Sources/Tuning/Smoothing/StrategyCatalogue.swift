package import PlankDetection

/// Every step that a strategy's text may contain, for lists and documentation.
package struct StrategyCatalogue {
  /// One step with its parameters.
  package struct Entry: Hashable, Sendable {
    /// The name in text form.
    package let name: String
    /// What it does, in one line.
    package let summary: String
    /// Whether an app can run it: it does not depend on later frames.
    package let isCausal: Bool
    /// The step in text form with every default.
    package let example: String
    /// The parameters.
    package let parameters: [ParameterDefinition]
    /// Parameters that are alternatives: exactly one is given.
    package let alternatives: [ParameterKey]
    /// Whether a parameter that is left out takes its default; one of `bands` stands for no band.
    package let hasDefaults: Bool

    fileprivate init<Kind: StrategyKind>(_ kind: Kind, isCausal: Bool) {
      name = kind.rawValue
      summary = kind.summary
      self.isCausal = isCausal
      parameters = kind.parameters
      alternatives = kind.alternatives
      example = (try? StrategySettings(kind))?.text ?? kind.rawValue
      hasDefaults = true
    }

    /// Hysteresis around thresholds, whose parameters are thresholds of the detector.
    fileprivate init(bands example: DebounceStrategy) {
      name = DebounceStrategy.bandsName
      summary = "a threshold is crossed only half a width beyond it, in either direction"
      isCausal = true
      parameters = DebounceStrategy.bandWidths()
      alternatives = []
      self.example = example.text
      hasDefaults = false
    }
  }

  /// Smoothing: causal filters, then those that look ahead.
  package static let smoothing: [Entry] =
    SmoothingKind.allCases.map { Entry($0, isCausal: true) }
    + OfflineKind.allCases.map { Entry($0, isCausal: false) }

  /// Debounce: the rules for answers, then bands around thresholds.
  package static let debounce: [Entry] =
    DebounceKind.allCases.map { Entry($0, isCausal: true) } + [Entry(bands: exampleBands)]

  private static let exampleBands: DebounceStrategy = {
    do {
      return try DebounceStrategy(text: "bands:side_rise=2cm,elbow_split=5deg")
    } catch {
      preconditionFailure("the example of bands is a valid strategy: \(error)")
    }
  }()
}
