internal import Evaluation
internal import PoseModel

extension EvaluationReport {
  /// The confusion matrices of all recordings and of every listed slice, a row per cell: stream, by
  /// what the slice is made (`all`, `source`, `subject` or `tag:NAME`), its value, label, prediction,
  /// frames and seconds.
  package var csv: String? {
    var lines = ["stream,by,value,label,prediction,frames,seconds"]
    for stream in AnswerStream.allCases {
      let part = self[stream]
      lines += Self.rows(part.view, [stream.rawValue, "all", ""])
      for slice in part.slices.full {
        lines += Self.rows(
          slice.view,
          [stream.rawValue, slice.key.name, slice.value ?? ""].map { PrintableText.of($0) })
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func rows(_ view: ScoreView, _ start: [String]) -> [String] {
    let (frames, seconds) = (view.confusion, view.confusionSeconds)
    return frames.labels.indices.flatMap { truth in
      frames.labels.indices.map { answer in
        let cell = [
          frames.labels[truth], frames.labels[answer], "\(frames[truth, answer])",
          NumberText.shortest(seconds[truth, answer]),
        ]
        return (start + cell).map(CSVText.quoted).joined(separator: ",")
      }
    }
  }
}
