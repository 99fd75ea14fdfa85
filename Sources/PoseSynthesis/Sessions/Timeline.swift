package import PoseModel
import Statistics

struct Timeline {
  struct Moment {
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

  /// Times before the start and after the end belong to the first and the last hold.
  ///
  /// `hint` is the span of an earlier moment; if moments are in time order, each takes O(1).
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

  /// The fraction of the movement's time at which the class changes.
  ///
  /// The class changes in the middle of the leg into or out of a plank, otherwise in the middle of
  /// the movement.
  var change: Double {
    guard from.isPlank != to.isPlank else { return 0.5 }
    let legs = Double(waypoints.count + 1)
    return (to.isPlank ? legs - 0.5 : 0.5) / legs
  }
}

package enum MovementRoute: String, CaseIterable, Hashable, Sendable {
  case direct
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

  /// Returns the first of the shortest routes; one plank follows another directly.
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

struct LabelCollector {
  struct Label: Equatable {
    var plank: PlankClass?
    var form: FormClass?
  }

  private var segments: [LabeledSegment] = []
  private var current: (label: Label, start: Double)?
  private var planks = OnsetFinder<PlankClass>()
  private var forms = OnsetFinder<FormClass>()
  private var onsets: [LabelOnset] = []

  /// `label` is what an observer would be sure of; `truth` is what the script knows, nil for no
  /// class.
  mutating func add(_ label: Label, truth: Label, at time: Double) {
    let plank = planks.onset(label: label.plank, truth: truth.plank, at: time)
    let form = forms.onset(label: label.form, truth: truth.form, at: time)
    for time in Set([plank, form].compactMap(\.self)).sorted() {
      onsets.append(
        LabelOnset(
          time: Seconds(time), plank: plank == time ? label.plank : nil,
          form: form == time ? label.form : nil))
    }
    if let current, current.label == label { return }
    close(at: time)
    current = (label, time)
  }

  mutating func finished(at end: Double) -> LabelTrack {
    close(at: end)
    do {
      return try LabelTrack(segments).adding(onsets)
    } catch {
      preconditionFailure("frames in order give valid segments and onsets: \(error)")
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

/// Finds onsets in frames that the labels leave out.
///
/// The script must know the truth in each of these frames, and the truth must change once, between
/// the classes of the labels around them.
struct OnsetFinder<Class: Equatable> {
  private var before: Class?
  private var change: (to: Class, time: Double)?
  private var isLeftOut = false
  private var changesOnce = true

  mutating func onset(label: Class?, truth: Class?, at time: Double) -> Double? {
    guard let label else {
      isLeftOut = true
      if truth == nil || (change != nil && change?.to != truth) { changesOnce = false }
      if change == nil, let truth, truth != before { change = (truth, time) }
      return nil
    }
    defer {
      before = label
      change = nil
      isLeftOut = false
      changesOnce = true
    }
    guard isLeftOut, changesOnce, before != nil, before != label else { return nil }
    if let change { return change.to == label ? change.time : nil }
    return time
  }
}

/// The rule by which a plank's form is labeled faulty, as a human eye sees it.
///
/// The article says that 3 cm of sag are visible and already cost form; a coach who must answer yes
/// or no says yes only at a little more. A fault is therefore certain from 4 cm plus a guard of 1
/// cm, and absent up to 4 cm minus the guard, for a stature of 1.75 m. In between, the form is left
/// unjudged. The eye sees an angle, so both lengths scale with stature. The offset is the scripted
/// one with drift and recoveries, without sway, tremor and breath.
///
/// People leave movements between postures out of labels, so by default all frames of a movement
/// are ignored. An onset beside the labels gives the time of the true change.
package struct FormCriterion: ScriptParameters {
  package var visibleOffset = Meters(0.04)
  package var guardBand = Meters(0.01)

  /// Half of the fraction of a movement's time that is ignored around the change of class; 0.5
  /// ignores the whole movement.
  package var movementGuard = 0.5

  package init() {}

  package static let section = "criterion"

  package static let fields: [ScriptField<Self>] = [
    .init(
      "visible_offset_m", 0.01...0.15, \.visibleOffset.value,
      "hip offset that is a visible fault, at 1.75 m of stature"),
    .init(
      "guard_band_m", 0...0.05, \.guardBand.value,
      "half-width of the band around it that is left unjudged, at 1.75 m of stature"),
    .init(
      "movement_guard", 0...0.5, \.movementGuard,
      "half the fraction of a movement, around the change of class, that is ignored; 0.5 is all"),
  ]

  package static let limits = [(lower: "guard_band_m", upper: "visible_offset_m")]

  var withoutGuards: FormCriterion {
    var exact = self
    exact.guardBand = Meters(0)
    exact.movementGuard = 0
    return exact
  }

  /// Nil within the guard; `change` is the fraction of the movement's time at which the class
  /// changes.
  func isReached(at progress: Double, change: Double) -> Bool? {
    let distance = progress - change
    return distance.magnitude < movementGuard || movementGuard == 0.5 ? nil : distance >= 0
  }

  /// Judges the form by the hips.
  ///
  /// A spine that sags between straight hips and shoulders, and hips pushed back in a side plank,
  /// are visible faults that are neither sag nor pike: from the lower limit on, they leave the form
  /// unjudged.
  func judge(_ form: FormParameters, height: Meters) -> FormClass? {
    let scale = height.value / 1.75
    let certain = (visibleOffset.value + guardBand.value) * scale
    let absent = (visibleOffset.value - guardBand.value) * scale
    let hip = form.hipOffset.value
    if hip <= -certain { return .sag }
    if hip >= certain { return .pike }
    let others = max(form.lumbarOffset.value.magnitude, form.flexionOffset.value.magnitude)
    return max(hip.magnitude, others) <= absent ? .aligned : nil
  }
}
