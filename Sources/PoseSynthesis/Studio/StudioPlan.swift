import PoseModel
import Statistics

/// The scripts of all sessions of a studio.
///
/// Session i follows only from the studio's seed and i, so processes that divide the indices among
/// them give the same bytes together. Session i belongs to person i modulo the number of people.
package struct StudioPlan: Sendable {
  package let parameters: StudioParameters
  package let scripts: [SessionScript]
  package let frameCount: Int

  /// Adds sessions until there are enough frames, all tasks have occurred, and all people have a
  /// session; a plan of numbered sessions has only those.
  package init(_ parameters: StudioParameters) throws {
    try parameters.validate()
    self.parameters = parameters
    var scripts: [SessionScript] = []
    var frames = 0
    func add(_ index: Int) throws {
      let script = try StudioDirector(parameters, index: index).script()
      frames += try script.frameCount()
      scripts.append(script)
    }
    if let only = parameters.only {
      for index in only { try add(index) }
    } else {
      let atLeast = max(StudioTask.all(parameters.program).count, parameters.subjects)
      while frames < parameters.frames || scripts.count < atLeast { try add(scripts.count) }
    }
    self.scripts = scripts
    frameCount = frames
  }
}

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

  func script() throws -> SessionScript {
    let task = choices.choice(of: StudioTask.all(parameters.program), for: "task")
    let subject = try self.subject()
    let startsMid = choices.choice(of: [false, false, true], for: "start")
    let acts = StudioActs(stream: stream, subject: subject, program: parameters.program)
    var script = SessionScript(holds: acts.holds(of: task, startsMid: startsMid))
    script.seed = StreamSeed.derive64(seed: parameters.seed, purpose: "session.\(index)")
    script.subject = subject
    script.transitions = acts.transitions()
    script.motion = acts.motion()
    script.criterion = parameters.criterion
    script.noise = parameters.noise
    let view = choices.choice(of: StudioView.allCases, for: "view")
    script.camera = camera(view)
    if parameters.program == .everyday {
      placeEveryday(&script.camera)
      placeOthers(&script.noise.confusions)
    }
    script.clock = clock()
    script.output = output()
    script.clampWhatIsDrawn()
    for override in parameters.overrides { try script.apply(override) }
    script.errors = parameters.errors
    script.name = "\(subject.name)-\(index.padded(to: 4))-\(task.lead.rawValue)"
    script.tags = tags(script, task: task, view: view)
    return script
  }

  private func subject() throws -> SubjectParameters {
    var script = SessionScript(holds: [])
    let person = index % parameters.subjects
    script.subject = StudioCast.subject(person, of: parameters.subjects, seed: parameters.seed)
    if parameters.program == .everyday {
      StudioCast.fit(&script.subject, index: person, seed: parameters.seed)
    }
    for override in parameters.overrides { try script.apply(override) }
    return script.subject
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

  private func placeEveryday(_ camera: inout CameraParameters) {
    camera.orientation = choices.choice(
      of: Array(repeating: .portrait, count: 6) + [.landscapeLeft, .landscapeRight],
      for: "everydayOrientation")
    if choices.choice(of: [true, false, false], for: "floor") {
      camera.height = Meters(0.08)
      camera.aim = .level
      camera.pitch = Degrees(stream.uniform(in: 5...20))
    }
    camera.roll = Degrees(min(max(stream.gaussian(standardDeviation: 3), -9), 9))
    let nudges = Array(repeating: false, count: 7) + [true]
    if choices.choice(of: nudges, for: "nudge") {
      camera.nudgedAt = Seconds(stream.uniform(in: 8...16))
      camera.nudge = Degrees(stream.uniform(in: 4...15))
    }
    let rotations = Array(repeating: 0.0, count: 7) + [270]
    if camera.buffer == .fixed {
      camera.bufferRotation = choices.choice(of: rotations, for: "rotation")
    }
    let declarations = Array(repeating: true, count: 7) + [false]
    camera.isDeclared = choices.choice(of: declarations, for: "declared")
  }

  private func placeOthers(_ confusions: inout ConfusionParameters) {
    let rooms = ["empty", "empty", "empty", "empty", "empty", "empty", "bystander", "mirror"]
    switch choices.choice(of: rooms, for: "room") {
    case "bystander": confusions.jumpsPerMinute = 4
    case "mirror": confusions.reflectionsPerMinute = 4
    default: break
    }
  }

  private func clock() -> ClockParameters {
    var clock = ClockParameters()
    clock.rate = choices.choice(of: StudioTags.rates, for: "rate")
    let becomesWarm = choices.choice(of: [true] + Array(repeating: false, count: 9), for: "warm")
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
    let hasOwnBones = parameters.program == .everyday && !fitsTemplate
    let isTemplate = output.height == .reference && !hasOwnBones
    output.skeleton =
      isTemplate ? .template : choices.choice(of: SkeletonModel.allCases, for: "skeleton")
    if hasOwnBones { output.skeleton = .anatomical }
    return output
  }

  private var fitsTemplate: Bool { parameters.noiseName != NoisePreset.mediapipe.rawValue }

  private func tags(
    _ script: SessionScript, task: StudioTask, view: StudioView
  ) -> [String: String] {
    var tags = StudioTags.capture(script)
    let isTurned = parameters.overrides.contains { $0.key == "azimuth_deg" }
    if !isTurned { tags["view"] = view.rawValue }
    tags["noise"] = parameters.noiseName
    if let errors = parameters.errors {
      tags.merge(StudioTags.errors(errors, script)) { _, own in own }
    }
    for (key, value) in task.tags { tags[key] = value }
    if parameters.program == .everyday { tags.merge(StudioTags.everyday(script)) { own, _ in own } }
    if let free = script.holds.first(where: { $0.posture.isSidePlank })?.placement.freeArm {
      tags["free_arm"] = free.rawValue
    }
    return tags
  }
}

