import PoseModel

/// Gathers the labels of frames into segments that begin at frame times.
struct LabelCollector {
  /// The label of one frame; a nil plank is `ignore`.
  struct Label: Equatable {
    var plank: PlankClass?
    var form: FormClass?
  }

  private var segments: [LabeledSegment] = []
  private var current: (label: Label, start: Double)?

  /// Adds a frame.
  mutating func add(_ label: Label, at time: Double) {
    if let current, current.label == label { return }
    close(at: time)
    current = (label, time)
  }

  /// Ends the last segment and gives the track.
  ///
  /// - Parameter end: later than the last frame.
  mutating func finished(at end: Double) -> LabelTrack {
    close(at: end)
    do throws(LabelTrackError) {
      return try LabelTrack(segments)
    } catch {
      preconditionFailure("frames in order give valid segments: \(error)")
    }
  }

  private mutating func close(at time: Double) {
    guard let current else { return }
    segments.append(
      LabeledSegment(
        start: Seconds(current.start), end: Seconds(time), plank: current.label.plank,
        form: current.label.form))
  }
}
