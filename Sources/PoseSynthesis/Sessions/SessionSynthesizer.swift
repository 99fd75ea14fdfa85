package import PoseModel
import Statistics

/// Everything follows from the script and its seed.
///
/// Each random process has its own stream, drawn in every frame whether used or not, so that
/// switching one off changes no other.
package struct SessionSynthesizer: Sendable {
  package let script: SessionScript

  package init(_ script: SessionScript) throws {
    try script.validate()
    self.script = script
  }

  package func synthesized() -> SynthesizedSequence {
    let errors = script.errors.map { ErrorReplay($0, self.script) }
    let script = errors?.script ?? self.script
    let body = Body(script.subject)
    let timeline = Timeline(script)
    let times =
      errors?.times(duration: timeline.duration)
      ?? FrameClock(
        script.clock, noise: script.noise.capture, duration: timeline.duration, seed: script.seed
      ).times
    let poser = BodyPoser(
      body: body, timeline: timeline, seed: script.seed, route: script.transitions.route)
    var motion = BodyMotion(script.motion, seed: script.seed)
    var capture = Capture(script, body: body, replay: errors)
    var labels = LabelCollector()
    capture.reserveCapacity(times.count)
    var hint = 0
    var last = 0.0
    for time in times {
      let moment = timeline.moment(at: time, hint: &hint)
      var moved = motion.advance(
        by: time - last, fatigue: moment.fatigue, cycleRate: moment.placement.cycleRate)
      if let errors { moved.hip += errors.hipOffset(at: moment, height: body.height) }
      capture.add(
        poser.posed(moment, motion: moved), moment, posture: script.holds[moment.to].posture,
        time: time, step: time - last)
      labels.add(
        label(moment, height: body.height, script.criterion),
        truth: label(moment, height: body.height, script.criterion.withoutGuards), at: time)
      last = time
    }
    let recording = capture.recording
    return SynthesizedSequence(
      name: script.name, recording: recording,
      labels: labels.finished(at: end(of: recording)), subject: script.subject.name,
      tags: script.tags, startsMid: script.holds[0].posture.isPlank)
  }

  private func label(
    _ moment: Timeline.Moment, height: Meters, _ criterion: FormCriterion
  ) -> LabelCollector.Label {
    guard moment.isTransition else { return heldLabel(moment, height: height, criterion) }
    let (from, to) = (script.holds[moment.from].posture, script.holds[moment.to].posture)
    let movement = Movement(from: from, to: to, route: script.transitions.route)
    guard let isReached = criterion.isReached(at: moment.progress, change: movement.change)
    else { return LabelCollector.Label() }
    return LabelCollector.Label(plank: (isReached ? to : from).plankClass)
  }

  private func heldLabel(
    _ moment: Timeline.Moment, height: Meters, _ criterion: FormCriterion
  ) -> LabelCollector.Label {
    let plank = script.holds[moment.from].posture.plankClass
    if plank == .none { return LabelCollector.Label(plank: PlankClass.none) }
    return LabelCollector.Label(plank: plank, form: criterion.judge(moment.form, height: height))
  }

  private func end(of recording: Recording) -> Double {
    let end = (recording.times.last ?? 0) + recording.frameWeight.value
    return (end * 1e6).rounded() / 1e6
  }
}

package struct SynthesizedSequence: Sendable {
  package let name: String
  package let recording: Recording
  /// The truth; it covers every frame in segments that start at frame times, with the onsets among
  /// frames that it leaves out.
  package let labels: LabelTrack
  package let subject: String
  package let tags: [String: String]
  package let startsMid: Bool
}

/// The timestamps of a session: nominal, jittered, with gaps, strictly increasing.
struct FrameClock {
  let times: [Double]

  /// Jitter displaces single timestamps and does not accumulate; it is cut at four tenths of the
  /// shorter neighboring interval, so that no two frames change places.
  ///
  /// A gap drops the next 1 to 3 frames.
  init(_ clock: ClockParameters, noise: CaptureNoiseParameters, duration: Double, seed: UInt64) {
    let jitter = RandomStream(seed: seed, purpose: "clock.jitter")
    let gaps = RandomStream(seed: seed, purpose: "clock.gaps")
    var times: [Double] = []
    times.reserveCapacity(Int(duration * clock.rate.value) + 1)
    var nominal = 0.0
    var shorter = 1 / clock.rate.value
    while nominal < duration {
      let interval = 1 / (nominal < clock.warmAfter.value ? clock.rate : clock.warmRate).value
      let limit = 0.4 * min(shorter, interval)
      shorter = interval
      let shift = jitter.gaussian(standardDeviation: noise.clockJitter.value)
      let time = max(0, nominal + min(max(shift, -limit), limit))
      times.append((time * 1e6).rounded() / 1e6)
      let isGap = gaps.bernoulli(noise.clockGapProbability)
      nominal += interval * (isGap ? 2 + Double(gaps.index(below: 3)) : 1)
    }
    self.times = times
  }
}