extension SessionScript {
  fileprivate mutating func clampWhatIsDrawn() {
    for index in holds.indices {
      holds[index].placement.clamp()
      holds[index].form.clamp()
      holds[index].drift.clamp()
      let seconds = holds[index].duration.value
      holds[index].duration = Seconds(
        min(max(seconds, Hold.durations.lowerBound), Hold.durations.upperBound))
    }
    subject.clamp()
    transitions.clamp()
    motion.clamp()
    camera.clamp()
    clock.clamp()
  }
}

enum StudioTags {
  static let distances = [Meters(0.8), Meters(1.5), Meters(2.5), Meters(4)]
  static let heights = [Meters(0.15), Meters(0.4), Meters(0.9), Meters(1.4)]
  static let rates = [Hertz(8), Hertz(15), Hertz(30), Hertz(60)]

  static func capture(_ script: SessionScript) -> [String: String] {
    [
      "distance_m": text(script.camera.distance.value),
      "camera_height_m": text(script.camera.height.value), "aim": script.camera.aim.rawValue,
      "orientation": script.camera.orientation.rawValue,
      "camera_position": script.camera.position.rawValue, "buffer": script.camera.buffer.rawValue,
      "mirrored": String(script.camera.isMirrored),
      "gravity": script.camera.recordsGravity ? "measured" : "orientation",
      "rate_hz": text(script.clock.rate.value), "warm": String(script.clock.warmAfter.value < 600),
      "recording": script.output.kind.rawValue, "height_estimation": script.output.height.rawValue,
      "skeleton": script.output.skeleton.rawValue, "sex": script.subject.sex.rawValue,
    ]
  }

  static func everyday(_ script: SessionScript) -> [String: String] {
    let camera = script.camera
    var tags = [
      "stands": camera.height.value < 0.1 ? "floor" : "above",
      "nudged": String(camera.nudgedAt.value < 600), "declared": String(camera.isDeclared),
      "room": room(script.noise.confusions), "buffer_rotation": text(camera.bufferRotation),
    ]
    if let hold = script.holds.first(where: { $0.posture.isSidePlank }) {
      tags["feet"] = hold.placement.feet.rawValue
    }
    return tags
  }

  static func errors(_ bank: ErrorBank, _ script: SessionScript) -> [String: String] {
    let donor = ErrorClock(bank, script).recording
    let rate = bank.recordings[donor].rate ?? 0
    return ["donor": String(donor), "rate_hz": text((rate * 10).rounded() / 10), "warm": "false"]
  }

  private static func room(_ confusions: ConfusionParameters) -> String {
    if confusions.jumpsPerMinute > 0 { return "bystander" }
    return confusions.reflectionsPerMinute > 0 ? "mirror" : "empty"
  }

  private static func text(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }
}

extension StudioTask {
  var lead: Posture {
    switch self {
    case .plank(let posture, _), .fatigue(let posture, _), .collapse(let posture),
      .moving(let posture, _), .sets(let posture), .negative(let posture):
      posture
    case .flow(let postures): postures.first ?? .standing
    }
  }

  var tags: [String: String] {
    var tags = ["posture": lead.rawValue, "class": lead.plankClass.name]
    switch self {
    case .plank(_, let fault): (tags["task"], tags["fault"]) = ("plank", fault.rawValue)
    case .fatigue(_, let fault): (tags["task"], tags["fault"]) = ("fatigue", fault.rawValue)
    case .flow: tags["task"] = "flow"
    case .collapse: tags["task"] = "collapse"
    case .sets: tags["task"] = "sets"
    case .moving(_, let activity): (tags["task"], tags["activity"]) = ("moving", activity.rawValue)
    case .negative(let posture):
      tags["task"] = "negative"
      if posture.isHardNegative { tags["hard_negative"] = posture.rawValue }
    }
    return tags
  }
}

