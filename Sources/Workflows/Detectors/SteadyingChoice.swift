internal import PlankDetection
internal import PoseModel
internal import Smoothing

/// Smoothing and debounce as a user names them.
package struct SteadyingChoice: Hashable, Sendable {
  /// A smoothing strategy in text form; nil for none.
  package var smoothing: String?
  /// A debounce strategy in text form; nil for the detector's own parameters.
  package var debounce: String?
  /// Where both were written.
  package var source: ChoiceSource

  /// Makes a choice.
  package init(
    smoothing: String? = nil, debounce: String? = nil, source: ChoiceSource = .options
  ) {
    self.source = source
    self.smoothing = smoothing
    self.debounce = debounce
  }

  /// Whether anything is named.
  package var isGiven: Bool { smoothing != nil || debounce != nil }

  /// Reads both and puts them into a detector.
  ///
  /// - Throws: `WorkflowFailure` (`usage`, in a file `badData`) for texts with a mistake and
  ///   strategies that do not fit the detector.
  func steady(
    _ definition: DetectorDefinition, _ parameters: ParameterValues
  ) throws(WorkflowFailure) -> SteadyDetector {
    let choice: SmoothingChoice
    do {
      choice = try smoothing.map(SmoothingChoice.init(text:)) ?? .none
    } catch {
      throw source.failure(
        option: "--smoothing", text: smoothing, fields: ["smoothing"],
        "\(error); `planklab smoothers` lists all")
    }
    let strategy: DebounceStrategy
    do {
      strategy =
        try debounce.map { text throws(StrategyTextError) in
          try DebounceStrategy(text: text, parameters: parameters.definitions)
        } ?? .parameters
    } catch {
      throw source.failure(
        option: "--debounce", text: debounce, fields: ["debounce"],
        "\(error); `planklab smoothers` lists all")
    }
    do {
      var causal = SmoothingStrategy.none
      if case .causal(let chain) = choice { causal = chain }
      let detector = try BatchDetector(
        definition, parameters: parameters, smoothing: causal, debounce: strategy)
      return SteadyDetector(detector: detector, smoothing: choice)
    } catch {
      throw source.failure(option: nil, fields: ["debounce", "smoothing", "set"], "\(error)")
    }
  }
}

/// A detector with smoothing that may look ahead.
struct SteadyDetector: Sendable {
  /// The detector; it smooths by itself where that is causal.
  let detector: BatchDetector
  /// The smoothing.
  let smoothing: SmoothingChoice

  /// Whether joints and measurements stay as they are.
  var isUnsmoothed: Bool { smoothing.isNone }

  /// Smoothing in text form, every number written.
  var smoothingText: String { smoothing.text }

  /// Debounce in text form, every number written.
  var debounceText: String {
    detector.debounce.text(parameters: detector.parameters.definitions)
  }

  /// Measures a recording, smoothed.
  func measure(_ recording: Recording, also extra: MeasurementSet = []) -> MeasurementColumns {
    smoothing.measure(recording, detector, also: extra)
  }

  /// What must be said of the smoothing; nil where an app could run it.
  var caution: String? {
    smoothing.isCausal
      ? nil
      : "The smoothing \(smoothingText) looks ahead: no app can answer so; it bounds what "
        + "smoothing could do."
  }
}
