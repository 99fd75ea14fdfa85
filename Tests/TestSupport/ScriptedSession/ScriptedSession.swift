package import PoseModel

/// A script of postures in time that becomes a recording and its labels.
///
/// Transitions are labeled `ignore`. Label boundaries are frame times, and the last one lies a
/// frame interval after the last frame.
package struct ScriptedSession: Hashable, Sendable {
  /// Who moves.
  package var body: ScriptedBody
  /// The phases, in order.
  package var phases: [ScriptedPhase]
  /// How often a frame is taken.
  package var rate: Hertz
  /// When joints or poses are missing.
  package var dropouts: [ScriptedDropout]
  /// The noise, if any.
  package var jitter: ScriptedJitter?
  /// Who it is, for the header.
  package var subject: String?

  /// Makes a session.
  package init(
    _ body: ScriptedBody, rate: Hertz, dropouts: [ScriptedDropout] = [],
    jitter: ScriptedJitter? = nil, subject: String? = nil, phases: [ScriptedPhase]
  ) {
    precondition(!phases.isEmpty, "a session has at least one phase")
    self.body = body
    self.rate = rate
    self.dropouts = dropouts
    self.jitter = jitter
    self.subject = subject
    self.phases = phases
  }

  /// The frames in world axes.
  package var frames: [ScriptedFrame] {
    let timeline = ScriptedTimeline(self)
    var random = SplitMix64(seed: jitter?.seed ?? 0)
    return times.map { time in
      var joints = timeline.joints(at: time)
      if let deviation = jitter?.deviation.value {
        for joint in Skeleton.vision3d.joints {
          joints[joint] = joints[joint].map { $0 + random.normalVector(deviation) }
        }
      }
      let active = dropouts.filter { $0.contains(time) }
      return ScriptedFrame(
        time: Seconds(time), joints: joints, missingJoints: Set(active.flatMap(\.joints)),
        isMissing: active.contains(where: \.joints.isEmpty))
    }
  }

  /// The truth, each label from its first frame to the first frame of the next, and when classes
  /// began on the ways that the labels leave out.
  package var labels: LabelTrack {
    let timeline = ScriptedTimeline(self)
    let times = times
    var segments: [LabeledSegment] = []
    for time in times {
      let label = timeline.label(at: time)
      if let last = segments.last, last.plank == label?.posture.truth, last.form == label?.form {
        continue
      }
      if !segments.isEmpty { segments[segments.count - 1].end = Seconds(time) }
      segments.append(
        LabeledSegment(
          start: Seconds(time), end: Seconds(.infinity), plank: label?.posture.truth,
          form: label?.form))
    }
    segments[segments.count - 1].end = Seconds(microseconds(times.count))
    do {
      return try LabelTrack(segments).adding(onsets(between: segments))
    } catch {
      preconditionFailure("a script gives sorted segments: \(error)")
    }
  }

  /// For every way between two labels, when the class of the second began.
  private func onsets(between segments: [LabeledSegment]) -> [LabelOnset] {
    let timeline = ScriptedTimeline(self)
    return zip(segments.dropLast(2), segments.dropFirst(2)).compactMap { before, after in
      guard before.plank != nil, after.plank != nil, before.end < after.start else { return nil }
      let times = times.filter { before.end.value <= $0 && $0 < after.start.value }
      let end = after.start.value
      let plank = Self.onset(
        from: before.plank, to: after.plank, times.map { ($0, timeline.truth(at: $0).plank) }, end)
      let form = Self.onset(
        from: before.form, to: after.form, times.map { ($0, timeline.truth(at: $0).form) }, end)
      guard let time = plank ?? form else { return nil }
      return LabelOnset(
        time: Seconds(time), plank: plank == nil ? nil : after.plank,
        form: form == nil ? nil : after.form)
    }
  }

  /// The time from which on a second class was there, if before it only the first one was.
  private static func onset<Class: Equatable>(
    from before: Class?, to after: Class?, _ truth: [(time: Double, class: Class?)], _ end: Double
  ) -> Double? {
    guard let before, let after, before != after else { return nil }
    let start = truth.firstIndex { $0.class == after } ?? truth.count
    guard truth[..<start].allSatisfy({ $0.class == before }),
      truth[start...].allSatisfy({ $0.class == after })
    else { return nil }
    return start < truth.count ? truth[start].time : end
  }

  /// The frame times: multiples of the frame interval, rounded to microseconds.
  package var times: [Double] {
    let duration = ScriptedTimeline(self).duration
    var times = [0.0]
    while microseconds(times.count) < duration { times.append(microseconds(times.count)) }
    return times
  }

  /// The time of a frame: the `Double` nearest to its six decimals.
  private func microseconds(_ frame: Int) -> Double {
    (Double(frame) * 1e6 / rate.value).rounded() / 1e6
  }
}
