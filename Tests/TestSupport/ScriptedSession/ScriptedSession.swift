package import PoseModel

/// A script of postures in time that becomes a recording and its labels.
///
/// Transitions are labeled `ignore`. Label boundaries are frame times, and the last one lies a
/// frame interval after the last frame.
package struct ScriptedSession: Hashable, Sendable {
  package var body: ScriptedBody
  package var phases: [ScriptedPhase]
  /// How often a frame is taken.
  package var rate: Hertz
  package var dropouts: [ScriptedDropout]
  package var jitter: ScriptedJitter?
  package var subject: String?

  package init(
    _ body: ScriptedBody, rate: Hertz, dropouts: [ScriptedDropout] = [],
    jitter: ScriptedJitter? = nil, subject: String? = nil, phases: [ScriptedPhase]
  ) {
    precondition(!phases.isEmpty, "a session has at least one phase")
    self.body = body
    self.rate = rate
    self.dropouts = dropouts
    self.jitter = jitter
    self.subject = subject
    self.phases = phases
  }

  /// The frames in world axes.
  package var frames: [ScriptedFrame] {
    let timeline = ScriptedTimeline(self)
    var random = SplitMix64(seed: jitter?.seed ?? 0)
    return times.map { time in
      var joints = timeline.joints(at: time)
      if let deviation = jitter?.deviation.value {
        for joint in Skeleton.vision3d.joints {
          joints[joint] = joints[joint].map { $0 + random.normalVector(deviation) }
        }
      }
      let active = dropouts.filter { $0.contains(time) }
      return ScriptedFrame(
        time: Seconds(time), joints: joints, missingJoints: Set(active.flatMap(\.joints)),
        isMissing: active.contains(where: \.joints.isEmpty))
    }
  }

  /// The truth, each label from its first frame to the first frame of the next, and when classes
  /// began on the ways that the labels leave out.
  package var labels: LabelTrack {
    let timeline = ScriptedTimeline(self)
    let times = times
    var segments: [LabeledSegment] = []
    for time in times {
      let label = timeline.label(at: time)
      if let last = segments.last, last.plank == label?.posture.truth, last.form == label?.form {
        continue
      }
      if !segments.isEmpty { segments[segments.count - 1].end = Seconds(time) }
      segments.append(
        LabeledSegment(
          start: Seconds(time), end: Seconds(.infinity), plank: label?.posture.truth,
          form: label?.form))
    }
    segments[segments.count - 1].end = Seconds(microseconds(times.count))
    do {
      return try LabelTrack(segments).adding(onsets(between: segments))
    } catch {
      preconditionFailure("a script gives sorted segments: \(error)")
    }
  }

  /// For every way between two labels, when the class of the second began.
  private func onsets(between segments: [LabeledSegment]) -> [LabelOnset] {
    let timeline = ScriptedTimeline(self)
    return zip(segments.dropLast(2), segments.dropFirst(2)).compactMap { before, after in
      guard before.plank != nil, after.plank != nil, before.end < after.start else { return nil }
      let times = times.filter { before.end.value <= $0 && $0 < after.start.value }
      let end = after.start.value
      let plank = Self.onset(
        from: before.plank, to: after.plank, times.map { ($0, timeline.truth(at: $0).plank) }, end)
      let form = Self.onset(
        from: before.form, to: after.form, times.map { ($0, timeline.truth(at: $0).form) }, end)
      guard let time = plank ?? form else { return nil }
      return LabelOnset(
        time: Seconds(time), plank: plank == nil ? nil : after.plank,
        form: form == nil ? nil : after.form)
    }
  }

  /// The time from which on a second class was there, if before it only the first one was.
  private static func onset<Class: Equatable>(
    from before: Class?, to after: Class?, _ truth: [(time: Double, class: Class?)], _ end: Double
  ) -> Double? {
    guard let before, let after, before != after else { return nil }
    let start = truth.firstIndex { $0.class == after } ?? truth.count
    guard truth[..<start].allSatisfy({ $0.class == before }),
      truth[start...].allSatisfy({ $0.class == after })
    else { return nil }
    return start < truth.count ? truth[start].time : end
  }

  /// The frame times: multiples of the frame interval, rounded to microseconds.
  package var times: [Double] {
    let duration = ScriptedTimeline(self).duration
    var times = [0.0]
    while microseconds(times.count) < duration { times.append(microseconds(times.count)) }
    return times
  }

  /// The time of a frame: the `Double` nearest to its six decimals.
  private func microseconds(_ frame: Int) -> Double {
    (Double(frame) * 1e6 / rate.value).rounded() / 1e6
  }
}

