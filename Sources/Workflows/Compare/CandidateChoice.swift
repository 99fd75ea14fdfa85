internal import FoundationEssentials

/// A side of a comparison as a user names it.
///
/// `gravity`, `mine.yaml`, `thresholds.json`, a folder of answers, or in quotes a detector with
/// what differs: `gravity sag=3cm smoothing=ema:alpha=0.5 debounce=dwell:enter=0.3s,exit=0.5s`.
package struct CandidateChoice: Hashable, Sendable {
  /// The text that named it.
  package let text: String
  /// The detector and its parameters.
  package var detector: DetectorChoice
  /// Smoothing and debounce.
  package var steadying: SteadyingChoice
  /// A folder of answers; nil where a detector runs.
  package var predictions: String?

  /// Reads a text.
  ///
  /// - Throws: `WorkflowFailure` (`usage`) for an empty text.
  package init(_ text: String) throws(WorkflowFailure) {
    self.text = text
    detector = DetectorChoice()
    steadying = SteadyingChoice()
    var isFolder = false
    if FileManager.default.fileExists(atPath: text, isDirectory: &isFolder), isFolder {
      predictions = text
      return
    }
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.first else {
      throw WorkflowFailure(.usage, "a side has no name; name a detector, a file or a folder")
    }
    if first.hasSuffix(".json") { detector.thresholds = first } else { detector.given = first }
    for word in words.dropFirst() {
      if word.hasPrefix("smoothing=") {
        steadying.smoothing = String(word.dropFirst("smoothing=".count))
      } else if word.hasPrefix("debounce=") {
        steadying.debounce = String(word.dropFirst("debounce=".count))
      } else {
        detector.assignments.append(word)
      }
    }
  }

  /// What `evaluate` would be asked for.
  func request(_ dataset: String, split: String?) -> EvaluateRequest {
    EvaluateRequest(
      dataset: dataset, detector: detector, steadying: steadying, split: split,
      predictions: predictions)
  }
}
