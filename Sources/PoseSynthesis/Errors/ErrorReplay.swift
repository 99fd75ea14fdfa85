internal import Platform
import PoseModel
import Statistics

/// Replays a bank's errors; a session takes bone lengths and frame intervals from one recording.
///
/// A hold takes its bias from a stretch with the same posture, nearly the same form and nearly the
/// same direction of view. The simulated body does not sway and holds every plank in its textbook
/// posture, because the recordings already contain sway and individual postures.
struct ErrorReplay {
  let script: SessionScript
  let lengths: [Double]
  private let clock: ErrorClock
  private let holds: [HoldErrors]
  private let donors: [Donor]
  private let stream: RandomStream
  private var current: Track?
  private var previous: Track?
  private var age = 0.0
  private var hold = -1

  private static let fade = 0.3

  init(_ bank: ErrorBank, _ script: SessionScript) {
    clock = ErrorClock(bank, script)
    let stream = RandomStream(seed: script.seed, purpose: "errors.choice")
    donors = bank.recordings.enumerated().flatMap { index, recording in
      recording.stretches.flatMap { stretch in
        [false, true].map { Donor(stretch, recording: index, isMirrored: $0) }
      }
    }
    lengths = bank.recordings[clock.recording].lengths
    let (donors, body) = (donors, clock.recording)
    let levels = AlignedOffsets(donors)
    holds = script.holds.map {
      HoldErrors($0, donors, levels, body: body, camera: script.camera, stream)
    }
    var script = script
    script.motion = .still
    script.noise = script.noise.onlyOthers
    for index in script.holds.indices where holds[index].isKnown {
      script.holds[index].placement = script.holds[index].placement.plain
    }
    if holds.contains(where: \.isKnown) { script.subject = script.subject.plain }
    self.script = script
    self.stream = RandomStream(seed: script.seed, purpose: "errors.blocks")
  }

  func times(duration: Double) -> [Double] { clock.times(duration: duration) }

  func hipOffset(at moment: Timeline.Moment, height: Meters) -> Double {
    let share = MinimumJerk.share(moment.progress)
    let (from, to) = (holds[moment.from].hipOffset, holds[moment.to].hipOffset)
    return (from + (to - from) * share) * height.value
  }

  struct Seen {
    var directions: [Vector3]
    var lengthening: [Double]
    var missing: [Bool]?
  }

  /// `directions` are unit directions of bones in the world, and `step` is the time in seconds
  /// since the previous frame.
  mutating func seen(
    _ directions: [Vector3], at moment: Timeline.Moment, view: CameraView, step: Double
  ) -> Seen {
    let share = MinimumJerk.share(moment.progress)
    let (from, to) = (holds[moment.from], holds[moment.to])
    let biased = directions.indices.map { bone -> Vector3 in
      let turn = from.bias[bone] + (to.bias[bone] - from.bias[bone]) * share
      return turn.norm > 0
        ? Rotation3(about: turn.unit(), radians: turn.norm)(directions[bone]) : directions[bone]
    }
    let level = LevelAxes.image(view.up)
    let inImage = biased.map { level(view.rotation($0)) }
    move(to: moment.progress < 0.5 ? moment.from : moment.to, inImage, by: step)
    guard let current else { return Seen(directions: inImage, lengthening: [], missing: nil) }
    let (old, new) = weights
    var seen = Seen(
      directions: [], lengthening: [], missing: donors[current.donor].missing(at: current.frame))
    for bone in Bone.allCases {
      var (turn, length) = donors[current.donor].residual(bone, at: current.place)
      (turn, length) = (turn * new, length * new)
      if let previous, old > 0 {
        let (before, lengthBefore) = donors[previous.donor].residual(bone, at: previous.place)
        (turn, length) = (turn + before * old, length + lengthBefore * old)
      }
      let direction = (inImage[bone.rawValue] + turn).unit(or: inImage[bone.rawValue])
      seen.directions.append(level.inverse(direction))
      seen.lengthening.append(exp(length))
    }
    return seen
  }

  private var weights: (old: Double, new: Double) {
    guard previous != nil, age < Self.fade else { return (0, 1) }
    let angle = age / Self.fade * Double.pi / 2
    return (cos(angle), sin(angle))
  }

  private mutating func move(to hold: Int, _ bones: [Vector3], by step: Double) {
    age += step
    current?.move(by: step)
    previous?.move(by: step)
    if previous != nil, age >= Self.fade { previous = nil }
    guard hold != self.hold || current?.isOver ?? true else { return }
    let isFirst = current == nil
    self.hold = hold
    previous = current
    let donor = donor(of: holds[hold], bones)
    current = Track(donors[donor], donor, startsAt: isFirst ? stream.uniform() : 0)
    age = 0
  }

