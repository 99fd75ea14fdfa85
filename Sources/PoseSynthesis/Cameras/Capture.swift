import Platform
import PoseModel
import Statistics

struct Capture {
  private(set) var recording: Recording
  private let script: SessionScript
  private let view: CameraView
  private let nudgedView: CameraView
  private let body: Body
  private let recordedBody: Body
  private let imageSkeleton: ImageSkeleton?
  private var limbLengths: AutoregressiveProcess
  private var errors: JointErrors
  private var chain: ChainErrors
  private var filter: LandmarkFilter
  private var strangers: Strangers
  private var confusions: Confusions
  private var dropouts: Dropouts
  private var imageErrors: ImageErrors
  private var pelvisTurn: AutoregressiveProcess
  private var replay: ErrorReplay?
  private let encoder: FrameEncoder

  init(_ script: SessionScript, body: Body, replay: ErrorReplay? = nil) {
    let seed = script.seed
    self.script = script
    self.body = body
    self.replay = replay
    view = CameraView(script.camera)
    nudgedView = view.turned(by: Self.nudge(script))
    let height = Self.recordedHeight(script)
    recordedBody = script.output.skeleton.recordedBody(of: body, height: height)
    let header = Self.header(script, view: view, height: height)
    imageSkeleton =
      header.frame == .image
      ? ImageSkeleton(header.skeleton, stature: body.height.value) : nil
    recording = Recording(header: header)
    encoder = FrameEncoder(header: header, isMirrored: script.camera.isMirrored)
    limbLengths = AutoregressiveProcess(
      count: Bone.count, stream: RandomStream(seed: seed, purpose: "noise.limbs"))
    errors = JointErrors(script.noise.joints, seed: seed)
    chain = ChainErrors(script.noise.chain, seed: seed)
    filter = LandmarkFilter(script.noise.filter, height: height)
    strangers = Strangers(script.noise.confusions, seed: seed)
    confusions = Confusions(script.noise.confusions, seed: seed)
    dropouts = Dropouts(script.noise.dropouts, seed: seed)
    imageErrors = ImageErrors(script.noise, joints: header.joints.count, seed: seed)
    pelvisTurn = AutoregressiveProcess(
      count: 3, stream: RandomStream(seed: seed, purpose: "noise.pelvis"))
  }

  mutating func reserveCapacity(_ frames: Int) { recording.reserveCapacity(frames) }

  mutating func add(
    _ subject: BodyPoser.Posed, _ moment: Timeline.Moment, posture: Posture, time: Double,
    step: Double
  ) {
    let view = time < script.camera.nudgedAt.value ? view : nudgedView
    let stranger = strangers.posed(step: step)
    if replay != nil {
      return addReplayed(
        stranger?.posed ?? subject, moment, view: view, place: stranger?.place ?? .zero, time: time,
        step: step)
    }
    chain.advance(by: step)
    var posed = stranger?.posed ?? subject
    if chain.isActive { chain.bend(&posed.shape.directions, lengths: recordedBody.lengths) }
    let orientation = view.rotation.composed(after: posed.shape.orientation)
    var directions = posed.shape.directions.map { orientation($0) }
    let place = stranger?.place ?? .zero
    let root = view.inCamera(Vector3(place.x, posed.rootHeight, place.z))
    let lengths = recordedLengths(step: step)
    var joints = JointPositions(directions: directions, lengths: lengths)
    let sight = sight(joints, root: root, view: view)
    let context = context(
      joints, root: root, posture: posture, isOutside: sight?.isOutside, time: time, step: step)
    let isLost = dropouts.isLost(context)
    if let imageSkeleton {
      let seen = JointPositions(directions: directions, lengths: body.lengths)
      addImage(imageSkeleton.positions(seen), root: root, view: view, isLost: isLost, context)
      return
    }
    if chain.isActive {
      let factor = errors.commonFactor(context)
      chain.turn(&directions, isUnseen: sight?.unseen ?? context.isOutOfImage, factor: factor)
      joints = JointPositions(directions: directions, lengths: lengths.map { $0 * chain.size })
    }
    errors.add(to: &joints, context)
    confusions.apply(to: &joints, context)
    pelvisTurn.advance(by: step, time: script.noise.capture.pelvisTime.value)
    let lost = sight.map { $0.lost(script.noise.sight) } ?? Self.nothingLost
    write(joints, lost: isLost ? nil : lost, root: root, context)
  }

  private mutating func addReplayed(
    _ posed: BodyPoser.Posed, _ moment: Timeline.Moment, view: CameraView, place: Vector3,
    time: Double, step: Double
  ) {
    let directions = posed.shape.directions.map { posed.shape.orientation($0) }
    guard let shares = replay?.lengths,
      let seen = replay?.seen(directions, at: moment, view: view, step: step),
      let missing = seen.missing
    else { return recording.append(time: Seconds(time), pose: nil) }
    let lengths = Bone.allCases.map { bone in
      let share = shares[bone.rawValue]
      let length = share > 0 ? share * recordedBody.height.value : recordedBody.length(bone)
      return length * seen.lengthening[bone.rawValue]
    }
    let root = view.inCamera(Vector3(place.x, posed.rootHeight, place.z))
    encoder.append(
      JointPositions(directions: seen.directions, lengths: lengths), lost: missing,
      rootInCamera: root, pelvisTurn: .identity, time: time, to: &recording)
  }

