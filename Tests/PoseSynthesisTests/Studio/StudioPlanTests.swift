import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Studio plans") struct StudioPlanTests {
  /// One pass through all tasks by 12 people, whatever the frames.
  static let plan: Result<StudioPlan, any Error> = Result {
    try StudioPlan(StudioParameters(preset: .phone, subjects: 12, seed: 11, frames: 1000))
  }

  private func plan() throws -> StudioPlan { try Self.plan.get() }

  /// A fingerprint of everything in a sequence that is written to files.
  private func fingerprint(_ sequence: SynthesizedSequence) -> Int {
    var hasher = Hasher()
    hasher.combine(sequence.name)
    hasher.combine(sequence.recording.header)
    hasher.combine(sequence.recording.times)
    for value in sequence.recording.positions { hasher.combine(value.bitPattern) }
    hasher.combine(sequence.labels)
    hasher.combine(sequence.tags)
    return hasher.finalize()
  }

  @Test("Any order and any number of tasks give the same sequences")
  func order() async throws {
    let plan = try plan()
    let forward = try (0..<24).map { fingerprint(try plan.generate($0)) }
    let backward = try (0..<24).reversed().map { fingerprint(try plan.generate($0)) }
    #expect(forward == backward.reversed())
    let parallel = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for index in 0..<24 { group.addTask { (index, self.fingerprint(try plan.generate(index))) } }
      return try await group.reduce(into: Array(repeating: 0, count: 24)) { $0[$1.0] = $1.1 }
    }
    #expect(forward == parallel)
  }

  @Test("A longer plan begins with the shorter one")
  func prefix() throws {
    let short = try plan()
    var parameters = short.parameters
    parameters.frames = short.frameCount + 5000
    let long = try StudioPlan(parameters)
    #expect(long.count > short.count)
    #expect(Array(long.scripts.prefix(short.count)) == short.scripts)
    #expect(long.frameCount >= parameters.frames)
  }

  @Test("Twelve people cover every class, form and hard negative in the truth")
  func truthCoverage() throws {
    let plan = try plan()
    var planks: Set<String> = []
    var forms: Set<String> = []
    var subjects: Set<String> = []
    var starts: Set<Bool> = []
    for index in 0..<plan.count {
      let sequence = try plan.generate(index)
      subjects.insert(sequence.subject)
      starts.insert(sequence.startsMid)
      for segment in sequence.labels.segments {
        planks.insert(segment.plank?.name ?? "ignore")
        if let form = segment.form, let plank = segment.plank {
          forms.insert("\(plank.name) \(form.name)")
        }
      }
      let truth = sequence.labels.truth(at: sequence.recording.times)
      #expect(!truth.plank.contains(FrameTruth.unlabeled))
    }
    #expect(planks == Set(PlankClass.allCases.map(\.name) + ["ignore"]))
    #expect(forms.count == 5 * 3)
    #expect(subjects.count == 12)
    #expect(starts == [true, false])
    let negatives = Set(plan.scripts.compactMap { $0.tags["hard_negative"] })
    #expect(negatives == Set(Posture.textbook.filter(\.isHardNegative).map(\.rawValue)))
  }

  @Test("The everyday program adds exercises, planks in motion, phones on the floor and nudges")
  func everyday() throws {
    var parameters = StudioParameters(preset: .mediapipe, subjects: 12, seed: 11, frames: 1000)
    parameters.program = .everyday
    let scripts = try StudioPlan(parameters).scripts
    func found(_ key: String) -> Set<String> { Set(scripts.compactMap { $0.tags[key] }) }
    #expect(
      found("hard_negative") == Set(Posture.allCases.filter(\.isHardNegative).map(\.rawValue)))
    #expect(found("activity") == ["jacks", "shoulderTaps", "legLifts"])
    let tasks: Set = ["plank", "fatigue", "flow", "collapse", "moving", "sets", "negative"]
    #expect(found("task") == tasks)
    let routes = Set(scripts.map(\.transitions.route))
    #expect(routes == [.stages])
    #expect(found("feet") == ["apart", "stacked", "staggered"])
    #expect(found("stands") == ["floor", "above"] && found("nudged") == ["true", "false"])
    #expect(found("room") == ["empty", "bystander", "mirror"])
    #expect(found("declared") == ["true", "false"] && found("buffer_rotation") == ["0", "270"])
    let upright = scripts.count { $0.camera.orientation == .portrait }
    #expect((0.6...0.9).contains(Double(upright) / Double(scripts.count)))
  }

  @Test(
    "Whatever a plan draws is valid, for people of any stature",
    arguments: NoisePreset.allCases, StudioProgram.allCases)
  func neverRefused(preset: NoisePreset, program: StudioProgram) throws {
    var parameters = StudioParameters(preset: preset, subjects: 60, seed: 7)
    parameters.program = program
    for index in 0..<2 * StudioTask.all(program).count {
      try StudioDirector(parameters, index: index).script().validate()
    }
  }

  // With seed 3 a person of 2.05 m draws a shoulder offset of -4.4 cm, beyond the range.
  @Test(
    "The tallest and the shortest person can take every task",
    arguments: [1.45, 2.05], StudioProgram.allCases)
  func extremes(height: Double, program: StudioProgram) throws {
    var parameters = StudioParameters(preset: .clean, seed: 3)
    parameters.program = program
    parameters.overrides = [
      ScriptAssignment(section: "subject", key: "height_m", value: .number(height))
    ]
    for index in 0..<2 * StudioTask.all(program).count {
      try StudioDirector(parameters, index: index).script().validate()
    }
  }

  @Test("Sets are two to five holds, and people get ready, let go and rest between them")
  func sets() throws {
    var parameters = StudioParameters(preset: .clean, seed: 11)
    parameters.program = .everyday
    let scripts = try (0..<StudioTask.everyday.count).map {
      try StudioDirector(parameters, index: $0).script()
    }.filter { $0.tags["task"] == "sets" }
    #expect(scripts.count == 12)
    var between: Set<Posture> = []
    for script in scripts {
      let postures = script.holds.map(\.posture)
      let starts = postures.indices.filter {
        postures[$0].isPlank && ($0 == 0 || !postures[$0 - 1].isPlank)
      }
      #expect((2...5).contains(starts.count))
      #expect(postures.last?.isPlank == false)
      between.formUnion(postures.filter { !$0.isPlank })
    }
    #expect(between.isSuperset(of: [.sphinx, .kneeForearmPlank, .heelSit, .allFours]))
    #expect(!between.isDisjoint(with: [.sittingSideLeft, .sittingSideRight]))
  }

  @Test("People of the everyday program have the proportions that real sources show")
  func everydayBodies() throws {
    var parameters = StudioParameters(preset: .mediapipe, subjects: 60, seed: 5)
    parameters.program = .everyday
    let scripts = try (0..<60).map { try StudioDirector(parameters, index: $0).script() }
    let (arms, ankles) = (scripts.map(\.subject.upperArm), scripts.map(\.subject.tuckedAnkle))
    #expect((moments(arms).mean - 0.157).magnitude < 0.004)
    #expect((moments(ankles).mean - 0.09).magnitude < 0.006)
    let skeletons = Set(scripts.map(\.output.skeleton))
    #expect(skeletons == [.anatomical])
    #expect(StudioCast.subject(3, of: 12, seed: 5).upperArm == SubjectParameters().upperArm)
  }

  @Test(
    "Every factor has all of its levels, in tags",
    arguments: [
      ("distance_m", 4), ("rate_hz", 4), ("orientation", 4), ("camera_position", 2),
      ("buffer", 2), ("mirrored", 2), ("view", 8), ("camera_height_m", 4), ("recording", 2),
      ("height_estimation", 2), ("skeleton", 2), ("gravity", 2), ("aim", 2), ("class", 6),
      ("fault", 7), ("task", 5), ("sex", 2), ("free_arm", 3), ("warm", 2), ("noise", 1),
    ])
  func tags(key: String, levels: Int) throws {
    let found = Set(try plan().scripts.compactMap { $0.tags[key] })
    #expect(found.count == levels, "\(found.sorted())")
  }

  @Test("A plan without people or frames is refused", arguments: [(0, 10), (3, 0)])
  func refused(subjects: Int, frames: Int) {
    #expect(throws: ScriptError.self) {
      try StudioPlan(StudioParameters(preset: .clean, subjects: subjects, frames: frames))
    }
  }

  @Test("In everyday sessions elbows and toes stay where they are when hips rise")
  func contacts() throws {
    var parameters = StudioParameters(preset: .clean, seed: 11, frames: 1000)
    parameters.program = .everyday
    let plan = try StudioPlan(parameters)
    let isPiked: (SessionScript) -> Bool = {
      $0.tags["task"] == "plank" && $0.tags["fault"] == "pike" && $0.tags["posture"] == "forearm"
    }
    var script = try #require(plan.scripts.first(where: isPiked))
    let holds = script.holds.filter { $0.posture == .forearm }
    func span(_ hold: Hold) throws -> Double {
      script.holds = [hold]
      script.holds[0].duration = Seconds(1)
      script.holds[0].placement.forearmTurn = Degrees(0)
      script.motion = .still
      script.output = Session.still(.forearm).output
      script.camera = CameraParameters()
      let frame = try #require(WorldFrame(try Session.made(script).recording, script, frame: 0))
      let way = frame.middle(.leftElbow, .rightElbow) - frame.ankles
      return (way.x * way.x + way.z * way.z).squareRoot()
    }
    #expect(holds[1].form.hipOffset.value > 0.1)
    #expect((try span(holds[1]) - span(holds[0])).magnitude < 0.03)
  }
}

extension StudioPlan {
  fileprivate var count: Int { scripts.count }

  fileprivate func generate(_ index: Int) throws -> SynthesizedSequence {
    try SessionSynthesizer(scripts[index]).synthesized()
  }
}
