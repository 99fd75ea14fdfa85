package import PoseModel
import PoseRecording

package struct JointOrder: Hashable, Sendable {
  package let name: String
  package let count: Int
  package let joints: [Joint: Int]

  private init(_ name: String, count: Int, _ joints: [Joint: Int]) {
    self.name = name
    self.count = count
    self.joints = joints
  }

  private init(_ name: String, _ joints: [Joint?], count: Int? = nil) {
    let places = joints.enumerated().compactMap { index, joint in joint.map { ($0, index) } }
    self.init(name, count: count ?? joints.count, Dictionary(places) { $1 })
  }

  package static let vision3d = JointOrder("Vision 3D", Skeleton.vision3d.joints)
  package static let vision2d = JointOrder("Vision 2D", Skeleton.vision2d.joints)
  package static let coco = JointOrder("COCO", Skeleton.coco17.joints)
  /// The 33 landmarks of MediaPipe (BlazePose), which ML Kit and QuickPose also use.
  package static let mediaPipe = JointOrder(
    "MediaPipe",
    "nose - leftEye - - rightEye - leftEar rightEar - - leftShoulder rightShoulder leftElbow "
      + "rightElbow leftWrist rightWrist - - - - - - leftHip rightHip leftKnee rightKnee leftAnkle "
      + "rightAnkle", count: 33)
  package static let body25 = JointOrder(
    "OpenPose BODY_25",
    "nose neck RightArm LeftArm root RightLeg LeftLeg rightEye leftEye rightEar leftEar", count: 25)
  static let body25B = JointOrder(
    "OpenPose BODY_25B", Skeleton.coco17.joints.map { $0 } + [.neck, .topHead], count: 25)
  package static let openPose18 = JointOrder(
    "OpenPose COCO",
    "nose neck RightArm LeftArm RightLeg LeftLeg rightEye leftEye rightEar leftEar", count: 18)
  package static let smpl = JointOrder(
    "SMPL",
    "root leftHip rightHip - leftKnee rightKnee spine leftAnkle rightAnkle - - - - - - centerHead "
      + "leftShoulder rightShoulder leftElbow rightElbow leftWrist rightWrist", count: 22)

  static let ofSkeletons =
    skeletons
    + [24, 45, 52, 55, 127].map { JointOrder("SMPL with other points", count: $0, smpl.joints) }
  private static let skeletons = [
    JointOrder(
      "Kinect v2",
      "root spine neck centerHead LeftArm - RightArm - LeftLeg - RightLeg - "
        + "centerShoulder", count: 25),
    JointOrder("Azure Kinect", azure, count: 32), JointOrder("ZED BODY_34", azure, count: 34),
    JointOrder(
      "ZED BODY_38",
      "root spine - - neck nose - - - - - - leftShoulder rightShoulder leftElbow "
        + "rightElbow leftWrist rightWrist leftHip rightHip leftKnee rightKnee leftAnkle "
        + "rightAnkle", count: 38),
    JointOrder(
      "CMU Panoptic", "centerShoulder - root LeftArm LeftLeg RightArm RightLeg", count: 19),
    JointOrder(
      "MPI-INF-3DHP",
      "topHead centerShoulder RightArm LeftArm RightLeg LeftLeg root spine centerHead", count: 17),
    JointOrder(
      "H36M with the left leg first",
      "root LeftLeg RightLeg spine centerShoulder - centerHead LeftArm RightArm", count: 17),
    JointOrder(
      "H36M with 32 points",
      "root RightLeg - - LeftLeg - - - spine centerShoulder - centerHead - LeftArm - - - - - "
        + "RightArm", count: 32),
    JointOrder("Fit3D", count: 25, vision3d.joints),
  ]
  private static let azure =
    "root spine - neck - LeftArm - - - - RightArm - - - LeftLeg - RightLeg - centerHead"

  /// Takes one word per point: `-` is not a joint, and `LeftArm` is shoulder, elbow and wrist.
  private init(_ name: String, _ words: String, count: Int) {
    let limbs = [
      "LeftArm": ["leftShoulder", "leftElbow", "leftWrist"],
      "RightArm": ["rightShoulder", "rightElbow", "rightWrist"],
      "LeftLeg": ["leftHip", "leftKnee", "leftAnkle"],
      "RightLeg": ["rightHip", "rightKnee", "rightAnkle"],
    ]
    let names = words.split(separator: " ").map(String.init).flatMap { limbs[$0] ?? [$0] }
    self.init(name, names.map { Joint(name: $0) }, count: count)
  }

  /// Orders that begin with COCO's 17 joints, as in the files of AlphaPose (Halpe), MMPose and
  /// trt_pose, which have one score per point.
  static let beyondCOCO =
    [26, 136].map { count in
      JointOrder("Halpe", Skeleton.coco17.joints.map { $0 } + [nil, .neck, .root], count: count)
    } + [
      JointOrder("COCO-WholeBody", Skeleton.coco17.joints.map { $0 }, count: 133), body25B,
      JointOrder("COCO with the neck last", Skeleton.coco17.joints.map { $0 } + [.neck]),
    ]
  package static let all =
    [vision3d, coco, mediaPipe, body25, openPose18, vision2d, smpl] + beyondCOCO + ofSkeletons

  package func places(of skeleton: Skeleton, at list: FieldPath) -> [Joint: TableMap.Place] {
    joints.filter { skeleton.joints.contains($0.key) }.mapValues {
      .point(list.appending(.element($0)))
    }
  }

  package func places(
    of skeleton: Skeleton, inNumbersAt list: FieldPath, perPoint count: Int
  ) -> [Joint: TableMap.Place] {
    joints.filter { skeleton.joints.contains($0.key) }.mapValues { index in
      .fields((0..<count).map { list.appending(.element(index * count + $0)) })
    }
  }
}

