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

  /// The seconds in which a plank was held, and the longest stretch of them.
  ///
  /// Dropouts, which have no plank, end a stretch only where they last.
  static func holds(_ frames: [SessionFrame], end: Double) -> (total: Double, longest: Double) {
    var (total, longest, current) = (0.0, 0.0, 0.0)
    for (index, frame) in frames.enumerated() {
      let next = index + 1 < frames.count ? frames[index + 1].time.value : end
      let length = min(next - frame.time.value, SmoothingStrategy.largestGap)
      guard let plank = frame.plank else { continue }
      current = plank == .none ? 0 : current + length
      total += plank == .none ? 0 : length
      longest = max(longest, current)
    }
    return (total, longest)
  }
}
