import PoseModel
import Statistics

/// Writes the script of one session of a studio.
struct StudioDirector {
  private let parameters: StudioParameters
  private let index: Int
  private let choices: StudioChoices
  private let stream: RandomStream

  init(_ parameters: StudioParameters, index: Int) {
    self.parameters = parameters
    self.index = index
    choices = StudioChoices(seed: parameters.seed, index: index)
    stream = RandomStream(seed: parameters.seed, purpose: "studio.session.\(index)")
  }

  /// The session's script with its tags.
  ///
  /// - Throws: `ScriptError` for an override that no session can take.
  func script() throws(ScriptError) -> SessionScript {
    let task = choices.choice(of: StudioTask.all, for: "task")
    let subject = try self.subject()
    let startsMid = choices.choice(of: [false, false, true], for: "start")
    let acts = StudioActs(stream: stream, scale: subject.height.value / 1.75)
    var script = SessionScript(holds: acts.holds(of: task, startsMid: startsMid))
    script.seed = StreamSeed.derive64(seed: parameters.seed, purpose: "session.\(index)")
    script.subject = subject
    script.transitions = acts.transitions()
    script.motion = acts.motion()
    script.criterion = parameters.criterion
    script.noise = parameters.noise
    let view = choices.choice(of: StudioView.allCases, for: "view")
    script.camera = camera(view)
    script.clock = clock()
    script.output = output()
    for override in parameters.overrides { try script.apply(override) }
    script.name = "\(subject.name)-\(paddedIndex)-\(task.lead.rawValue)"
    script.tags = tags(script, task: task, view: view)
    return script
  }

  private func subject() throws(ScriptError) -> SubjectParameters {
    var script = SessionScript(holds: [])
    script.subject = StudioCast.subject(
      index % parameters.subjects, of: parameters.subjects, seed: parameters.seed)
    for override in parameters.overrides { try script.apply(override) }
    return script.subject
  }

  /// The session's number with zeros before it, so that names sort.
  private var paddedIndex: String {
    let digits = String(index)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private func camera(_ view: StudioView) -> CameraParameters {
    var camera = CameraParameters()
    camera.distance = choices.choice(of: StudioTags.distances, for: "distance")
    camera.height = choices.choice(of: StudioTags.heights, for: "height")
    camera.azimuth = view.azimuth(stream)
    camera.aim = choices.choice(of: CameraAim.allCases, for: "aim")
    camera.pitch = Degrees(stream.uniform(in: -4...4))
    camera.orientation = choices.choice(of: DeviceOrientation.allCases, for: "orientation")
    camera.position = choices.choice(of: CameraPosition.allCases, for: "position")
    camera.buffer = choices.choice(of: ImageBuffer.allCases, for: "buffer")
    let mayMirror = choices.choice(of: [true, false], for: "mirrored")
    camera.isMirrored = mayMirror && camera.position == .front
    camera.recordsGravity = choices.choice(of: [true, false], for: "gravity")
    return camera
  }

  private func clock() -> ClockParameters {
    var clock = ClockParameters()
    clock.rate = choices.choice(of: StudioTags.rates, for: "rate")
    let becomesWarm = choices.choice(
      of: [true] + Array(repeating: false, count: 9), for: "warm")
    if becomesWarm, clock.rate.value >= 15 {
      clock.warmRate = Hertz(clock.rate.value / 2)
      clock.warmAfter = Seconds(stream.uniform(in: 5...10))
    }
    return clock
  }

  private func output() -> OutputParameters {
    var output = OutputParameters()
    output.kind = choices.choice(of: [.camera, .camera, .camera, .pelvis], for: "kind")
    output.height = choices.choice(of: [.reference, .measured], for: "bodyHeight")
    let isTemplate = output.height == .reference
    output.skeleton =
      isTemplate ? .template : choices.choice(of: SkeletonModel.allCases, for: "skeleton")
    return output
  }

  private func tags(
    _ script: SessionScript, task: StudioTask, view: StudioView
  ) -> [String: String] {
    var tags = StudioTags.capture(script)
    let isTurned = parameters.overrides.contains { $0.key == "azimuth_deg" }
    if !isTurned { tags["view"] = view.rawValue }
    tags["noise"] = parameters.noiseName
    for (key, value) in task.tags { tags[key] = value }
    if let free = script.holds.first(where: { $0.posture.isSidePlank })?.placement.freeArm {
      tags["free_arm"] = free.rawValue
    }
    return tags
  }
}