extension ScriptedSession {
  /// The session as a camera records it: camera axes, the root at the origin.
  ///
  /// A mirrored recording is what a detector sees in the flipped image: x is turned around and
  /// left and right names are swapped. Load it as readers do, with `unmirror()`.
  package func recording(
    _ camera: ScriptedCamera, joints order: [Joint] = Skeleton.vision3d.joints
  ) -> Recording {
    var recording = Recording(header: header(camera, .camera, order))
    for frame in frames {
      let seen = view(frame, camera)
      recording.append(time: frame.time, pose: numbers(seen, named(frame, camera), order))
    }
    return recording
  }

  /// The session as Vision most probably writes it: pelvis axes, and the matrix of every frame.
  ///
  /// The axes are x from the root to the left hip, y toward the spine and at right angles to x,
  /// z = x cross y, in the body that the detector saw: the mirrored one where the image was.
  ///
  /// - Parameter matrixDecimals: to how many decimals matrices are rounded after the positions
  ///   were turned, as a file that saves room would have them; nil rounds nothing.
  package func pelvisRecording(
    _ camera: ScriptedCamera, joints order: [Joint] = Skeleton.vision3d.joints,
    matrixDecimals: Int? = nil
  ) -> Recording {
    var recording = Recording(header: header(camera, .pelvis, order))
    for frame in frames {
      let seen = view(frame, camera)
      guard !frame.isMissing, let axes = pelvisAxes(seen) else {
        recording.append(time: frame.time, pose: nil)
        continue
      }
      let own = seen.mapValues { position in
        Vector3(
          axes.columns.0.dot(position), axes.columns.1.dot(position), axes.columns.2.dot(position))
      }
      // Vision's matrix brings the hip to where it is before the camera: two meters away.
      let matrix = CameraMatrix(
        rotation: matrixDecimals.map { axes.rounded(decimals: $0) } ?? axes,
        translation: Vector3(0, 0, -2))
      recording.append(
        time: frame.time, pose: numbers(own, named(frame, camera), order),
        extras: FrameExtras(camera: matrix))
    }
    return recording
  }

  /// The session in world axes: y up, the floor at 0.
  package func worldRecording(joints order: [Joint] = Skeleton.vision3d.joints) -> Recording {
    var header = RecordingHeader(skeleton: .vision3d, joints: order, frame: .world)
    complete(&header)
    var recording = Recording(header: header)
    for frame in frames {
      recording.append(time: frame.time, pose: numbers(frame.joints, frame, order))
    }
    return recording
  }

  private func header(
    _ camera: ScriptedCamera, _ frame: FrameOfReference, _ order: [Joint]
  ) -> RecordingHeader {
    var header = RecordingHeader(skeleton: .vision3d, joints: order, frame: frame)
    header.orientation = camera.orientation
    header.cameraPosition = camera.position
    header.buffer = camera.buffer
    header.isMirrored = camera.isMirrored
    complete(&header)
    return header
  }

  private func complete(_ header: inout RecordingHeader) {
    header.subject = subject
    header.bodyHeight = body.stature
    header.heightEstimation = .measured
    header.nominalRate = rate
  }

  /// The detector's output for a frame, in camera axes.
  private func view(_ frame: ScriptedFrame, _ camera: ScriptedCamera) -> [Joint: Vector3] {
    let rotation = camera.rotation
    let root = frame.joints[.root] ?? Vector3(0, 0, 0)
    let seen = frame.joints.mapValues { rotation($0 - root) }
    guard camera.isMirrored else { return seen }
    return Dictionary(uniqueKeysWithValues: seen.map { ($0.mirrored, Vector3(-$1.x, $1.y, $1.z)) })
  }