  /// Filters and writes the joints of a frame; nil in place of what is lost is a frame without a pose.
  private mutating func write(
    _ joints: JointPositions, lost: [Bool]?, root: Vector3, _ context: NoiseContext
  ) {
    guard let lost else {
      filter.skip(context.step)
      return recording.append(time: Seconds(context.time), pose: nil)
    }
    var joints = joints
    filter.apply(to: &joints, step: context.step)
    encoder.append(
      joints, lost: lost, rootInCamera: root, pelvisTurn: turns(), time: context.time,
      to: &recording)
  }

  private static let nothingLost = Array(repeating: false, count: JointPositions.count)

  private func sight(_ joints: JointPositions, root: Vector3, view: CameraView) -> Sight? {
    let noise = script.noise
    guard noise.sight != SightParameters() || noise.chain.unseenFactor > 1 else { return nil }
    return Sight(joints, root: root, view: view, height: recordedBody.height)
  }

  private static func nudge(_ script: SessionScript) -> Rotation3 {
    let stream = RandomStream(seed: script.seed, purpose: "camera.nudge")
    let axis = Vector3(stream.gaussian(), stream.gaussian(), stream.gaussian()).unit()
    return Rotation3(about: axis, radians: script.camera.nudge.radians)
  }

  private mutating func recordedLengths(step: Double) -> [Double] {
    let spread = script.noise.joints.limbLength
    guard spread > 0 else { return recordedBody.lengths }
    limbLengths.advance(by: step, time: script.noise.joints.coloredTime.value)
    return zip(recordedBody.lengths, limbLengths.values).map { $0 * (1 + spread * $1) }
  }

  private mutating func addImage(
    _ positions: [Vector3], root: Vector3, view: CameraView, isLost: Bool,
    _ context: NoiseContext
  ) {
    imageErrors.advance(by: context.step)
    var pixels: [(u: Double, v: Double)?] = []
    var confidences: [Float] = []
    for (slot, position) in positions.enumerated() {
      let isFar = encoder.side(of: slot) == context.farSide && context.farShare > 0.5
      let confidence = imageErrors.confidence(isFar: isFar)
      let pixel = view.pixel(root + position).map { imageErrors.seen($0, slot: slot) }
      let isSeen = pixel.map(view.contains) ?? false
      pixels.append(isSeen ? pixel : nil)
      confidences.append(isSeen ? Float(confidence) : 0)
    }
    let isFound = !isLost && pixels.contains { $0 != nil }
    encoder.append(
      isFound ? pixels : nil, confidences: confidences, time: context.time, to: &recording)
  }

  private func context(
    _ joints: JointPositions, root: Vector3, posture: Posture, isOutside: [Bool]?, time: Double,
    step: Double
  ) -> NoiseContext {
    let across = joints[.leftShoulder] - joints[.rightShoulder]
    let along = (joints[.centerShoulder] - joints.middle(.leftAnkle, .rightAnkle)).unit()
    let isLow = script.camera.height.value < 0.6 && !posture.isUpright
    let outside =
      isOutside
      ?? (script.noise.joints.outOfImageFactor > 1
        ? joints.values.map { !(view.pixel(root + $0).map(view.contains) ?? false) }
        : Self.nothingLost)
    return NoiseContext(
      step: step, time: time, distance: root.norm, isLying: posture.isInvertedOrLying,
      isHeadOn: isLow && along.z.magnitude > 0.9, farSide: across.z > 0 ? .right : .left,
      farShare: across.unit().z.magnitude, isOutOfImage: outside)
  }

  private func turns() -> Rotation3 {
    let size = script.noise.capture.pelvisRotation.value
    guard size > 0 else { return .identity }
    let angles = pelvisTurn.values.map { Degrees($0 * size) }
    return Rotation3.aboutX(angles[0]) * .aboutY(angles[1]) * .aboutZ(angles[2])
  }
}

extension Capture {
  static func recordedHeight(_ script: SessionScript) -> Meters {
    guard script.output.height == .measured else { return Meters(1.8) }
    let stream = RandomStream(seed: script.seed, purpose: "noise.height")
    let error = stream.gaussian(standardDeviation: script.noise.capture.measuredHeight)
    let height = script.subject.height.value * (1 + error)
    return Meters((height * 1e4).rounded() / 1e4)
  }

  static func header(
    _ script: SessionScript, view: CameraView, height: Meters
  ) -> RecordingHeader {
    let skeleton: Skeleton
    switch script.output.kind {
    case .camera, .pelvis: skeleton = .vision3d
    case .vision2d: skeleton = .vision2d
    case .coco17: skeleton = .coco17
    }
    var frame = FrameOfReference.image
    if script.output.kind == .camera { frame = .camera }
    if script.output.kind == .pelvis { frame = .pelvis }
    var header = RecordingHeader(skeleton: skeleton, joints: skeleton.joints, frame: frame)
    header.orientation = script.camera.orientation
    header.cameraPosition = script.camera.position
    header.buffer = script.camera.buffer
    if script.camera.isDeclared {
      header.bufferRotation = script.camera.headerRotation
      header.isMirrored = script.camera.isMirrored
    }
    header.subject = script.subject.name
    header.nominalRate = script.clock.rate
    header.imageWidth = view.imageWidth
    header.imageHeight = view.imageHeight
    guard skeleton == .vision3d else { return header }
    header.bodyHeight = height
    header.heightEstimation = script.output.height
    if script.camera.recordsGravity { header.up = FrameEncoder.rounded(view.up, to: 1e6) }
    return header
  }
}
