package import PoseModel

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

/// From which hip offset on a person who looks on would call a fault.
///
/// The criterion is of the human eye and of the body, not of any detector. The article says that
/// 3 cm of sag are visible and already cost form; a coach who is asked for yes or no says yes a
/// little later. So a fault is certain from 4 cm plus a guard of 1 cm, and absent up to 4 cm less
/// the guard, for a stature of 1.75 m; between them the form is left unjudged. What is seen is an
/// angle, so both lengths scale with stature. The offset is the scripted one with drift and
/// recoveries; sway, tremor and breath are not part of it.
///
/// A movement between postures belongs to the nearer one: the class changes in its middle, where
/// the path of least jerk is halfway. People leave such movements out; so are frames around the
/// middle by default, all of the movement. Then no start of a plank is observed, and latencies
/// cannot be had: a guard of 0 keeps every true start.
package struct FormCriterion: ScriptParameters {
  /// The offset that half of the onlookers would call a fault, at 1.75 m of stature.
  package var visibleOffset = Meters(0.04)
  /// Half of the width of the band in which nothing is claimed, at 1.75 m of stature.
  package var guardBand = Meters(0.01)

  /// Half of the part of a movement's time, around its middle, that is ignored: 0.5 is all of it.
  package var movementGuard = 0.5

  /// 4 cm and 1 cm; movements are ignored.
  package init() {}

  package static let section = "criterion"

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "visible_offset_m", "m", 0.01...0.15, \.visibleOffset.value,
      "hip offset that is a visible fault, at 1.75 m of stature"),
    ScriptField(
      "guard_band_m", "m", 0...0.05, \.guardBand.value,
      "half-width of the band around it that is left unjudged, at 1.75 m of stature"),
    ScriptField(
      "movement_guard", "", 0...0.5, \.movementGuard,
      "half of the part of a movement, around its middle, that is ignored; 0 keeps true starts"),
  ]

  package func validateRelations(in section: String) throws(ScriptError) {
    guard guardBand <= visibleOffset else {
      throw .reversedLimits(
        lower: section + ".guard_band_m", upper: section + ".visible_offset_m")
    }
  }

  /// Whether the posture that a movement leads to counts at a share of its time.
  ///
  /// The posture that is left counts before the middle, that which is reached from it on. nil
  /// within the guard.
  func isReached(at progress: Double) -> Bool? {
    let distance = progress - 0.5
    return distance.magnitude < movementGuard || movementGuard == 0.5 ? nil : distance >= 0
  }

  /// The form of a plank, or nil where it cannot be said.
  ///
  /// Sag and pike are faults of the hips. A spine that sags between straight hips and shoulders,
  /// and hips pushed back across the vertical plane of a side plank, are visible faults that
  /// neither class names: from the lower limit on the form is unjudged.
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
