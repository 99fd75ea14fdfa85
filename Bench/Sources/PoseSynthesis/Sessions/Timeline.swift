import PoseModel
import Statistics

/// The holds of a session and the movements between them, laid out in time.
struct Timeline {
  /// What happens at a moment.
  struct Moment {
    /// The hold whose posture is left, and the one that is reached; equal during a hold.
    var from: Int
    var to: Int
    /// The fraction of the movement's time that has passed.
    var progress = 0.0
    /// Placement and form of the posture, if both holds have the same posture.
    var placement: PlacementParameters
    var form: FormParameters
    var fatigue = 0.0
    /// Whether the posture changes: such moments are not labeled.
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

  /// Seconds from the first frame to the end.
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

  /// What happens at `time` seconds; before the start and after the end, the first and last hold.
  ///
  /// - Parameter hint: the span of an earlier moment; moments in order cost O(1).
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

  /// The form with its drift, and the fatigue, at a time within a hold; nil is its end.
  func form(of index: Int, at time: Double?) -> (form: FormParameters, fatigue: Double) {
    let hold = holds[index]
    let time = time ?? hold.duration.value
    var form = hold.form
    form.hipOffset = Meters(form.hipOffset.value + drifts[index].offset(at: time))
    return (form, drifts[index].fatigue(at: time))
  }
}

/// A movement from one posture to another, in legs of equal time.
struct Movement {
  /// The posture that is left.
  let from: Posture
  /// The posture that is reached.
  let to: Posture

  /// The waypoints between standing and the floor: a squat and all fours.
  var waypoints: [Posture] {
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
