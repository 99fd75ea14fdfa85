import Platform
package import PoseModel
import Statistics

/// Synthesizes a session from its script and seed.
///
/// Each random process has its own random stream, from which numbers are drawn in each frame,
/// whether they are used or not. Switching one process off therefore does not change the others.
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
      name: script.name, recording: recording, labels: labels.finished(at: end(of: recording)),
      subject: script.subject.name, tags: script.tags, startsMid: script.holds[0].posture.isPlank)
  }

  private func label(
    _ moment: Timeline.Moment, height: Meters, _ criterion: FormCriterion
  ) -> LabelCollector.Label {
    guard moment.isTransition else {
      let plank = script.holds[moment.from].posture.plankClass
      let form = plank == .none ? nil : criterion.judge(moment.form, height: height)
      return LabelCollector.Label(plank: plank, form: form)
    }
    let (from, to) = (script.holds[moment.from].posture, script.holds[moment.to].posture)
    let movement = Movement(from: from, to: to, route: script.transitions.route)
    guard let isReached = criterion.isReached(at: moment.progress, change: movement.change)
    else { return LabelCollector.Label() }
    return LabelCollector.Label(plank: (isReached ? to : from).plankClass)
  }

  private func end(of recording: Recording) -> Double {
    let end = (recording.times.last ?? 0) + recording.frameWeight.value
    return (end * 1e6).rounded() / 1e6
  }
}

package struct SynthesizedSequence: Sendable {
  package let name: String
  package let recording: Recording
  package let labels: LabelTrack
  package let subject: String
  package let tags: [String: String]
  package let startsMid: Bool
}

struct FrameClock {
  let times: [Double]

  /// Jitter displaces single timestamps by at most four tenths of the shorter neighboring interval,
  /// so that frames keep their order.
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

struct BodyPoser {
  struct Posed {
    var shape: BodyShape
    var rootHeight: Double
  }

  let body: Body
  private let timeline: Timeline
  private let route: MovementRoute
  private let variations: [JointAngles]

  init(body: Body, timeline: Timeline, seed: UInt64, route: MovementRoute = .direct) {
    self.body = body
    self.timeline = timeline
    self.route = route
    variations = timeline.holds.enumerated().map { index, hold in
      JointAngles.variation(
        spread: hold.placement.angleSpread,
        stream: RandomStream(seed: seed, purpose: "posture.\(index)"))
    }
  }

  func posed(_ moment: Timeline.Moment, motion: BodyMotion.Moment) -> Posed {
    guard moment.isTransition else {
      return posed(
        timeline.holds[moment.from].posture, variation: variations[moment.from],
        placement: moment.placement, form: moment.form, motion: motion)
    }
    let ends = [end(moment.from, at: nil, motion: motion), end(moment.to, at: 0, motion: motion)]
    let (from, to) = (timeline.holds[moment.from].posture, timeline.holds[moment.to].posture)
    let onTheWay = Movement(from: from, to: to, route: route).waypoints.map {
      posed(
        $0, variation: JointAngles(), placement: PlacementParameters(), form: FormParameters(),
        motion: motion)
    }
    let stops = [ends[0]] + onTheWay + [ends[1]]
    let way = moment.progress * Double(stops.count - 1)
    let leg = min(Int(way), stops.count - 2)
    let armsApart = from.isPlank && to.isPlank
    return blend(stops[leg], stops[leg + 1], progress: way - Double(leg), armsApart: armsApart)
  }

  private func end(_ index: Int, at time: Double?, motion: BodyMotion.Moment) -> Posed {
    let hold = timeline.holds[index]
    return posed(
      hold.posture, variation: variations[index], placement: hold.placement,
      form: timeline.form(of: index, at: time).form, motion: motion)
  }

  private func posed(
    _ posture: Posture, variation: JointAngles, placement: PlacementParameters,
    form: FormParameters, motion: BodyMotion.Moment
  ) -> Posed {
    guard let stance = PlankStance(posture) else {
      var free = posture.free(phase: motion.phase, lean: placement.trunkLean)
      free.angles = free.angles + variation
      let hipHeight = 0.53 * body.height.value
      let (shape, height) = free.settled(
        body: body, extraPitch: Degrees(radians: motion.lean / hipHeight),
        extraRoll: Degrees(radians: motion.across / hipHeight))
      return Posed(shape: shape, rootHeight: height)
    }
    var (placement, form) = (placement, form)
    form.hipOffset = Meters(form.hipOffset.value + motion.hip)
    let reach = ArmReach(body: body, stance: stance, placement: placement).shoulderHeight
    placement.supportTilt = placement.supportTilt + Degrees(radians: motion.lean / reach)
    if posture.isSidePlank {
      placement.roll = placement.roll + Degrees(radians: motion.across / reach)
    }
    let solver = PlankSolver(
      body: body, stance: stance, placement: placement, form: form, breathing: motion.spine)
    var (shape, height) = solver.solved()
    let mover = LimbMover(body: body)
    if posture.isSidePlank, placement.feet != .apart {
      let lower: BodySide = posture.plankClass == .sideLeft ? .right : .left
      shape = mover.feet(shape, placement.feet, lower: lower)
    }
    let activity = posture.isPlank ? placement.activity : posture.activity
    shape = mover.moved(shape, activity, phase: motion.phase)
    return Posed(shape: shape, rootHeight: height)
  }

  /// On the route by stages, the body stays as close to the floor as the postures at both ends; on
  /// the direct route, joints may hover.
  private func blend(_ a: Posed, _ b: Posed, progress: Double, armsApart: Bool) -> Posed {
    let share = MinimumJerk.share(progress)
    let early = armsApart ? MinimumJerk.share(progress * 1.6) : share
    let late = armsApart ? MinimumJerk.share(progress * 1.6 - 0.6) : share
    var shape = a.shape
    shape.orientation =
      Quaternion(a.shape.orientation)
      .turned(to: Quaternion(b.shape.orientation), share: share).rotation
    for bone in Bone.allCases {
      let own: Double
      switch bone {
      case .leftUpperArm, .leftForearm: own = early
      case .rightUpperArm, .rightForearm: own = late
      default: own = share
      }
      shape[bone] = a.shape[bone].turned(to: b.shape[bone], share: own, through: .unitZ)
    }
    if route == .stages {
      func gap(_ posed: Posed) -> Double {
        posed.rootHeight - FreePosture.droppedHeight(posed.shape, body: body)
      }
      let dropped = FreePosture.droppedHeight(shape, body: body)
      return Posed(shape: shape, rootHeight: dropped + gap(a) + (gap(b) - gap(a)) * share)
    }
    let blended = a.rootHeight + (b.rootHeight - a.rootHeight) * share
    let lowest = shape.worldJoints(of: body).values.map(\.y).min() ?? 0
    return Posed(shape: shape, rootHeight: max(blended, 0.02 * body.height.value - lowest))
  }
}
