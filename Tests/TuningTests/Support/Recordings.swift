import Evaluation
import PlankDetection
import PoseModel
import TestSupport

@testable import Tuning

extension MeasuredSequence {
  /// A recording at an even rate: of as many frames as its measurements have, or of a number.
  init(
    _ name: String, subject: String?, source: String? = nil, rate: Double = 30, frames: Int? = nil,
    startsMid: Bool = false, labels: [LabeledSegment], _ columns: [Measurement: [Float]] = [:]
  ) throws {
    let count = frames ?? columns.values.first?.count ?? 0
    let times = (0..<count).map { Double($0) / rate }
    self.init(
      name: name, subject: subject, source: source, times: times,
      truth: try LabelTrack(labels).truth(at: times), startsMid: startsMid,
      frameWeight: Seconds(1 / rate),
      columns: MeasurementColumns(frameCount: count, columns: columns))
  }

  /// The same frames, as if they were of somebody else or of another source.
  func renamed(_ name: String? = nil, subject: String?, source: String?) -> MeasuredSequence {
    MeasuredSequence(
      name: name ?? self.name, subject: subject, source: source, times: times, truth: truth,
      startsMid: startsMid, frameWeight: frameWeight, columns: columns)
  }

  /// The scores of a detector's answers.
  func scores(of detector: BatchDetector) -> SequenceScores {
    let answers = detector.detect(columns, times: times, startsMid: startsMid)
    func outcome(_ columns: StreamColumns) -> StreamOutcome {
      StreamOutcome(
        answers: columns.answers,
        isDetermined: columns.raw.map { $0 != Debouncer.undetermined }, isHeld: columns.isHeld)
    }
    return SequenceScores(
      SequenceOutcome(
        name: name, subject: subject, source: source, times: times, truth: truth,
        plank: outcome(answers.plank), form: outcome(answers.form), frameWeight: frameWeight))
  }
}