  private func pelvisAxes(_ joints: [Joint: Vector3]) -> Rotation3? {
    guard let root = joints[.root], let hip = joints[.leftHip], let spine = joints[.spine] else {
      return nil
    }
    let x = (hip - root) / (hip - root).norm
    let trunk = spine - root
    let upward = trunk - x * trunk.dot(x)
    let y = upward / upward.norm
    return Rotation3(x, y, x.cross(y))
  }

  /// The frame with its missing joints, named as the detector names them.
  ///
  /// They are the person's own; in the flipped image the other side's name is missing.
  private func named(_ frame: ScriptedFrame, _ camera: ScriptedCamera) -> ScriptedFrame {
    guard camera.isMirrored else { return frame }
    var named = frame
    named.missingJoints = Set(frame.missingJoints.map(\.mirrored))
    return named
  }

  /// A frame's positions in storage order, NaN if a joint is missing; nil without a pose.
  private func numbers(
    _ joints: [Joint: Vector3], _ frame: ScriptedFrame, _ order: [Joint]
  ) -> [Float]? {
    guard !frame.isMissing else { return nil }
    return order.flatMap { joint -> [Float] in
      guard let position = joints[joint], !frame.missingJoints.contains(joint) else {
        return [.nan, .nan, .nan]
      }
      return [Float(position.x), Float(position.y), Float(position.z)]
    }
  }
}

extension Rotation3 {
  fileprivate func rounded(decimals: Int) -> Rotation3 {
    let unit = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
    func rounded(_ v: Vector3) -> Vector3 {
      Vector3(
        (v.x * unit).rounded() / unit, (v.y * unit).rounded() / unit, (v.z * unit).rounded() / unit)
    }
    return Rotation3(rounded(columns.0), rounded(columns.1), rounded(columns.2))
  }
}

package struct ScriptedPhase: Hashable, Sendable {
  package var posture: ScriptedPosture
  /// How long it is held, the way into it not counted.
  package var hold: Seconds
  /// How far the hips are off the line from ankles to shoulders; negative is a sag.
  package var hipOffset: Meters
  /// The way from the phase before; the first phase has none.
  package var entry: ScriptedTransition

  /// The offset from which on the form is labeled sag or pike: visible to a trainer.
  package static let visibleOffset = Meters(0.03)

  package init(
    _ posture: ScriptedPosture, seconds: Double, hipCentimeters: Double = 0,
    entry: ScriptedTransition = ScriptedTransition(Seconds(1))
  ) {
    self.posture = posture
    hold = Seconds(seconds)
    hipOffset = Meters(hipCentimeters / 100)
    self.entry = entry
  }

  /// The form label, or nil if the posture is not a plank.
  package var form: FormClass? {
    guard posture.truth != PlankClass.none else { return nil }
    if hipOffset.value <= -Self.visibleOffset.value { return .sag }
    return hipOffset.value >= Self.visibleOffset.value ? .pike : .aligned
  }
}

/// How a body moves from one posture to the next: every joint on its straight way.
package struct ScriptedTransition: Hashable, Sendable {
  /// How far along its way a joint is after a share of the time.
  package enum Course: String, CaseIterable, Hashable, Sendable {
    case linear
    /// s = 10 u^3 - 15 u^4 + 6 u^5 (Flash and Hogan 1985): at rest at both ends.
    case minimumJerk

    /// The share of the way after the share `u` of the time, both 0...1.
    package func progress(_ u: Double) -> Double {
      switch self {
      case .linear: u
      case .minimumJerk: u * u * u * (10 + u * (6 * u - 15))
      }
    }
  }

  /// How long it takes; 0 is a jump.
  package var duration: Seconds
  package var course: Course

  package init(_ duration: Seconds, _ course: Course = .minimumJerk) {
    self.duration = duration
    self.course = course
  }
}

