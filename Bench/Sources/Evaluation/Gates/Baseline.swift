@_spi(Bench) package import PoseModel
package import Statistics

/// The reference for a candidate: answers, and the numbers that follow from them.
package struct Baseline: Hashable, Sendable {
  /// One number of a baseline.
  package struct Line: Hashable, Sendable {
    /// The metric.
    package var key: MetricKey
    /// The number; nil if it is undefined.
    package var value: Double?
    /// Its wider interval; nil if there is none.
    package var interval: Interval?

    /// Makes a line.
    package init(key: MetricKey, value: Double?, interval: Interval? = nil) {
      self.key = key
      self.value = value
      self.interval = interval
    }
  }

  /// The answers of one sequence.
  package struct Sequence: Hashable, Sendable {
    /// The sequence's name.
    package var name: String
    /// The plank answers.
    package var plank: AnswerRuns
    /// The form answers.
    package var form: AnswerRuns

    /// Makes the answers of a sequence.
    package init(name: String, plank: AnswerRuns, form: AnswerRuns) {
      self.name = name
      self.plank = plank
      self.form = form
    }
  }

  /// Why it was written.
  package var reason: String
  /// Its facts and provenance, by snake_case name.
  package var facts: [String: String]
  /// The dataset.
  package var dataset: DatasetIdentity
  /// How many subjects have scored frames.
  package var subjects: Int
  /// The median cost per frame over that of the calibration loop.
  package var frameCostRatio: Double?
  /// The numbers, in the order of the catalogue.
  package var metrics: [Line]
  /// The answers, in the order of the dataset.
  package var sequences: [Sequence]

  /// Makes a baseline.
  package init(
    reason: String, facts: [String: String], dataset: DatasetIdentity, subjects: Int,
    frameCostRatio: Double?, metrics: [Line], sequences: [Sequence]
  ) {
    self.reason = reason
    self.facts = facts
    self.dataset = dataset
    self.subjects = subjects
    self.frameCostRatio = frameCostRatio
    self.metrics = metrics
    self.sequences = sequences
  }

  /// Why a candidate on a dataset cannot be compared; empty if it can.
  ///
  /// The name may differ: a dataset without one is called after its folder.
  package func obstacles(to other: DatasetIdentity) -> [String] {
    var obstacles: [String] = []
    if other.posesHash != dataset.posesHash {
      obstacles.append("the poses differ from the baseline's: recordings were changed")
    }
    if other.labelsHash != dataset.labelsHash {
      obstacles.append("the labels differ from the baseline's: they were changed")
    }
    if other.manifestHash != dataset.manifestHash, obstacles.isEmpty {
      obstacles.append("the manifest differs from the baseline's")
    }
    if other.split != dataset.split { obstacles.append("another split was evaluated") }
    if obstacles.isEmpty, other.hash != dataset.hash {
      obstacles.append(
        "the baseline's dataset has the files of this one and another hash: it was edited; write "
          + "it again with `baseline update`")
    }
    return obstacles
  }
}

/// The answers of one stream of a sequence as runs of equal answers, as a baseline stores them.
///
/// Text: `none?*12 high*300`; a question mark says that the rules could not decide. Every metric
/// can be computed again from the answers, by subject and paired.
package struct AnswerRuns: Hashable, Sendable {
  /// The text.
  package let text: String

  /// Takes a text from a baseline.
  package init(text: String) { self.text = text }

  /// Writes the answers of a stream.
  package init(_ outcome: StreamOutcome, _ stream: AnswerStream) {
    var runs: [(token: String, count: Int)] = []
    for frame in outcome.answers.indices {
      let label = stream.labels[Int(outcome.answers[frame])]
      let token = outcome.isDetermined[frame] ? label : label + "?"
      if runs.last?.token == token {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((token, 1))
      }
    }
    text = runs.map { "\($0.token)*\($0.count)" }.joined(separator: " ")
  }

  /// Reads the answers of a stream.
  ///
  /// - Returns: nil unless the text is made of the stream's classes and has one answer per frame.
  package func outcome(_ stream: AnswerStream, frames: Int) -> StreamOutcome? {
    var answers: [UInt8] = []
    var isDetermined: [Bool] = []
    for run in text.split(separator: " ") {
      let parts = run.split(separator: "*", omittingEmptySubsequences: false)
      guard parts.count == 2, let count = Int(parts[1]), count >= 1, count <= frames - answers.count
      else { return nil }
      let isUnsure = parts[0].last == "?"
      guard let code = stream.code(of: String(isUnsure ? parts[0].dropLast() : parts[0]))
      else { return nil }
      answers += Array(repeating: code, count: count)
      isDetermined += Array(repeating: !isUnsure, count: count)
    }
    guard answers.count == frames else { return nil }
    return StreamOutcome(
      answers: answers, isDetermined: isDetermined,
      isHeld: Array(repeating: false, count: frames))
  }
}