extension TableMap {
  /// Names in ARKit's skeleton, in which an arm begins at the shoulder joint.
  static let arKitNames: [Joint: String] = [
    .root: "hips_joint", .leftHip: "left_upLeg_joint", .rightHip: "right_upLeg_joint",
    .leftKnee: "left_leg_joint", .rightKnee: "right_leg_joint", .leftAnkle: "left_foot_joint",
    .rightAnkle: "right_foot_joint", .spine: "spine_4_joint", .centerHead: "head_joint",
    .leftShoulder: "left_arm_joint", .rightShoulder: "right_arm_joint",
    .leftElbow: "left_forearm_joint", .rightElbow: "right_forearm_joint",
    .leftWrist: "left_hand_joint", .rightWrist: "right_hand_joint",
  ]

  package static let ready: [(name: String, map: TableMap)] = [
    (
      "mediapipe-tasks",
      mediaPipe(people: "pose_world_landmarks", place: "pose_landmarks", time: "timestamp_ms")
    ),
    ("mediapipe-web", mediaPipe(people: "worldLandmarks", place: "landmarks", time: "timestamp")),
    (
      "mediapipe-ios",
      mediaPipe(people: "worldLandmarks", place: "landmarks", time: "timestampInMilliseconds")
    ),
    ("mediapipe-solutions", mediaPipe(list: "pose_world_landmarks.landmark", time: "timestamp_ms")),
    ("mediapipe-csv", mediaPipeRows), ("mlkit", mlKit), ("quickpose", quickPose),
    ("coco", coco), ("openpose", openPose), ("arkit", arKit),
    ("posenet", poseNet(.published)), ("posenet-sample", poseNet(.sample)),
  ]

  /// The name of the built-in map that reads files in the same way; nil if there is none.
  ///
  /// The comparison ignores `about`, and also image size, body height and assumed rate, which
  /// belong to a file, not to a format.
  package var readyName: String? {
    Self.ready.first { one in
      var map = self
      map.about = one.map.about
      map.imageSize = one.map.imageSize
      map.bodyHeight = one.map.bodyHeight
      if map.time.unit == .frames || map.time.field == nil { map.time.rate = one.map.time.rate }
      return map == one.map
    }?.name
  }

