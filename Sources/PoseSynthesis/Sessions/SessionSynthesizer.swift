import PoseModel
import Statistics

/// Turns a session script into a labeled recording.
///
/// Everything follows from the script and its seed. Each random process has a stream of its own,
/// drawn for every frame whether it shows or not, so that switching one off changes no other.
package struct SessionSynthesizer: Sendable {
  /// The script, checked.
  package let script: SessionScript

  /// Checks a script and keeps it.
  ///
  /// - Throws: `ScriptError` naming the first field that is wrong, what is allowed and the remedy.
  package init(_ script: SessionScript) throws(ScriptError) {
    try script.validate()
    self.script = script
  }

  /// Makes the recording and its labels.
  ///
  /// - Complexity: O(frames).
  package func synthesized() -> SynthesizedSequence {
    let body = Body(script.subject)
    let timeline = Timeline(script)
    let clock = FrameClock(
      script.clock, noise: script.noise.capture, duration: timeline.duration, seed: script.seed)
    let poser = BodyPoser(body: body, timeline: timeline, seed: script.seed)
    var motion = BodyMotion(script.motion, seed: script.seed)
    var capture = Capture(script, body: body)
    var labels = LabelCollector()
    capture.reserveCapacity(clock.times.count)
    var hint = 0
    var last = 0.0
    for time in clock.times {
      let moment = timeline.moment(at: time, hint: &hint)
      let moved = motion.advance(
        by: time - last, fatigue: moment.fatigue, cycleRate: moment.placement.cycleRate)
      let posture = script.holds[moment.to].posture
      capture.add(
        poser.posed(moment, motion: moved), posture: posture, time: time, step: time - last)
      labels.add(label(moment, height: body.height), at: time)
      last = time
    }
    let recording = capture.recording
    return SynthesizedSequence(
      name: script.name, recording: recording,
      labels: labels.finished(at: end(of: recording)), subject: script.subject.name,
      tags: script.tags, startsMid: script.holds[0].posture.isPlank)
  }

  private func label(_ moment: Timeline.Moment, height: Meters) -> LabelCollector.Label {
    if moment.isTransition { return LabelCollector.Label() }
    let plank = script.holds[moment.from].posture.plankClass
    if plank == .none { return LabelCollector.Label(plank: PlankClass.none) }
    return LabelCollector.Label(
      plank: plank, form: script.criterion.judge(moment.form, height: height))
  }

  /// The end of the last frame, to the microsecond.
  private func end(of recording: Recording) -> Double {
    let end = (recording.times.last ?? 0) + recording.frameWeight.value
    return (end * 1e6).rounded() / 1e6
  }
}
