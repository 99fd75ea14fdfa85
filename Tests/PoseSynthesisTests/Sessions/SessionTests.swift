import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Sessions")
struct SessionTests {
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

  @Test("A recording that begins in a plank says so")
  func startsMid() throws {
    #expect(try Session.made(Session.still(.high)).startsMid)
  }
}
