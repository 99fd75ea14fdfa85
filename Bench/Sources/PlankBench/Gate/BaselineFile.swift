internal import Evaluation
internal import PoseDatasets
@_spi(Bench) internal import PoseModel
internal import Statistics

/// Reads baselines and scores their answers again.
enum BaselineAccess {
  /// Reads a file.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for a missing file, `badData` for a mistake in it.
  static func read(_ path: String) throws(WorkflowFailure) -> Baseline {
    let text = try InputText.read(path)
    do {
      return try BaselineSpecification.parse(text, file: path)
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
  }

  /// A baseline scored again, and where a candidate is worse than it.
  struct Scored: Sendable {
    /// The baseline's side.
    var side: GateSide
    /// Moments that the baseline has right and the candidate wrong, longest first.
    var lost: [LostMoment]
  }

  /// Scores a baseline's answers on the sequences that a candidate was evaluated on.
  ///
  /// - Throws: `WorkflowFailure` (`notComparable`) if the answers do not fit a recording.
  static func scored(
    _ baseline: Baseline, against candidate: GateCandidate, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> Scored {
    let kept = Dictionary(baseline.sequences.map { ($0.name, $0) }) { first, _ in first }
    let found = try await ConcurrentMap.run(
      candidate.runs, of: "sequences of the baseline", progress: progress
    ) { (run) throws(WorkflowFailure) in
      let after = run.outcome
      guard let answers = kept[after.name] else {
        throw WorkflowFailure(
          .notComparable, "the baseline has no answers for the sequence \(after.name)")
      }
      guard let before = outcome(after, answers) else {
        throw WorkflowFailure(
          .notComparable,
          "the baseline's answers of \(after.name) contain unknown classes or another number of "
            + "frames; write it again with `baseline update`")
      }
      return (scores: SequenceScores(before), lost: LostMoment.all(from: before, to: after))
    }
    return Scored(
      side: GateSide(
        sequences: found.map(\.scores), frameCostRatio: baseline.frameCostRatio),
      lost: LostMoment.sorted(found.flatMap(\.lost)))
  }

  /// A sequence with other answers; nil if they do not fit it.
  private static func outcome(
    _ sequence: SequenceOutcome, _ answers: Baseline.Sequence
  ) -> SequenceOutcome? {
    guard let plank = answers.plank.outcome(.plank, frames: sequence.times.count),
      let form = answers.form.outcome(.form, frames: sequence.times.count)
    else { return nil }
    return SequenceOutcome(
      name: sequence.name, subject: sequence.subject, source: sequence.source,
      tags: sequence.tags, times: sequence.times, truth: sequence.truth, plank: plank, form: form,
      missingFrames: sequence.missingFrames, frameWeight: sequence.frameWeight)
  }

  /// The numbers of one side's answers, for every metric of the catalogue.
  ///
  /// - Parameter progress: takes the progress of the intervals; nil to leave intervals out.
  static func lines(
    _ sequences: [SequenceScores], intervals progress: ProgressReport?
  ) -> [Baseline.Line] {
    let plank = ScoreView(PooledCounts(sequences, .plank))
    let form = ScoreView(PooledCounts(sequences, .form))
    var lines = MetricKey.all.map { key in
      Baseline.Line(key: key, value: (key.stream == .plank ? plank : form).value(key).number)
    }
    guard let progress else { return lines }
    for stream in AnswerStream.allCases {
      let keys = MetricKey.all.filter { $0.stream == stream }
      let found = StreamUncertainty(sequences, stream, keys) {
        progress($0, $1, "\(stream.rawValue) resamples")
      }
      for index in lines.indices {
        guard case .success(let interval) = found.intervals[lines[index].key]?.wider else {
          continue
        }
        lines[index].interval = interval
      }
    }
    return lines
  }
}

extension BaselineAccess {
  /// What a baseline states that does not follow from its answers; empty if all of it does.
  ///
  /// Its facts and the cost per frame follow from nothing else and cannot be checked.
  static func inconsistencies(_ baseline: Baseline, _ side: GateSide) -> [String] {
    let remedy = "it was edited; write it again with `baseline update`"
    let names = baseline.sequences.map(\.name)
    guard !baseline.metrics.isEmpty, Set(names).count == names.count else {
      return ["the baseline lacks its numbers or names a sequence twice: \(remedy)"]
    }
    let known = Set(side.sequences.map(\.name))
    if let stranger = names.first(where: { !known.contains($0) }) {
      return [
        "the baseline has answers for \(stranger), which its dataset does not have: \(remedy)"
      ]
    }
    let subjects = SubjectPools(side.sequences, .plank).subjects.count
    guard baseline.subjects == subjects else {
      return [
        "the baseline says that it is about \(NumberText.count(baseline.subjects, "subject")), but its answers are from "
          + "\(subjects): \(remedy)"
      ]
    }
    guard let metric = wrongMetric(baseline, side) else { return [] }
    return [
      "the baseline's \(metric) does not follow from its answers: it was edited, or this "
        + "planklab counts differently; write it again with `baseline update`"
    ]
  }

  /// The first number that does not follow from the answers.
  private static func wrongMetric(_ baseline: Baseline, _ side: GateSide) -> MetricKey? {
    let found = lines(side.sequences, intervals: nil)
    let values = Dictionary(found.map { ($0.key, $0.value) }) { first, _ in first }
    return baseline.metrics.first { line in
      guard let value = values[line.key] else { return true }
      switch (line.value, value) {
      case (nil, nil): return false
      case (let left?, let right?): return abs(left - right) > 1e-6 * max(1, abs(right))
      default: return true
      }
    }?.key
  }
}

extension Baseline {
  /// How the detector differs from the baseline's, one sentence per difference.
  ///
  /// Answers read from a folder say nothing of their detector.
  func changes(to now: [String: String]) -> [String] {
    var changes: [String] = []
    for key in ["detector", "smoothing", "debounce"] {
      guard let before = facts[key], let after = now[key], before != after else { continue }
      changes.append("\(key) \(before) -> \(after)")
    }
    let (before, after) = (Self.values(facts["parameters"]), Self.values(now["parameters"]))
    for key in Set(before.keys).union(after.keys).sorted() where before[key] != after[key] {
      switch (before[key], after[key]) {
      case (let old?, let new?): changes.append("\(key) \(old) -> \(new)")
      case (nil, let new?): changes.append("\(key) is new: \(new)")
      default: changes.append("\(key) is gone")
      }
    }
    for stream in AnswerStream.allCases {
      let key = "\(stream.rawValue)_rules"
      guard let old = facts[key]?.split(separator: "\n"),
        let new = now[key]?.split(separator: "\n"),
        old != new
      else { continue }
      let gone = old.filter { !new.contains($0) }.map { "- \($0)" }
      let added = new.filter { !old.contains($0) }.map { "+ \($0)" }
      let lines = gone + added
      changes.append(
        "\(stream.rawValue) rules: "
          + (lines.isEmpty ? "another order" : lines.joined(separator: "; ")))
    }
    return changes
  }

  /// Parameters as a baseline keeps them, `sag=0.05m pike=0.1m`, rounded for people.
  private static func values(_ text: String?) -> [String: String] {
    var values: [String: String] = [:]
    for word in text?.split(separator: " ") ?? [] {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let digits = parts[1].prefix { $0.isNumber || "+-.e".contains($0) }
      let unit = parts[1].dropFirst(digits.count)
      let number = Double(digits).map(NumberText.short) ?? String(digits)
      values[String(parts[0])] = unit.isEmpty || unit == "-" ? number : "\(number) \(unit)"
    }
    return values
  }
}

extension Baseline {
  /// The file: strict JSON with one metric or sequence per line, so that reviewers see what moved.
  func text(format: String, schemaVersion: Int) -> String {
    let head: [(String, JSONValue)] = [
      ("format", .string(format)), ("schema_version", .integer(schemaVersion)),
      ("reason", .string(reason)), ("subjects", .integer(subjects)),
      ("frame_cost_ratio", .optional(frameCostRatio)), ("dataset", dataset.json),
    ]
    let lines =
      head.map { "  \(JSONValue.string($0).line): \($1.line)" } + [
        "  \"facts\": {\n"
          + facts.sorted { $0.key < $1.key }
          .map { "    \(JSONValue.string($0).line): \(JSONValue.string($1).line)" }
          .joined(separator: ",\n") + "\n  }",
        list("metrics", metrics.map(\.json)), list("sequences", sequences.map(\.json)),
      ]
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  private func list(_ name: String, _ values: [JSONValue]) -> String {
    "  \"\(name)\": [\n" + values.map { "    " + $0.line }.joined(separator: ",\n") + "\n  ]"
  }
}

extension Baseline.Line {
  fileprivate var json: JSONValue {
    .object([
      "metric": .string("\(key)"), "value": .optional(value), "interval": interval?.json ?? .null,
    ])
  }
}

extension Baseline.Sequence {
  fileprivate var json: JSONValue {
    .object(["name": .string(name), "plank": .string(plank.text), "form": .string(form.text)])
  }
}