/// A stretch of time, half-open, in which joints or whole poses were not found.
package struct ScriptedDropout: Hashable, Sendable {
  package var start: Seconds
  package var end: Seconds
  /// The missing joints; an empty list means that there is no pose at all.
  package var joints: [Joint]

  package init(from start: Double, to end: Double, of joints: [Joint] = []) {
    self.start = Seconds(start)
    self.end = Seconds(end)
    self.joints = joints
  }

  func contains(_ time: Double) -> Bool { start.value <= time && time < end.value }
}

/// Independent normal noise of every coordinate of every joint and frame.
///
/// It is drawn in world axes, before any camera looks: all views of a session see the same noise.
package struct ScriptedJitter: Hashable, Sendable {
  package var seed: UInt64
  package var deviation: Meters

  package init(seed: UInt64, deviation: Meters) {
    self.seed = seed
    self.deviation = deviation
  }
}

/// One frame of a scripted session before any camera looks at it.
package struct ScriptedFrame: Hashable, Sendable {
  /// When the frame is taken, in whole microseconds.
  package var time: Seconds
  package var joints: [Joint: Vector3]
  /// The joints that the detector does not find.
  package var missingJoints: Set<Joint>
  package var isMissing: Bool
}

struct ScriptedTimeline {
  private struct Piece {
    var end: Double
    var start: Double
    var phase: ScriptedPhase
    var previous: ScriptedPhase?
    var from: [Joint: Vector3]?
    var to: [Joint: Vector3]
  }

  private var pieces: [Piece] = []

  /// Cuts a session: a way into every phase but the first, then its hold.
  init(_ session: ScriptedSession) {
    var previous: (phase: ScriptedPhase, joints: [Joint: Vector3])?
    for phase in session.phases {
      let joints = session.body.joints(in: phase.posture, hipOffset: phase.hipOffset)
      if let previous, phase.entry.duration.value > 0 {
        append(
          phase, after: previous.phase, lasting: phase.entry.duration.value,
          from: previous.joints, to: joints)
      }
      append(phase, after: nil, lasting: phase.hold.value, from: nil, to: joints)
      previous = (phase, joints)
    }
  }

  var duration: Double { pieces.last?.end ?? 0 }

  /// The phase that is held at a time, or nil on the way into one.
  func label(at time: Double) -> ScriptedPhase? {
    let piece = piece(at: time)
    return piece.from == nil ? piece.phase : nil
  }

  /// What the script knows of a time: on the way, the class of the nearer posture, and the form only
  /// where the posture stays.
  func truth(at time: Double) -> (plank: PlankClass, form: FormClass?) {
    let piece = piece(at: time)
    guard let previous = piece.previous else {
      return (piece.phase.posture.truth, piece.phase.form)
    }
    let elapsed = (time - piece.start) / (piece.end - piece.start)
    let share = piece.phase.entry.course.progress(elapsed)
    guard previous.posture == piece.phase.posture else {
      return ((share < 0.5 ? previous : piece.phase).posture.truth, nil)
    }
    var between = piece.phase
    between.hipOffset = Meters(
      previous.hipOffset.value + share * (piece.phase.hipOffset.value - previous.hipOffset.value))
    return (between.posture.truth, between.form)
  }

  func joints(at time: Double) -> [Joint: Vector3] {
    let piece = piece(at: time)
    guard let from = piece.from else { return piece.to }
    let elapsed = (time - piece.start) / (piece.end - piece.start)
    let share = piece.phase.entry.course.progress(elapsed)
    return from.merging(piece.to) { $0 + ($1 - $0) * share }
  }

  private mutating func append(
    _ phase: ScriptedPhase, after previous: ScriptedPhase?, lasting duration: Double,
    from: [Joint: Vector3]?, to joints: [Joint: Vector3]
  ) {
    let start = self.duration
    // A sum of decimals such as 0.1 + 0.2 is put back on the microsecond that it means.
    let end = ((start + duration) * 1e6).rounded() / 1e6
    pieces.append(
      Piece(end: end, start: start, phase: phase, previous: previous, from: from, to: joints))
  }

  private func piece(at time: Double) -> Piece {
    pieces.first { time < $0.end } ?? pieces[pieces.count - 1]
  }
}
