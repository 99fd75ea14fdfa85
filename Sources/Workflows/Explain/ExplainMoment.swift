internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reporting

/// Shows why a detector answered as it did at one moment.
package enum ExplainMoment {
  /// Runs the command.
  package static func run(_ request: ExplainRequest) throws(WorkflowFailure) -> Outcome {
    let (definition, parameters) = try request.detector.resolve()
    let context = try RecordingContext(path: request.recording)
    let recording = context.sequence.recording
    let frame = try frame(at: request.time, in: recording, request)
    let detector = try BatchDetector(compiling: definition, parameters)
    let columns = detector.measure(recording, also: .all)
    let answers = detector.detect(
      columns, times: recording.times, startsMid: context.sequence.startsMid)
    let explanation = MomentExplanation(
      context: context, frame: frame, detector: detector, columns: columns, answers: answers)
    return Outcome(
      request.format, usesColor: request.usesColor, json: explanation.json,
      document: explanation.document)
  }

  /// The frame that is shown at a time: the last one not after it, give or take half a
  /// microsecond.
  private static func frame(
    at time: Double, in recording: Recording, _ request: ExplainRequest
  ) throws(WorkflowFailure) -> Int {
    guard let first = recording.times.first, let last = recording.times.last else {
      throw WorkflowFailure(
        .badData, "\(request.recording): has no frame; there is nothing to explain")
    }
    let end = last + recording.frameWeight.value
    guard time.isFinite, time >= first - 5e-7, time <= end else {
      throw WorkflowFailure(
        .usage,
        "--at \(time): the recording runs from \(first) to \(last) s; give a time in between")
    }
    return (recording.times.lastIndex { $0 <= time + 5e-7 }) ?? 0
  }
}
