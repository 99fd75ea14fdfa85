internal import Platform
internal import PoseDatasets

/// A side of a comparison as a user writes it: a detector's name or file, thresholds, a folder of
/// answers, or, in quotes, a detector with changes: `gravity sag=3cm smoothing=ema:alpha=0.5`.
struct CandidateChoice: Hashable, Sendable {
  let text: String
  var detector: String?
  var thresholds: String?
  var assignments: [String] = []
  var smoothing: String?
  var debounce: String?
  var calibrate: String?
  var predictions: String?

  init(_ text: String) throws {
    self.text = text
    if try FileDescriptor.isFolder(text) {
      predictions = text
      return
    }
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.first else {
      throw WorkflowFailure(.usage, "a side has no name; name a detector, a file or a folder")
    }
    if first.hasSuffix(".json") { thresholds = first } else { detector = first }
    for word in words.dropFirst() {
      if word.hasPrefix("smoothing=") {
        smoothing = String(word.dropFirst("smoothing=".count))
      } else if word.hasPrefix("debounce=") {
        debounce = String(word.dropFirst("debounce=".count))
      } else if word.hasPrefix("calibrate=") {
        calibrate = String(word.dropFirst("calibrate=".count))
      } else {
        assignments.append(word)
      }
    }
  }

  /// Fills in a repository's smoothing and debounce where the side names none; a thresholds file
  /// has its own.
  func filled(_ defaults: inout DefaultsOption) -> String {
    guard predictions == nil, thresholds == nil else { return text }
    let filled = defaults.filled(
      AnswerSettings(detector: detector, smoothing: smoothing, debounce: debounce))
    let added = [
      smoothing == nil ? filled.smoothing.map { "smoothing=\($0)" } : nil,
      debounce == nil ? filled.debounce.map { "debounce=\($0)" } : nil,
    ]
    return ([text] + added.compactMap(\.self)).joined(separator: " ")
  }

  var options: [[String]]? {
    guard predictions == nil else { return nil }
    let named: [(flag: String, value: String?)] =
      [("--detector", detector), ("--parameters", thresholds)]
      + assignments.map { ("--set", $0) }
      + [("--smoothing", smoothing), ("--debounce", debounce), ("--calibrate", calibrate)]
    return named.compactMap { flag, value in value.map { [flag, $0] } }
  }

  func evaluator(
    of datasets: DatasetCollection, remarks: inout [String]
  ) throws -> SequenceEvaluator {
    try SequenceEvaluator(
      of: datasets,
      detector: BenchDetector(
        detector, thresholds: thresholds, assignments: assignments, smoothing: smoothing,
        debounce: debounce, calibrate: calibrate), predictions: predictions, remarks: &remarks)
  }
}
