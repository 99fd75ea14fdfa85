package import PoseModel

/// Collects the labels of frames into segments that start at frame times, and the onsets among
/// frames that labels leave out.
struct LabelCollector {
  /// The label of one frame; a nil plank is `ignore`.
  struct Label: Equatable {
    var plank: PlankClass?
    var form: FormClass?
  }

  private var segments: [LabeledSegment] = []
  private var current: (label: Label, start: Double)?
  private var planks = OnsetFinder<PlankClass>()
  private var forms = OnsetFinder<FormClass>()
  private var onsets: [LabelOnset] = []

  /// `label` is what an onlooker would be sure of; `truth` is what the script knows, without guards
  /// (a nil plank or form has no class).
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

  /// `end` is later than the last frame.
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

/// There is an onset if the truth of a stretch is known in every frame and changes once: from the
/// class of the label before it to that of the label after it.
struct OnsetFinder<Class: Equatable> {
  private var before: Class?
  private var change: (to: Class, time: Double)?
  private var isLeftOut = false
  private var changesOnce = true

  /// `label` is nil if the labels leave the frame out; `truth` is the class as the script knows it,
  /// nil if it has none.
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

/// The criterion is that of the human eye and body, not of any detector.
///
/// The article says that 3 cm of sag are visible and already cost form; a coach who must answer yes
/// or no says yes a little later. So a fault is certain from 4 cm plus a guard of 1 cm, and absent
/// up to 4 cm minus the guard, for a stature of 1.75 m; in between, the form is left unjudged. The
/// eye sees an angle, so both lengths scale with stature. The offset is the scripted one with drift
/// and recoveries, without sway, tremor and breath. A movement between postures belongs to the
/// nearer one: the class changes in its middle, where the minimum-jerk path is halfway. In a
/// movement with several legs, through a squat and all fours, it changes in the middle of the leg
/// that leads into the plank or out of it. People leave such movements out of labels, so by default
/// the frames around the change are ignored: all of the movement. The time of the true change is
/// kept beside the labels, as an onset.
package struct FormCriterion: ScriptParameters {
  package var visibleOffset = Meters(0.04)
  package var guardBand = Meters(0.01)

  /// Half of the fraction of a movement's time, around the change of class, that is ignored: 0.5 is
  /// all of the movement.
  package var movementGuard = 0.5

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
      "half the fraction of a movement, around the change of class, that is ignored; 0.5 is all"),
  ]

  package func validateRelations(in section: String) throws {
    guard guardBand <= visibleOffset else {
      throw ScriptError.reversedLimits(
        lower: section + ".guard_band_m", upper: section + ".visible_offset_m")
    }
  }

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

  /// Sag and pike are faults of the hips.
  ///
  /// A spine that sags between straight hips and shoulders, and hips pushed back across the
  /// vertical plane of a side plank, are visible faults that neither class covers: from the lower
  /// limit on, the form is unjudged.
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
