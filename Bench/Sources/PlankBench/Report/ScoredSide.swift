internal import Evaluation
@_spi(Bench) internal import PoseModel

/// A side of a comparison with what it scored: for matrices and classes on a page.
struct ScoredSide: Hashable, Sendable {
  /// How it is called.
  let name: String
  /// What each sequence scored.
  let scores: [SequenceScores]
}

extension [ScoredSide] {
  /// Every side's confusion matrix and classes, stream by stream, for each that has truth.
  ///
  /// - Complexity: 2,000 resamples of the subjects for the intervals of each side.
  var document: Document {
    var document = Document()
    for stream in AnswerStream.allCases {
      let views = map { ScoreView($0.scores, stream) }
      guard views.contains(where: { $0.frameCounts.scored > 0 }) else { continue }
      document.heading("\(stream.rawValue): confusion")
      for (side, view) in zip(self, views) {
        let matrix = Document.Matrix(
          title: stream.rawValue, side: side.name, labels: stream.labels,
          frames: view.confusion.rows, seconds: view.confusionSeconds.rows)
        if let matrix { document.matrix(matrix) }
      }
      document.heading("\(stream.rawValue): classes")
      document.table(classes(stream, views))
      document.paragraph(
        StyledText("Intervals of 95 % resample people; the wider of two methods.", .dim))
    }
    return document
  }

  private func classes(_ stream: AnswerStream, _ views: [ScoreView]) -> Table {
    var table = Table([
      .words("class"), .words("side"), .number("true s"), .number("precision"),
      .number("recall"), .number("F1"), .number("F1, 95 %"),
    ])
    let keys = MetricKey.keys(of: .f1, in: stream)
    let intervals = map { StreamUncertainty($0.scores, stream, keys).intervals }
    for (index, key) in keys.enumerated() {
      for (side, (view, intervals)) in zip(self, zip(views, intervals)) {
        table.row([
          StyledText(key.label ?? "", .strong), StyledText(side.name),
          StyledText(NumberText.fixed(view.confusionSeconds.truthTotal(index), 1)),
          StyledText(view[.precision, key.label].text()),
          StyledText(view[.recall, key.label].text()), StyledText(view.value(key).text()),
          StyledText(intervals[key]?.wider.shortText ?? "none"),
        ])
      }
    }
    return table
  }
}

extension DatasetIdentity {
  /// Name and hashes as a page's provenance lists them, a line each.
  var facts: [StyledText] {
    let split = split.map { ", split \($0)" } ?? ""
    return [
      "dataset: \(name)\(split)", "dataset hash: \(hash)", "poses hash: \(posesHash)",
      "labels hash: \(labelsHash)", "manifest hash: \(manifestHash)",
    ].map { StyledText($0, .dim) }
  }
}
