import PoseModel
import Statistics

struct Timeline {
  struct Moment {
    /// The hold whose posture is left, and the one that is reached; equal during a hold.
    var from: Int
    var to: Int
    var progress = 0.0
    var placement: PlacementParameters
    var form: FormParameters
    var fatigue = 0.0
    var isTransition = false
  }

  private struct Span {
    let from: Int
    let to: Int
    let start: Double
    let end: Double
  }

  let holds: [Hold]
  private let drifts: [FatigueDrift]
  private let spans: [Span]

  var duration: Double { spans.last?.end ?? 0 }

  init(_ script: SessionScript) {
    holds = script.holds
    drifts = script.holds.enumerated().map { index, hold in
      FatigueDrift(
        hold.drift, duration: hold.duration.value,
        stream: RandomStream(seed: script.seed, purpose: "motion.recoveries.\(index)"))
    }
    var spans: [Span] = []
    var time = 0.0
    for (index, hold) in script.holds.enumerated() {
      if index > 0 {
        let moving = script.transitions.duration(
          from: script.holds[index - 1].posture, to: hold.posture)
        spans.append(Span(from: index - 1, to: index, start: time, end: time + moving))
        time += moving
      }
      spans.append(Span(from: index, to: index, start: time, end: time + hold.duration.value))
      time += hold.duration.value
    }
    self.spans = spans
  }

  /// Before the start and after the end, the first and last hold; `hint` is the span of an earlier
  /// moment; moments in order cost O(1).
  func moment(at time: Double, hint: inout Int) -> Moment {
    while hint + 1 < spans.count, spans[hint].end <= time { hint += 1 }
    let span = spans[hint]
    let (form, fatigue) = form(of: span.from, at: span.from == span.to ? time - span.start : nil)
    var moment = Moment(
      from: span.from, to: span.to, placement: holds[span.from].placement, form: form,
      fatigue: fatigue)
    guard span.from != span.to else { return moment }
    moment.progress = (time - span.start) / (span.end - span.start)
    moment.isTransition = holds[span.from].posture != holds[span.to].posture
    if !moment.isTransition {
      let share = MinimumJerk.share(moment.progress)
      let end = self.form(of: span.to, at: 0)
      moment.form = form.blended(to: end.form, share: share)
      moment.placement = moment.placement.blended(to: holds[span.to].placement, share: share)
      moment.fatigue += (end.fatigue - moment.fatigue) * share
    }
    return moment
  }

  func form(of index: Int, at time: Double?) -> (form: FormParameters, fatigue: Double) {
    let hold = holds[index]
    let time = time ?? hold.duration.value
    var form = hold.form
    form.hipOffset = Meters(form.hipOffset.value + drifts[index].offset(at: time))
    return (form, drifts[index].fatigue(at: time))
  }
}

struct Movement {
  let from: Posture
  let to: Posture
  var route = MovementRoute.direct

  var waypoints: [Posture] {
    if route == .stages { return Stage.waypoints(from: from, to: to) }
    guard from.isUpright != to.isUpright else { return [] }
    let onTheWay: [Posture] = from.isUpright ? [.squat, .allFours] : [.allFours, .squat]
    return onTheWay.filter { $0 != from && $0 != to }
  }

  /// The fraction of the movement's time at which the class changes: halfway through the leg into a
  /// plank or out of one; halfway through the movement if neither or both ends are planks.
  var change: Double {
    guard from.isPlank != to.isPlank else { return 0.5 }
    let legs = Double(waypoints.count + 1)
    return (to.isPlank ? legs - 0.5 : 0.5) / legs
  }
}

package enum MovementRoute: String, CaseIterable, Hashable, Sendable {
  /// A squat and all fours between standing and the floor; nothing between other postures.
  case direct
  /// The postures that people pass: they rise over all fours and one knee, roll over the side, sit
  /// up on one hip, and leave a plank by the elbows or the knees.
  case stages
}

enum Stage: CaseIterable {
  case standing, kneeling, fours, plank, elbows, prone, side, sidePlank, seat, back, reverse

  init(_ posture: Posture) {
    switch posture {
    case .forearm, .high: self = .plank
    case .sideLeftElbow, .sideLeftHand, .sideRightElbow, .sideRightHand: self = .sidePlank
    case .reverse: self = .reverse
    case .tallKneel, .heelSit, .halfKneel: self = .kneeling
    case .standing, .armsForward, .oneArmUp, .sideBend, .walking, .chairSit, .squat:
      self = .standing
    case .sphinx, .cobra: self = .elbows
    case .lyingProne, .lyingProneArmsOverhead, .lyingProneHandsByShoulders, .superman,
      .lyingProneArmsFolded, .lyingProneArmsBesideHead, .lowCrawl:
      self = .prone
    case .lyingSideLeft, .lyingSideRight: self = .side
    case .sittingSideLeft, .sittingSideRight, .longSit: self = .seat
    case .lyingSupine, .lyingSupineArmsOverhead, .crunch, .gluteBridge: self = .back
    case .allFours, .crawl, .downwardDog, .childsPose, .pushUpBottom, .kneePlank, .pushUps,
      .kneeForearmPlank, .mountainClimber, .bearCrawl, .birdDog:
      self = .fours
    }
  }

  private var neighbors: [Stage] {
    switch self {
    case .standing: [.kneeling]
    case .kneeling: [.standing, .fours, .seat]
    case .fours: [.kneeling, .plank, .elbows, .prone, .seat]
    case .plank: [.fours, .elbows, .prone, .sidePlank]
    case .elbows: [.prone, .plank, .fours]
    case .prone: [.elbows, .plank, .fours, .side]
    case .side: [.seat, .prone, .back, .sidePlank]
    case .sidePlank: [.seat, .side, .plank]
    case .seat: [.fours, .kneeling, .side, .sidePlank, .back, .reverse]
    case .back: [.seat, .side, .reverse]
    case .reverse: [.seat, .back]
    }
  }

  private func posture(isLeftUp: Bool) -> Posture? {
    switch self {
    case .plank, .sidePlank, .reverse: nil
    case .standing: .standing
    case .kneeling: .halfKneel
    case .fours: .allFours
    case .elbows: .sphinx
    case .prone: .lyingProneHandsByShoulders
    case .side: isLeftUp ? .lyingSideLeft : .lyingSideRight
    case .seat: isLeftUp ? .sittingSideLeft : .sittingSideRight
    case .back: .lyingSupine
    }
  }

  /// Of equal ways the first found; from plank to plank people go straight.
  static func waypoints(from: Posture, to: Posture) -> [Posture] {
    let (start, end) = (Stage(from), Stage(to))
    let rightUp: [Posture] = [.lyingSideRight, .sittingSideRight, .sideRightElbow, .sideRightHand]
    let isLeftUp = !rightUp.contains(from) && !rightUp.contains(to)
    if start == end || (from.isPlank && to.isPlank) { return [] }
    var ways = [[start]]
    var seen: Set<Stage> = [start]
    while !ways.isEmpty {
      let way = ways.removeFirst()
      for next in way[way.count - 1].neighbors where !seen.contains(next) {
        if next == end { return way.dropFirst().compactMap { $0.posture(isLeftUp: isLeftUp) } }
        seen.insert(next)
        if next.posture(isLeftUp: isLeftUp) != nil { ways.append(way + [next]) }
      }
    }
    return []
  }
}
