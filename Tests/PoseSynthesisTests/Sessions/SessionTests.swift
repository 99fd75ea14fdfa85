import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Sessions") struct SessionTests {
  private var script: SessionScript {
    var sag = Hold(.forearm, for: Seconds(3))
    sag.form.hipOffset = Meters(-0.08)
    var script = SessionScript(holds: [
      Hold(.standing, for: Seconds(2)), Hold(.forearm, for: Seconds(3)), sag,
      Hold(.high, for: Seconds(3)), Hold(.tallKneel, for: Seconds(1)),
    ])
    script.subject.height = Meters(1.75)
    return script
  }

  @Test("Labels cover every frame, and times increase")
  func coverage() throws {
    let sequence = try Session.made(script)
    let truth = sequence.labels.truth(at: sequence.recording.times)
    #expect(!truth.plank.contains(FrameTruth.unlabeled))
    #expect(zip(sequence.recording.times, sequence.recording.times.dropFirst()).allSatisfy(<))
    #expect(!sequence.startsMid)
  }

  @Test("Labels begin at frame times and end one interval after the last frame")
  func boundaries() throws {
    let sequence = try Session.made(script)
    let times = Set(sequence.recording.times)
    #expect(sequence.labels.segments.allSatisfy { times.contains($0.start.value) })
    let last = try #require(sequence.recording.times.last)
    let end = try #require(sequence.labels.segments.last).end.value
    #expect((0.02...0.05).contains(end - last))
  }

  @Test("Movements between postures are ignored, corrections within one are not")
  func transitions() throws {
    let segments = try Session.made(script).labels.segments
    let planks = segments.map { $0.plank?.name ?? "ignore" }
    let changes = planks.enumerated().filter { $0 == 0 || planks[$0 - 1] != $1 }.map(\.element)
    #expect(changes == ["none", "ignore", "forearm", "ignore", "high", "ignore", "none"])
    let forms = segments.filter { $0.plank == .forearm }.map(\.form)
    #expect(forms == [.aligned, nil, .sag])
  }

  @Test("Without a guard the class changes halfway into a plank or out of it; nothing is ignored")
  func trueStarts() throws {
    var exact = script
    exact.criterion.movementGuard = 0
    let (wide, narrow) = (try Session.made(script), try Session.made(exact))
    #expect(
      narrow.recording.positions.map(\.bitPattern) == wide.recording.positions.map(\.bitPattern))
    let segments = narrow.labels.segments
    let planks = segments.compactMap { $0.plank?.name }
    #expect(planks.count == segments.count)
    #expect(narrow.labels.onsets.allSatisfy { $0.plank == nil })
    let changes = planks.enumerated().filter { $0 == 0 || planks[$0 - 1] != $1 }
    #expect(changes.map(\.element) == ["none", "forearm", "high", "none"])
    let ignored = wide.labels.segments.filter { $0.plank == nil }
    // Through a squat and all fours, down or up, there are three legs; from plank to plank one.
    for (change, (movement, share)) in zip(
      changes.dropFirst(), zip(ignored, [2.5 / 3, 0.5, 0.5 / 3]))
    {
      let start = segments[change.offset].start.value
      let (from, to) = (movement.start.value, movement.end.value)
      #expect(abs(start - (from + share * (to - from))) <= 0.05)
    }
  }

  @Test("Onsets are where labels without guards change, and every such change has one")
  func onsets() throws {
    var exact = script
    exact.criterion.movementGuard = 0
    exact.criterion.guardBand = Meters(0)
    let labels = try Session.made(script).labels
    let changes = try Session.made(exact).labels.segments
    func starts<Class: Equatable>(_ class: (LabeledSegment) -> Class?) -> [Double] {
      zip(changes, changes.dropFirst()).filter { before, after in
        `class`(before) != nil && `class`(after) != nil && `class`(before) != `class`(after)
      }.map(\.1.start.value)
    }
    let planks = labels.onsets.filter { $0.plank != nil }
    #expect(planks.map(\.time.value) == starts(\.plank))
    #expect(planks.map(\.plank) == [.forearm, .high, PlankClass.none])
    let forms = labels.onsets.filter { $0.form != nil }
    #expect(forms.map(\.time.value) == starts(\.form))
    #expect(forms.map(\.form) == [.sag])
  }

  @Test("A narrow guard ignores the middle of a movement only")
  func narrowGuard() throws {
    var narrow = script
    narrow.criterion.movementGuard = 0.1
    func ignored(_ script: SessionScript) throws -> Double {
      try Session.made(script).labels.segments.filter { $0.plank == nil }
        .reduce(0) { $0 + $1.end.value - $1.start.value }
    }
    let (all, part) = (try ignored(script), try ignored(narrow))
    #expect(abs(part - 0.2 * all) <= 0.2)
  }

  @Test(
    "Form follows the centimeters, with nothing claimed within the guard",
    arguments: [
      (-0.051, FormClass.sag), (-0.049, nil), (-0.031, nil), (-0.029, .aligned), (0, .aligned),
      (0.029, .aligned), (0.04, nil), (0.051, .pike),
    ] as [(Double, FormClass?)])
  func criterion(offset: Double, expected: FormClass?) {
    var form = FormParameters()
    form.hipOffset = Meters(offset)
    let criterion = FormCriterion()
    #expect(criterion.judge(form, height: Meters(1.75)) == expected)
    form.hipOffset = Meters(offset * 2 / 1.75)
    #expect(criterion.judge(form, height: Meters(2)) == expected)
  }

  @Test("A fault that neither class names is left unjudged")
  func otherFaults() {
    var form = FormParameters()
    form.lumbarOffset = Meters(-0.05)
    #expect(FormCriterion().judge(form, height: Meters(1.75)) == nil)
    form = FormParameters()
    form.flexionOffset = Meters(0.08)
    #expect(FormCriterion().judge(form, height: Meters(1.75)) == nil)
    form.hipOffset = Meters(-0.07)
    #expect(FormCriterion().judge(form, height: Meters(1.75)) == .sag)
  }

  @Test("Positions are written to 0.1 mm and times to a microsecond")
  func rounding() throws {
    let recording = try Session.made(script).recording
    for value in recording.positions where value.isFinite {
      let decimal = (Double(value) * 1e4).rounded() / 1e4
      #expect(Float(decimal) == value)
    }
    #expect(recording.times.allSatisfy { ($0 * 1e6).rounded() / 1e6 == $0 })
  }

  @Test("The same script gives the same recording, another seed another one")
  func determinism() throws {
    let (first, second) = (try Session.made(script), try Session.made(script))
    #expect(first.recording.times == second.recording.times)
    #expect(
      first.recording.positions.map(\.bitPattern) == second.recording.positions.map(\.bitPattern))
    #expect(first.labels == second.labels)
    var other = script
    other.seed = 2
    let third = try Session.made(other)
    #expect(
      third.recording.positions.map(\.bitPattern) != first.recording.positions.map(\.bitPattern))
  }

  @Test("A warm device slows down; gaps and jitter keep the order")
  func clock() throws {
    var other = script
    other.clock.rate = Hertz(30)
    other.clock.warmRate = Hertz(10)
    other.clock.warmAfter = Seconds(4)
    other.noise.capture.clockJitter = Seconds(0.02)
    other.noise.capture.clockGapProbability = 0.05
    let times = try Session.made(other).recording.times
    #expect(zip(times, times.dropFirst()).allSatisfy(<))
    let (early, late) = (times.count { $0 < 4 }, times.count { (5..<9).contains($0) })
    #expect((100...121).contains(early))
    #expect((30...41).contains(late))
  }
}