  private func donor(of hold: HoldErrors, _ bones: [Vector3]) -> Int {
    var near = hold.alike
    if near.isEmpty {
      let angles = donors.map { $0.angle(to: bones) }
      let limit = (angles.min() ?? 0) + 8
      near = donors.indices.filter { angles[$0] <= limit }
    }
    let recordings = Set(near.map { donors[$0].recording }).sorted()
    let recording = recordings[stream.index(below: recordings.count)]
    let own = near.filter { donors[$0].recording == recording }
    return own[stream.index(below: own.count)]
  }
}

struct ErrorClock {
  let recording: Int
  private let intervals: [Double]
  private let first: Int

  init(_ bank: ErrorBank, _ script: SessionScript) {
    let stream = RandomStream(seed: script.seed, purpose: "errors.clock")
    let planks = Set(script.holds.map(\.posture).filter(\.isPlank).flatMap { [$0, $0.mirrored] })
    let own = bank.recordings.indices.filter { index in
      bank.recordings[index].stretches.contains { $0.posture.map(planks.contains) ?? false }
    }
    let all = own.isEmpty ? Array(bank.recordings.indices) : own
    recording = all[stream.index(below: all.count)]
    intervals = bank.recordings[recording].stretches.flatMap(\.intervals)
    first = stream.index(below: intervals.count)
  }

  func times(duration: Double) -> [Double] {
    var times: [Double] = []
    var (time, index) = (0.0, first)
    while time < duration {
      times.append((time * 1e6).rounded() / 1e6)
      time += intervals[index]
      index = (index + 1) % intervals.count
    }
    return times
  }
}

extension NoiseParameters {
  fileprivate var onlyOthers: NoiseParameters {
    var noise = NoiseParameters()
    noise.confusions.jumpsPerMinute = confusions.jumpsPerMinute
    noise.confusions.reflectionsPerMinute = confusions.reflectionsPerMinute
    return noise
  }
}

extension SubjectParameters {
  fileprivate var plain: SubjectParameters {
    let textbook = SubjectParameters()
    var plain = self
    plain.upperArm = textbook.upperArm
    plain.hipWidth = textbook.hipWidth
    plain.tuckedAnkle = textbook.tuckedAnkle
    return plain
  }
}

extension PlacementParameters {
  fileprivate var plain: PlacementParameters {
    var plain = PlacementParameters()
    (plain.activity, plain.feet, plain.freeArm) = (activity, feet, freeArm)
    (plain.cycleRate, plain.trunkLean) = (cycleRate, trunkLean)
    plain.angleSpread = Degrees(0)
    return plain
  }
}

struct Donor {
  let stretch: HeldStretch
  let recording: Int
  let isMirrored: Bool
  let posture: Posture?
  let azimuthDegrees: Double
  let directions: [Vector3?]
  private let inImage: [Vector3?]

  init(_ stretch: HeldStretch, recording: Int = 0, isMirrored: Bool) {
    self.stretch = stretch
    self.recording = recording
    self.isMirrored = isMirrored
    posture = isMirrored ? stretch.posture?.mirrored : stretch.posture
    azimuthDegrees = isMirrored ? 360 - stretch.azimuthDegrees : stretch.azimuthDegrees
    let sign: Double = isMirrored ? -1 : 1
    let directions = Bone.allCases.map { bone in
      stretch.direction(isMirrored ? bone.mirrored : bone).map { Vector3(sign * $0.x, $0.y, $0.z) }
    }
    self.directions = directions
    let turn = Rotation3.aboutY(Degrees(-azimuthDegrees))
    inImage = directions.map { $0.map { turn($0) } }
  }

  func missing(at frame: Int) -> [Bool]? {
    var result = Array(repeating: false, count: JointPositions.count)
    for run in stretch.missing where (run.first..<run.first + run.count).contains(frame) {
      guard run.joint >= 0 else { return nil }
      let joint = Skeleton.vision3d.joints[run.joint]
      result[isMirrored ? joint.mirrored.index : joint.index] = true
    }
    return result
  }

  func residual(_ bone: Bone, at place: Double) -> (turn: Vector3, length: Double) {
    let frame = min(Int(place), stretch.frames - 1)
    let share = place - Double(frame)
    let (turn, length) = residual(bone, at: frame)
    guard share > 0, frame + 1 < stretch.frames else { return (turn, length) }
    let next = residual(bone, at: frame + 1)
    return (turn + (next.turn - turn) * share, length + (next.length - length) * share)
  }

