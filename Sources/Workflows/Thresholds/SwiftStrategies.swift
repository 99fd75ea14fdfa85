internal import PlankDetection
internal import Reporting
internal import Smoothing
internal import Specifications

/// Smoothing and debounce as Swift, for the file that an app compiles.
struct SwiftStrategies {
  private let thresholds: Thresholds

  init(_ thresholds: Thresholds) { self.thresholds = thresholds }

  /// Two functions, indented as members of a type.
  var text: String {
    """
      /// How joints and measurements are smoothed: \(thresholds.smoothing.text).
      static func smoothing() throws(StrategyError) -> SmoothingStrategy {
        \(smoothing)
      }

      /// What makes raw labels steady: \(thresholds.debounceText).
      static func debounce() throws(StrategyError) -> DebounceStrategy {
        \(debounce)
      }
    """
  }

  private var smoothing: String {
    guard case .causal(let strategy) = thresholds.smoothing, !strategy.isEmpty else {
      return ".none"
    }
    let steps = strategy.steps.map { step in
      "SmoothingStep(.\(step.settings.kind), \(values(step.settings)), on: .\(step.target))"
    }
    return "try SmoothingStrategy([\(steps.joined(separator: ", "))])"
  }

  private var debounce: String {
    let strategy = thresholds.debounce
    guard strategy != .parameters else { return ".parameters" }
    func rule(_ settings: StrategySettings<DebounceKind>?) -> String {
      settings.map { "StrategySettings(.\($0.kind), \(values($0)))" } ?? "nil"
    }
    let bands = strategy.bands.map {
      "SchmittBand(ParameterKey(\"\($0.parameter.rawValue)\"), halfWidth: \($0.halfWidth))"
    }
    return "try DebounceStrategy(plank: \(rule(strategy.plank)), form: \(rule(strategy.form)), "
      + "bands: [\(bands.joined(separator: ", "))])"
  }

  private func values<Kind>(_ settings: StrategySettings<Kind>) -> String {
    let entries = settings.entries.map { definition, value in
      "ParameterKey(\"\(definition.key.rawValue)\"): \(NumberText.shortest(value))"
    }
    return entries.isEmpty ? "[:]" : "[\(entries.joined(separator: ", "))]"
  }
}