@Suite("Movements between postures") struct MovementTests {
  private func stages(_ from: Posture, _ to: Posture) -> [Posture] {
    Movement(from: from, to: to, route: .stages).waypoints
  }

  @Test("By stages people rise over all fours and one knee, and roll over the side")
  func plausible() {
    #expect(stages(.lyingProne, .standing) == [.allFours, .halfKneel])
    #expect(stages(.standing, .forearm) == [.halfKneel, .allFours])
    #expect(stages(.lyingSupine, .lyingProne) == [.lyingSideLeft])
    #expect(stages(.lyingSideRight, .allFours) == [.sittingSideRight])
    #expect(stages(.forearm, .heelSit) == [.allFours])
    #expect(stages(.sphinx, .forearm) == [])
    #expect(stages(.forearm, .lyingProneArmsFolded) == [])
    #expect(stages(.superman, .high) == [])
  }

  @Test("Every two postures have a way, which passes no plank and leads back as far")
  func everyPair() {
    for from in Posture.allCases {
      for to in Posture.allCases {
        let way = stages(from, to)
        let planks = way.filter { $0.isPlank }
        #expect(planks.isEmpty, "\(from) to \(to)")
        #expect(way.count == stages(to, from).count, "\(from) to \(to)")
        let ends = (Stage(from), Stage(to))
        if ends.0 == ends.1 { #expect(way.isEmpty) }
        #expect(way.count <= 4)
      }
    }
  }

  @Test("The direct route passes a squat and all fours, and only on the way up or down")
  func direct() {
    #expect(Movement(from: .standing, to: .forearm).waypoints == [.squat, .allFours])
    #expect(Movement(from: .lyingProne, to: .standing).waypoints == [.allFours, .squat])
    #expect(Movement(from: .lyingSupine, to: .lyingProne).waypoints == [])
  }

  @Test("By stages no joint sinks into the floor on the way, and some joint touches it")
  func onTheFloor() {
    let postures: [Posture] = [
      .standing, .heelSit, .halfKneel, .allFours, .forearm, .high, .sphinx, .lyingProneArmsFolded,
      .superman, .sittingSideLeft, .sittingSideRight, .lyingSupine, .lyingSideRight,
    ]
    for from in postures {
      for to in postures where from != to {
        let ends = (lowest(from, to, at: 0), lowest(from, to, at: 1))
        for step in 1..<10 {
          let height = lowest(from, to, at: Double(step) / 10)
          #expect(height > 0.005, "\(from) to \(to) at \(step)")
          #expect(height < max(ends.0, ends.1) + 0.09, "\(from) to \(to) at \(step)")
        }
      }
    }
  }

  /// The height of the lowest joint in meters, a fraction of the way from a posture to another.
  private func lowest(_ from: Posture, _ to: Posture, at progress: Double) -> Double {
    var script = SessionScript(holds: [Hold(from, for: Seconds(1)), Hold(to, for: Seconds(1))])
    for index in script.holds.indices { script.holds[index].placement.angleSpread = Degrees(0) }
    let timeline = Timeline(script)
    let poser = BodyPoser(body: Body(script.subject), timeline: timeline, seed: 1, route: .stages)
    let moment = Timeline.Moment(
      from: 0, to: 1, progress: progress, placement: PlacementParameters(), form: FormParameters(),
      isTransition: true)
    let posed = poser.posed(moment, motion: BodyMotion.Moment())
    return posed.rootHeight + (posed.shape.worldJoints(of: poser.body).values.map(\.y).min() ?? 0)
  }

  @Test("A plank from the elbows begins halfway through the movement, as its onset says")
  func onset() throws {
    var script = SessionScript(holds: [
      Hold(.sphinx, for: Seconds(2)), Hold(.forearm, for: Seconds(2)),
      Hold(.sphinx, for: Seconds(2)),
    ])
    script.transitions.route = .stages
    script.transitions.change = Seconds(2)
    let labels = try Session.made(script).labels
    let planks = labels.segments.map { $0.plank?.name ?? "ignore" }
    #expect(planks == ["none", "ignore", "forearm", "ignore", "none"])
    let onsets = labels.onsets.map(\.plank)
    #expect(onsets == [.forearm, PlankClass.none])
    for (onset, expected) in zip(labels.onsets, [3.0, 7.0]) {
      #expect((onset.time.value - expected).magnitude < 0.05)
    }
  }
}

@Suite("Script parameters")
struct ScriptParameterTests {
  @Test("A field beyond its range is named with the range and a remedy")
  func outOfRange() {
    var script = Session.still(.forearm)
    script.camera.distance = Meters(9)
    let error = #expect(throws: ScriptError.self) { try script.validate() }
    #expect(
      error?.description
        == "camera.distance_m is 9.0 m; allowed: 0.6 to 4.0 m; write a number in that range")
  }