  private func residual(_ bone: Bone, at frame: Int) -> (turn: Vector3, length: Double) {
    let own = isMirrored ? bone.mirrored : bone
    let turn = stretch.turn(own, at: frame)
    return (
      isMirrored ? Vector3(-turn.x, turn.y, turn.z) : turn, stretch.lengthening(own, at: frame)
    )
  }

  func angle(to bones: [Vector3]) -> Double {
    var (squares, count) = (0.0, 0)
    for case (let own?, let other) in zip(inImage, bones) {
      let angle = own.angleDegrees(to: other)
      squares += angle * angle
      count += 1
    }
    return count == 0 ? 180 : (squares / Double(count)).squareRoot()
  }

  /// Rotation vectors from the studio's body to this body, in radians, in the world; nil if the
  /// posture is unknown.
  var bias: [Vector3]? {
    guard let posture else { return nil }
    let neutral = NeutralBody(posture, hipOffset: stretch.hipOffset)
    return zip(directions, neutral.directions).map { own, other in
      guard let own else { return .zero }
      let axis = other.cross(own)
      return axis.unit(or: .zero) * (other.angleDegrees(to: own) * Double.pi / 180)
    }
  }
}

extension Bone {
  /// Left and right bones alternate after those of the trunk.
  var mirrored: Bone {
    rawValue < Bone.leftHip.rawValue ? self : Bone(rawValue: rawValue ^ 1) ?? self
  }
}

extension Posture {
  var mirrored: Posture {
    let isLeft = rawValue.contains("Left")
    let name =
      isLeft ? rawValue.replacing("Left", with: "Right") : rawValue.replacing("Right", with: "Left")
    return Posture(rawValue: name) ?? self
  }
}

private struct Track {
  let donor: Int
  private let intervals: [Double]
  private let rate: Double
  private(set) var place: Double

  init(_ donor: Donor, _ index: Int, startsAt share: Double) {
    self.donor = index
    intervals = donor.stretch.intervals
    rate = Double(intervals.count) / max(donor.stretch.duration, 1e-3)
    place = (share * 0.8 * Double(intervals.count)).rounded(.down)
  }

  var frame: Int { min(Int(place), intervals.count) }

  var isOver: Bool { place > Double(intervals.count) }

  /// At about the frame rate of the stretch, takes its frames one by one, so nothing is smoothed.
  mutating func move(by step: Double) {
    let frames = step * rate
    let whole = frames.rounded()
    place += whole >= 1 && (frames - whole).magnitude < 0.25 * whole ? whole : frames
  }
}

private struct AlignedOffsets {
  private var means: [Posture: Double] = [:]

  init(_ donors: [Donor]) {
    var sums: [Posture: (sum: Double, count: Double)] = [:]
    for donor in donors where donor.stretch.form == .aligned {
      guard let posture = donor.posture else { continue }
      let (sum, count) = sums[posture] ?? (0, 0)
      sums[posture] = (sum + donor.stretch.hipOffset, count + 1)
    }
    means = sums.mapValues { $0.sum / $0.count }
  }

  func error(of donor: Donor) -> Double {
    guard let form = donor.stretch.form, let posture = donor.posture else { return 0 }
    return form == .aligned ? donor.stretch.hipOffset : means[posture] ?? 0
  }
}

private struct HoldErrors {
  let bias: [Vector3]
  let hipOffset: Double
  let isKnown: Bool
  let alike: [Int]

  init(
    _ hold: Hold, _ donors: [Donor], _ levels: AlignedOffsets, body: Int, camera: CameraParameters,
    _ stream: RandomStream
  ) {
    let own = donors.indices.filter { donors[$0].posture == hold.posture }
    let scores = own.map { index -> Double in
      let donor = donors[index]
      let turned = (donor.azimuthDegrees - camera.azimuth.value).magnitude
      let form =
        donor.stretch.hipOffset - levels.error(of: donor) - hold.form.hipOffset.value / 1.75
      return min(turned, 360 - turned) / 30 + form.magnitude / 0.025
    }
    func near(_ scores: [Double]) -> [Int] {
      let limit = (scores.min() ?? 0) + 1
      return own.indices.filter { scores[$0] <= limit }.map { own[$0] }
    }
    alike = near(scores)
    let choice = stream.uniform()
    isKnown = !own.isEmpty
    guard isKnown else {
      bias = Array(repeating: .zero, count: Bone.count)
      hipOffset = 0
      return
    }
    let preferred = near(zip(own, scores).map { $1 + (donors[$0].recording == body ? 0 : 1) })
    let donor = donors[preferred[Int(choice * Double(preferred.count))]]
    bias = donor.bias ?? Array(repeating: .zero, count: Bone.count)
    hipOffset = levels.error(of: donor)
  }
}
