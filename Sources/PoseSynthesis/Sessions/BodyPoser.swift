import Platform
import PoseModel
import Statistics

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

  /// A minimum-jerk blend: the pelvis and every bone turn along great circles.
  ///
  /// Between two planks one arm moves after the other. By stages the body stays as close to the
  /// floor as its ends are; directly its root's height is blended, and joints may hover.
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
      return Posed(
        shape: shape, rootHeight: dropped + gap(a) + (gap(b) - gap(a)) * share)
    }
    let blended = a.rootHeight + (b.rootHeight - a.rootHeight) * share
    let lowest = shape.worldJoints(of: body).values.map(\.y).min() ?? 0
    return Posed(
      shape: shape, rootHeight: max(blended, 0.02 * body.height.value - lowest))
  }
}