package struct StudioParameters: Hashable, Sendable {
  package var seed: UInt64 = 1
  package var subjects = 12
  package var frames = 300_000
  package var program = StudioProgram.textbook
  package var noise = NoisePreset.phone.parameters
  package var noiseName = NoisePreset.phone.rawValue
  package var errors: ErrorBank?
  package var criterion = FormCriterion()
  package var overrides: [ScriptAssignment] = []
  package var only: [Int]?

  package static let subjectRange = 1...500
  package static let frameRange = 1...20_000_000

  package init() {}

  package init(preset: NoisePreset, subjects: Int = 12, seed: UInt64 = 1, frames: Int = 300_000) {
    self.seed = seed
    self.subjects = subjects
    self.frames = frames
    noise = preset.parameters
    noiseName = preset.rawValue
  }

  package func validate() throws {
    try Self.check(subjects, in: Self.subjectRange, field: "studio.subjects", unit: "subjects")
    try Self.check(frames, in: Self.frameRange, field: "studio.frames", unit: "frames")
    try noise.validate()
    try criterion.validate()
    var session = SessionScript(holds: [])
    for override in overrides { try session.apply(override) }
    for (position, index) in (only ?? []).enumerated() {
      try Self.check(index, in: 0...999_999, field: "studio.only[\(position)]", unit: "")
    }
    if let only, only.isEmpty || Set(only).count != only.count {
      throw ScriptError.sessionsRepeatOrMissing
    }
  }

  private static func check(
    _ value: Int, in range: ClosedRange<Int>, field: String, unit: String
  ) throws {
    guard range.contains(value) else {
      throw ScriptError.outOfRange(
        field: field, found: Double(value),
        allowed: Double(range.lowerBound)...Double(range.upperBound), unit: unit)
    }
  }
}

package enum StudioProgram: String, CaseIterable, Hashable, Sendable {
  case textbook
  /// The sessions of `textbook`, and more of what people really do.
  ///
  /// Bodies have the proportions that pose estimators show. Phones are never quite level, and some
  /// apps do not declare mirroring or turned buffers.
  case everyday
}

/// Choices in randomized blocks: each choice occurs once per block, in random order.
///
/// No two factors are coupled (Fisher 1925).
struct StudioChoices {
  let seed: UInt64
  let index: Int

  func choice<Value>(of values: [Value], for factor: String) -> Value {
    let block = index / values.count
    let stream = RandomStream(seed: seed, purpose: "studio.\(factor).\(block)")
    return values[stream.permutation(of: values.count)[index % values.count]]
  }
}

extension Int {
  fileprivate func padded(to width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}

enum StudioCast {
  /// Women and men alternate; stature is N(mean, sd) for the sex, limited to 1.45...2.05 m.
  static func subject(_ index: Int, of count: Int, seed: UInt64) -> SubjectParameters {
    let stream = RandomStream(seed: seed, purpose: "studio.subject.\(index)")
    var subject = SubjectParameters()
    subject.name = "s" + (index + 1).padded(to: max(2, String(count).count))
    subject.seed = StreamSeed.derive64(seed: seed, purpose: "subject.\(index)")
    subject.sex = index.isMultiple(of: 2) ? .female : .male
    let (mean, spread) = subject.sex.stature
    let height = stream.gaussian(mean: mean, standardDeviation: spread)
    subject.height = Meters((min(max(height, 1.45), 2.05) * 1000).rounded() / 1000)
    return subject
  }

  /// Real sources agree on shorter upper arms, wider hips and higher ankles than the tables give
  /// (docs/studio.md).
  static func fit(_ subject: inout SubjectParameters, index: Int, seed: UInt64) {
    let stream = RandomStream(seed: seed, purpose: "studio.body.\(index)")
    func draw(_ mean: Double, _ spread: Double) -> Double {
      let value = mean + spread * min(max(stream.gaussian(), -2), 2)
      return (value * 10_000).rounded() / 10_000
    }
    subject.upperArm = draw(0.157, 0.008)
    subject.hipWidth = draw(0.122, 0.007)
    subject.tuckedAnkle = draw(0.09, 0.014)
  }
}

enum StudioView: String, CaseIterable {
  case side, otherSide, headSide, otherHeadSide, feetSide, otherFeetSide, head, feet

  func azimuth(_ stream: RandomStream) -> Degrees {
    let middle: Double =
      switch self {
      case .side: 90
      case .otherSide: 270
      case .headSide: 45
      case .otherHeadSide: 315
      case .feetSide: 135
      case .otherFeetSide: 225
      case .head: 15
      case .feet: 165
      }
    return Degrees(middle + stream.uniform(in: -12...12))
  }
}
