internal import Evaluation
internal import PoseModel

struct RecordingRibbons: Hashable, Sendable {
  struct Recording: Hashable, Sendable {
    let index: Int
    let name: String
    let seconds: Double
    let truth: [ClassSpan]
    let answers: [ClassSpan]
    let wrong: [Range<Double>]
    let wrongSeconds: Double
    let scoredSeconds: Double
  }

  static let openCount = 12
  private static let width = 1000.0

  let stream: String
  let labels: [String]
  let recordings: [Recording]

  var html: HTML {
    guard !recordings.isEmpty else { return .empty }
    let longest = max(recordings.map(\.seconds).max() ?? 1, 1e-9)
    let scale = Self.width / longest
    let seconds = NumberText.fixed(longest, 3)
    let rows: [HTML] = recordings.map { row($0, scale: scale) }
    let rest = Array(rows.dropFirst(Self.openCount))
    let more: HTML =
      rest.isEmpty
      ? .empty
      : """
      <details><summary>\(NumberText.count(rest.count, "more recording"))</summary>
      <ol class="ribbons" data-seconds="\(seconds)">\(rest)</ol></details>

      """
    return """
      <h3>Every recording: \(stream)</h3>
      <p class="note">Most wrong first; above the truth, below the answers; underlined is wrong.</p>
      \(ClassChip.legend(labels))<ol class="ribbons" data-seconds="\(seconds)">
      \(Array(rows.prefix(Self.openCount)))</ol>
      \(more)
      """
  }

  private func row(_ recording: Recording, scale: Double) -> HTML {
    let what =
      recording.scoredSeconds == 0
      ? "not labeled"
      : recording.wrongSeconds > 0
        ? "\(NumberText.fixed(recording.wrongSeconds, 1)) s wrong" : "✓ right"
    let width = NumberText.fixed(recording.seconds * scale, 1)
    return """
      <li data-recording="\(recording.index)" \
      data-seconds="\(NumberText.fixed(recording.seconds, 3))"><span class="name">\(recording.name)</span>\
      <svg viewBox="0 0 1000 30" preserveAspectRatio="none" aria-hidden="true">\
      <rect class="track" x="0" y="0" width="\(width)" height="24"/>\
      \(recording.truth.map { $0.rect(scale: scale, y: 0, height: 11) })\(recording.answers.map { $0.rect(scale: scale, y: 13, height: 11) })\
      \(recording.wrong.map { mark($0, scale) })</svg>\
      <span class="n\(recording.wrongSeconds > 0 ? " bad" : "")">\(what)</span></li>

      """
  }

  private func mark(_ range: Range<Double>, _ scale: Double) -> HTML {
    "<rect class=\"wrong\" \(ClassSpan.place(range, scale)) y=\"26\" height=\"4\"/>"
  }
}

extension RecordingRibbons {
  /// The ribbons of every stream with a label, or of the plank's answers if there is none.
  static func all(_ runs: [SequenceRun]) -> [RecordingRibbons] {
    let labeled = AnswerStream.allCases.filter { stream in
      runs.contains { $0.outcome.truth.codes(stream).contains(where: FrameTruth.isScored) }
    }
    return (labeled.isEmpty ? [.plank] : labeled).map { RecordingRibbons(runs, $0) }
  }

  private init(_ runs: [SequenceRun], _ stream: AnswerStream) {
    let all = runs.enumerated().map { Recording($1, stream, index: $0) }
    let used = Set(all.flatMap { $0.truth + $0.answers }.map(\.label))
    self.stream = stream.rawValue
    labels = stream.labels.filter(used.contains)
    recordings = all.filter { $0.seconds > 0 }.sorted {
      ($1.wrongSeconds, $0.index) < ($0.wrongSeconds, $1.index)
    }
  }
}

extension RecordingRibbons.Recording {
  fileprivate init(_ run: SequenceRun, _ stream: AnswerStream, index: Int) {
    let outcome = run.outcome
    let truth = outcome.truth.codes(stream)
    let start = outcome.times.first ?? 0
    let end = (outcome.times.last ?? 0) + outcome.frameWeight.value
    let wrong = run.stretches.filter { $0.stream == stream && $0.isWrong }
    self.index = index
    name = outcome.name
    seconds = outcome.times.isEmpty ? 0 : end - start
    self.truth = Self.spans(truth, outcome, end: end) {
      FrameTruth.isScored($0) ? stream.labels[Int($0)] : nil
    }
    answers = Self.spans(outcome[stream].answers, outcome, end: end) { stream.labels[Int($0)] }
    self.wrong = wrong.map { stretch in
      let from = stretch.start.value - start
      return from..<from + max(stretch.duration.value, 1e-9)
    }
    wrongSeconds = wrong.reduce(0) { $0 + $1.duration.value }
    scoredSeconds = run.stretches.reduce(0) { $0 + ($1.stream == stream ? $1.duration.value : 0) }
  }

  private static func spans(
    _ codes: [UInt8], _ outcome: SequenceOutcome, end: Double, _ label: (UInt8) -> String?
  ) -> [ClassSpan] {
    var spans: [ClassSpan] = []
    var first = 0
    for frame in codes.indices where frame + 1 == codes.count || codes[frame + 1] != codes[first] {
      let until = frame + 1 == codes.count ? end : outcome.times[frame + 1]
      if let label = label(codes[first]) {
        let start = outcome.times[0]
        spans.append(
          ClassSpan(
            label: label, range: outcome.times[first] - start..<until - start))
      }
      first = frame + 1
    }
    return spans
  }
}
