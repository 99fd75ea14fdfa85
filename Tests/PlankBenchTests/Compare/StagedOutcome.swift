import Evaluation
import PoseModel

extension SequenceOutcome {
  /// The answers of frames that count a tenth of a second each, beside labels.
  init(
    _ name: String = "q", of subject: String? = "s", tags: [String: String] = [:], times: [Double],
    _ labels: [LabeledSegment], plank: [PlankClass], form: [FormClass]? = nil
  ) throws {
    let form = form ?? times.map { _ in .aligned }
    self.init(
      name: name, subject: subject, tags: tags, times: times,
      truth: try LabelTrack(labels).truth(at: times),
      plank: StreamOutcome(answers: plank.map(\.code)),
      form: StreamOutcome(answers: form.map(\.code)), frameWeight: Seconds(0.1))
  }
}