  func fits(_ frames: [JSONNode], layout: PoseTable.Layout) -> Bool {
    var own = layout.plain
    own.isFramePerFile = self.layout.isFramePerFile
    guard own == self.layout, poseNet == nil else { return false }
    if let times = time.field?.fields(of: frames), !times.allSatisfy({ $0?.isEmpty == false }) {
      return false
    }
    return frames.contains { frame in
      joints.values.allSatisfy { has($0, in: frame) }
        && anchor.map { has(.point($0), in: frame) } ?? true
    }
  }

  private func has(_ place: Place, in frame: JSONNode) -> Bool {
    switch place {
    case .fields(let paths): return paths.allSatisfy { $0.node(in: frame)?.number != nil }
    case .point(let path):
      guard let point = path.node(in: frame) else { return false }
      if case .object = point.content { return coordinates.allSatisfy { point[$0]?.number != nil } }
      return [3, 16].contains(point.flatNumbers.count)
    }
  }

  /// A map for tables of MediaPipe's world landmarks.
  ///
  /// The columns are `seconds`, NAME_x, NAME_y, NAME_z and NAME_v. Bodies are scaled to the
  /// reference body.
  package static var worldLandmarkTable: TableMap {
    var map = landmarks(about: "world landmarks in columns")
    map.units = .body
    map.orientation = .portrait
    map.up = .unitY
    map.time = Time(field: FieldPath("seconds"), unit: .s)
    map.joints = landmarkColumns(of: .vision3d, axes: ["x", "y", "z"])
    return map
  }

  package static var imageLandmarkTable: TableMap {
    var map = imagePoints(.vision2d)
    map.units = .image
    map.fillers = []
    map.orientation = .portrait
    map.time = Time(field: FieldPath("seconds"), unit: .s)
    map.joints = landmarkColumns(of: .vision2d, axes: ["x", "y", "v"])
    return map
  }

  private static func landmarkColumns(of skeleton: Skeleton, axes: [String]) -> [Joint: Place] {
    var joints: [Joint: Place] = [:]
    for joint in JointOrder.mediaPipe.joints.keys where skeleton.joints.contains(joint) {
      let name = joint.name.reduce(into: "") { text, letter in
        text += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
      }
      joints[joint] = .fields(axes.map { FieldPath([.key("\(name)_\($0)")]) })
    }
    return joints
  }

  /// A map for points in pixels with scores, in which missing points are 0.
  private static func imagePoints(_ skeleton: Skeleton, about: String? = nil) -> TableMap {
    var map = TableMap()
    map.about = about
    map.skeleton = skeleton
    map.frame = .image
    map.units = .pixels
    map.axes = [Axis(0), Axis(1, isNegative: true)]
    map.fillers = [.zero]
    map.confidence = Confidence(field: nil, floor: 0)
    return map
  }

  private static func landmarks(about: String) -> TableMap {
    var map = TableMap()
    map.about = about
    map.axes = [Axis(0), Axis(1, isNegative: true), Axis(2, isNegative: true)]
    return map
  }

  private static func landmarks(in list: String, numberedBy key: String) -> [Joint: Place] {
    JointOrder.mediaPipe.joints.filter { Skeleton.vision3d.joints.contains($0.key) }
      .mapValues { .point(FieldPath([.key(list), .match(key: key, text: "\($0)")])) }
  }

  private static func mediaPipe(list: String, time: String) -> TableMap {
    var map = landmarks(
      about: "MediaPipe Pose Landmarker: one object per frame, with times in milliseconds under "
        + "`\(time)` and the world landmarks under `\(list)`")
    map.time = Time(field: FieldPath(time), unit: .ms)
    map.confidence = Confidence(field: FieldPath("visibility"), floor: 0)
    map.joints = JointOrder.mediaPipe.places(of: .vision3d, at: FieldPath(list) ?? FieldPath())
    return map
  }

  private static func mediaPipe(people: String, place: String, time: String) -> TableMap {
    var map = mediaPipe(list: people + "[0]", time: time)
    map.people = People(list: FieldPath([.key(people)]), place: FieldPath([.key(place)]))
    return map
  }

