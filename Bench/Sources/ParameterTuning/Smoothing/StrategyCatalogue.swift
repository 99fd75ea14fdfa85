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