  @Test("Holds are named by their place; a number that is not one is out of range")
  func nested() {
    var script = Session.still(.forearm)
    script.holds.append(Hold(.high, for: Seconds(.nan)))
    let error = #expect(throws: ScriptError.self) { try script.validate() }
    #expect(error?.description.hasPrefix("holds[1].duration_s is nan") == true)
  }

  @Test("Form belongs to planks, flexion to side planks, limits to their order")
  func relations() {
    var script = Session.still(.standing)
    script.holds[0].form.hipOffset = Meters(0.05)
    #expect(
      throws: ScriptError.formOfNegative(field: "holds[0].form.hip_offset_m", posture: "standing")
    ) { try script.validate() }
    script = Session.still(.high)
    script.holds[0].form.flexionOffset = Meters(0.05)
    #expect(throws: ScriptError.self) { try script.validate() }
    script = Session.still(.high)
    script.noise.dropouts.burstMinimum = Seconds(5)
    #expect(
      throws: ScriptError.reversedLimits(
        lower: "noise.dropouts.burst_minimum_s", upper: "noise.dropouts.burst_maximum_s")
    ) { try script.validate() }
    script.holds = []
    #expect(throws: ScriptError.noHolds) { try script.validate() }
  }

  private func check<P: ScriptParameters>(_: P.Type) {
    let keys = P.fields.map(\.key)
    #expect(Set(keys).count == keys.count)
    for field in P.fields {
      #expect(field.range.contains(field.defaultValue), "\(P.section).\(field.key)")
      #expect(!field.meaning.isEmpty)
      for end in [field.range.lowerBound, field.range.upperBound] {
        var parameters = P()
        #expect(throws: Never.self) { try parameters.set(field.key, to: end) }
      }
    }
  }

  @Test("Every section's defaults lie in range and its keys are unique")
  func catalogues() {
    check(SubjectParameters.self)
    check(PlacementParameters.self)
    check(FormParameters.self)
    check(DriftParameters.self)
    check(TransitionParameters.self)
    check(MotionParameters.self)
    check(FormCriterion.self)
    check(CameraParameters.self)
    check(ClockParameters.self)
    check(JointNoiseParameters.self)
    check(ConfusionParameters.self)
    check(DropoutParameters.self)
    check(CaptureNoiseParameters.self)
  }
}