  private static var mediaPipeRows: TableMap {
    var map = landmarks(
      about: "MediaPipe world landmarks as CSV, one row per landmark: timestamp_ms, landmark (0 to "
        + "32), x, y, z, visibility")
    map.layout.kind = .rows
    map.layout.group = FieldPath("timestamp_ms")
    map.confidence = Confidence(field: FieldPath("visibility"), floor: 0)
    map.time = Time(field: FieldPath("timestamp_ms"), unit: .ms)
    map.joints = landmarks(in: PoseTable.rowsKey, numberedBy: "landmark")
    map.people = People(list: FieldPath([.key(PoseTable.rowsKey)]))
    return map
  }

  private static var mlKit: TableMap {
    var map = landmarks(
      about:
        "ML Kit pose detection: landmarks with `type` (0 to 32), x, y, z in pixels of the image, "
        + "and inFrameLikelihood")
    map.units = .body
    map.time = Time(field: FieldPath("timestamp"), unit: .ms)
    map.confidence = Confidence(field: FieldPath("inFrameLikelihood"), floor: 0.5)
    map.joints = landmarks(in: "landmarks", numberedBy: "type")
    return map
  }

  private static var quickPose: TableMap {
    var map = landmarks(
      about: "QuickPose: the 33 points of allLandmarksForBody() as a list `landmarks`, in "
        + "MediaPipe's order, with a time in seconds")
    // `x` and `cameraAspectY` are both fractions of the width, whereas `y` is a fraction of the
    // height.
    map.coordinates = ["x", "cameraAspectY", "z"]
    map.units = .body
    map.time = Time(field: FieldPath("timestamp"), unit: .s)
    map.confidence = Confidence(field: FieldPath("visibility"), floor: 0)
    map.joints = JointOrder.mediaPipe.places(of: .vision3d, at: FieldPath([.key("landmarks")]))
    return map
  }

  private static var coco: TableMap {
    var map = imagePoints(
      .coco17,
      about: "COCO key points, one row per person: `image_id` counts images, `keypoints` has 51 "
        + "numbers")
    map.layout.kind = .rows
    map.layout.group = FieldPath("image_id")
    map.people = People(list: FieldPath([.key(PoseTable.rowsKey)]))
    map.time = Time(field: FieldPath("image_id"), unit: .frames, rate: 30)
    map.joints = JointOrder.coco.places(
      of: .coco17,
      inNumbersAt: FieldPath([.key(PoseTable.rowsKey), .element(0), .key("keypoints")]),
      perPoint: 3)
    return map
  }

  private static var openPose: TableMap {
    var map = imagePoints(
      .vision2d, about: "OpenPose BODY_25: one file per image with `people[n].pose_keypoints_2d`")
    map.people = People(list: FieldPath([.key("people")]))
    map.layout.isFramePerFile = true
    map.joints = JointOrder.body25.places(
      of: .vision2d, inNumbersAt: FieldPath("people[0].pose_keypoints_2d") ?? FieldPath(),
      perPoint: 3)
    return map
  }

  private static func poseNet(_ reading: PoseNetDecoding.Reading) -> TableMap {
    var map = TableMap()
    map.about =
      "PoseNet's output tensors, decoded as "
      + (reading == .sample ? "Apple's sample code does" : "TensorFlow.js does")
      + ": NumPy arrays heatmaps, offsets, fwd and bwd, and times in seconds if there are any"
    map.skeleton = .coco17
    map.frame = .image
    map.poseNet = PoseNetMap(reading)
    return map
  }

  private static var arKit: TableMap {
    var map = TableMap()
    map.about =
      "ARKit body tracking: `transform` of the ARBodyAnchor and modelTransform of joints by name"
    map.frame = .world
    map.anchor = FieldPath("transform")
    map.time = Time(field: FieldPath("timestamp"), unit: .s)
    map.joints = arKitNames.mapValues { .point(FieldPath([.key("joints"), .key($0)])) }
    return map
  }
}
