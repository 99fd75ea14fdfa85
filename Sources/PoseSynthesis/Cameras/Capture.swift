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
      header.frame == .image ? ImageSkeleton(header.skeleton, stature: body.height.value) : nil
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
    _ positions: [Vector3], root: Vector3, view: CameraView, isLost: Bool, _ context: NoiseContext
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

  static func header(_ script: SessionScript, view: CameraView, height: Meters) -> RecordingHeader {
    let (skeleton, frame): (Skeleton, FrameOfReference) =
      switch script.output.kind {
      case .camera: (.vision3d, .camera)
      case .pelvis: (.vision3d, .pelvis)
      case .vision2d: (.vision2d, .image)
      case .coco17: (.coco17, .image)
      }
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
    if script.camera.recordsGravity { header.up = view.up.rounded(per: 1e6) }
    return header
  }
}

/// Encodes frames as a file stores them.
///
/// Positions are rounded to 0.1 mm, normalized coordinates and matrix entries to 1e-6, and pixels
/// to 0.01. The stored number is the `Float` nearest to the rounded decimal, as a reader gets it.
struct FrameEncoder {
  private let header: RecordingHeader
  private let isMirrored: Bool
  private let sources: [Joint]
  private let slotSources: [Int]
  private let sides: [BodySide?]

  init(header: RecordingHeader, isMirrored: Bool) {
    self.header = header
    self.isMirrored = isMirrored
    sources = isMirrored ? header.joints.map(\.mirrored) : header.joints
    let slots = Dictionary(uniqueKeysWithValues: header.joints.enumerated().map { ($1, $0) })
    slotSources = sources.map { slots[$0] ?? 0 }
    sides = header.joints.map { joint in
      if joint.name.hasPrefix("left") { return .left }
      return joint.name.hasPrefix("right") ? .right : nil
    }
  }

  func side(of slot: Int) -> BodySide? { sides[slot] }

  func append(
    _ joints: JointPositions, lost: [Bool], rootInCamera: Vector3, pelvisTurn: Rotation3,
    time: Double, to recording: inout Recording
  ) {
    var joints = joints
    let root = joints[.root]
    for index in joints.values.indices { joints.values[index] = joints.values[index] - root }
    var extras = FrameExtras()
    if header.frame == .pelvis {
      let frame = Self.pelvisFrame(joints)
      for index in joints.values.indices {
        joints.values[index] = frame.inverse(joints.values[index])
      }
      let halfWidth = (joints[.leftHip] - joints[.rightHip]).norm / 2
      joints[.leftHip] = Vector3(halfWidth, 0, 0)
      joints[.rightHip] = Vector3(-halfWidth, 0, 0)
      extras.camera = matrix(pelvisTurn * frame, translation: rootInCamera + root)
    }
    let sign: Double = isMirrored ? -1 : 1
    var numbers: [Float] = []
    numbers.reserveCapacity(3 * sources.count)
    for joint in sources {
      if lost[joint.index] {
        numbers += [.nan, .nan, .nan]
        continue
      }
      let p = joints[joint]
      numbers.append(Float((sign * p.x).rounded(per: 1e4)))
      numbers.append(Float(p.y.rounded(per: 1e4)))
      numbers.append(Float(p.z.rounded(per: 1e4)))
    }
    recording.append(time: Seconds(time), pose: numbers, extras: extras)
  }

  /// Pixels are counted from the lower left corner; nil appends a frame without a pose.
  func append(
    _ pixels: [(u: Double, v: Double)?]?, confidences: [Float], time: Double,
    to recording: inout Recording
  ) {
    guard let pixels else { return recording.append(time: Seconds(time), pose: nil) }
    var numbers: [Float] = []
    for source in slotSources { numbers += coordinates(pixels[source]) }
    let scores = slotSources.map { confidences[$0] }
    numbers.withUnsafeBufferPointer { pose in
      scores.withUnsafeBufferPointer { confidence in
        recording.append(time: time, pose: pose, confidences: confidence)
      }
    }
  }

  private func coordinates(_ pixel: (u: Double, v: Double)?) -> [Float] {
    let (width, height) = (Double(header.imageWidth ?? 1), Double(header.imageHeight ?? 1))
    guard let pixel else { return [.nan, .nan] }
    let u = isMirrored ? width - pixel.u : pixel.u
    if header.skeleton == .coco17 {
      return [Float(u.rounded(per: 100)), Float((height - pixel.v).rounded(per: 100))]
    }
    return [Float((u / width).rounded(per: 1e6)), Float((pixel.v / height).rounded(per: 1e6))]
  }

  private func matrix(_ rotation: Rotation3, translation: Vector3) -> CameraMatrix {
    let (a, b, c) = rotation.columns
    let matrix = CameraMatrix(
      rotation: Rotation3(a.rounded(per: 1e6), b.rounded(per: 1e6), c.rounded(per: 1e6)),
      translation: translation.rounded(per: 1e4))
    return isMirrored ? matrix.mirrored : matrix
  }

  static func pelvisFrame(_ joints: JointPositions) -> Rotation3 {
    let left = (joints[.leftHip] - joints[.rightHip]).unit(or: .unitX)
    let spine = joints[.spine] - joints[.root]
    let cranial = spine.perpendicular(to: left).unit()
    return Rotation3(left, cranial, left.cross(cranial))
  }
}

/// The joints of a 2D skeleton, derived from those of the 3D skeleton.
///
/// PlankLab chose some positions, as fractions of stature: the nose 0.06 and the eyes 0.05 in front
/// of the head's center, the eyes 0.018 and the ears 0.043 to each side, and the neck 0.03 above
/// the middle of the shoulders.
struct ImageSkeleton {
  let joints: [Joint]
  private let stature: Double

  init(_ skeleton: Skeleton, stature: Double) {
    joints = skeleton.joints
    self.stature = stature
  }

  func positions(_ body: JointPositions) -> [Vector3] {
    let up = (body[.topHead] - body[.centerHead]).unit()
    let across = body[.leftShoulder] - body[.rightShoulder]
    let left = across.perpendicular(to: up).unit(or: .unitX)
    let front = left.cross(up)
    let head = body[.centerHead]
    return joints.map { joint in
      switch joint {
      case .nose: head + front * (0.06 * stature)
      case .leftEye: head + (front * 0.05 + up * 0.012 + left * 0.018) * stature
      case .rightEye: head + (front * 0.05 + up * 0.012 - left * 0.018) * stature
      case .leftEar: head + left * (0.043 * stature)
      case .rightEar: head - left * (0.043 * stature)
      case .neck: body[.centerShoulder] + up * (0.03 * stature)
      default: body[joint]
      }
    }
  }
}
