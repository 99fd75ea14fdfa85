package import Evaluation
internal import PoseModel
internal import Statistics

package struct ScoredSide: Hashable, Sendable, Codable {
  package let name: String
  fileprivate(set) var streams: PerStream<StreamScore>

  /// - Complexity: 2,000 resamples of the subjects per stream, for the intervals.
  package init(name: String, scores: [SequenceScores]) {
    self.name = name
    streams = PerStream { StreamScore(scores, $0) }
  }

  struct StreamScore: Hashable, Sendable, Codable {
    let frames: ConfusionMatrix<Int>
    let seconds: ConfusionMatrix<Double>
    let scored: Seconds?
    fileprivate(set) var change: [[Double]]?
    let classes: [ClassScore]

    private enum CodingKeys: String, CodingKey {
      case frames = "confusion_frames"
      case seconds = "confusion_s"
      case scored = "scored_s"
      case change = "confusion_change_s"
      case classes
    }

    fileprivate init(_ scores: [SequenceScores], _ stream: AnswerStream) {
      let view = ScoreView(scores, stream)
      let keys = MetricKey.keys(of: .f1, in: stream)
      let intervals = StreamUncertainty(scores, stream, keys).intervals
      frames = view.confusion
      seconds = view.confusionSeconds
      scored = Seconds(view.confusionSeconds.total)
      classes = keys.enumerated().compactMap { index, key in
        guard let label = key.label, let interval = intervals[key]?.wider else { return nil }
        return ClassScore(
          label: label, trueTime: Seconds(view.confusionSeconds.truthTotal(index)),
          precision: view[.precision, label], recall: view[.recall, label], f1: view[.f1, label],
          f1Interval: interval)
      }
    }

    fileprivate func matrix(_ stream: AnswerStream, of side: String) -> Document.Matrix? {
      Document.Matrix(
        title: stream.rawValue, side: side, labels: frames.labels, frames: frames.rows,
        seconds: seconds.rows)
    }

    var hasTruth: Bool { frames.total > 0 }
  }

  struct ClassScore: Hashable, Sendable, Codable {
    let label: String
    let trueTime: Seconds
    let precision: MetricValue
    let recall: MetricValue
    let f1: MetricValue
    let f1Interval: IntervalValue

    private enum CodingKeys: String, SnakeCaseKey {
      case label = "class"
      case trueTime = "true_s"
      case precision, recall, f1, f1Interval
    }
  }
}

extension ScoredSide.StreamScore {
  func growth(since other: ScoredSide.StreamScore) -> String? {
    guard seconds.labels == other.seconds.labels else { return nil }
    let (labels, before) = (seconds.labels, other.seconds)
    func added(_ cell: (truth: Int, answer: Int)) -> Double {
      seconds[cell.truth, cell.answer] - before[cell.truth, cell.answer]
    }
    guard let most = seconds.wrongCells.max(by: { added($0) < added($1) }),
      added(most) >= ChangeMatrix.least
    else { return nil }
    let never =
      seconds[most.truth, most.truth] == 0
      ? "; `\(labels[most.truth])` is never answered correctly" : ""
    return "\(NumberText.fixed(added(most), 1)) s more of `\(labels[most.truth])` answered as "
      + "`\(labels[most.answer])`\(never)"
  }
}

extension [ScoredSide] {
  func matrices(of side: String, minus other: String) -> [HTML] {
    guard let own = first(where: { $0.name == side }) else { return [] }
    return AnswerStream.allCases.compactMap { stream in
      let score = own.streams[stream]
      guard score.hasTruth, let matrix = score.matrix(stream, of: side) else { return nil }
      let table = Document([.matrix(matrix)]).html
      return "<div data-minus=\"\(other)\">\(table)</div>\n"
    }
  }

  package func compared(with reference: String) -> [ScoredSide] {
    guard let first = self.first(named: reference) else { return self }
    return map { side in
      guard side.name != reference else { return side }
      var side = side
      for stream in AnswerStream.allCases {
        let (own, other) = (side.streams[stream].seconds, first.streams[stream].seconds)
        side.streams[stream].change = zip(own.rows, other.rows).map { zip($0, $1).map { $0 - $1 } }
      }
      return side
    }
  }

  var document: Document {
    var document = Document()
    for stream in AnswerStream.allCases where contains(where: { $0.streams[stream].hasTruth }) {
      document.heading("\(stream.rawValue): confusion")
      for side in self {
        let matrix = side.streams[stream].matrix(stream, of: side.name)
        if let matrix { document.matrix(matrix) }
      }
      document.heading("\(stream.rawValue): classes")
      document.table(classes(stream))
      document.paragraph(
        "The 95 % intervals resample people; the wider of two methods' intervals is shown.", .dim)
    }
    return document
  }

  private func classes(_ stream: AnswerStream) -> Table {
    var table = Table()
    for label in stream.labels {
      for side in self {
        for score in side.streams[stream].classes where score.label == label {
          table.row {
            $0.words("class", label, .strong)
            $0.words("side", side.name)
            $0.number("true s", score.trueTime.value, 1)
            $0.number("precision", score.precision.text())
            $0.number("recall", score.recall.text())
            $0.number("F1", score.f1.text())
            $0.number("F1, 95 %", score.f1Interval.shortText)
          }
        }
      }
    }
    return table
  }
}
