internal import PlankDetection
internal import PoseModel

/// A session that runs over one view of a recording: the truth's or the detector's.
struct SessionRun: Sendable {
  /// What the session saw, in a few words.
  let name: String
  /// Frame by frame.
  let log: SessionLog
  /// What it came to.
  let summary: SessionSummary

  /// Runs a session over frames; the end of the recording finishes it.
  init(
    _ name: String, _ frames: [SessionFrame], end: Double, _ parameters: SessionParameters
  ) throws(WorkflowFailure) {
    self.name = name
    var log = SessionLog(parameters, reservedFrames: frames.count)
    for frame in frames {
      do {
        try log.append(frame)
      } catch {
        throw WorkflowFailure(.badData, "\(error)")
      }
    }
    self.log = log
    summary = log.summary(finishedAt: Seconds(end))
  }
}
