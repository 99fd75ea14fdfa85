package import PlankDetection

package struct StrategyCatalogue {
  package struct Entry: Hashable, Sendable {
    package let name: String
    package let summary: String
    package let isCausal: Bool
    package let example: String
    package let parameters: [ParameterDefinition]
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

  package static let smoothing: [Entry] =
    SmoothingKind.allCases.map { Entry($0, isCausal: true) }
    + OfflineKind.allCases.map { Entry($0, isCausal: false) }

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
