/// Small inputs of every importer: one body each, moved a little from frame to frame.
enum ImportSamples {
  /// A dump of Vision observations.
  static let visionDump: String = {
    let joints = [
      "root", "rightHip", "rightKnee", "rightAnkle", "leftHip", "leftKnee", "leftAnkle", "spine",
      "centerShoulder", "centerHead", "topHead", "leftShoulder", "leftElbow", "leftWrist",
      "rightShoulder", "rightElbow", "rightWrist",
    ]
    let positions = joints.enumerated().map { index, joint in
      "\"\(joint)\":[\(Double(index) / 20),\(Double(index) / 10),0]"
    }.joined(separator: ",")
    let matrix = "[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,-2,1]"
    return (0..<3).map { frame in
      "{\"timestamp\":\(Double(frame) / 10),\"joints\":{\(positions)},"
        + "\"cameraOriginMatrix\":\(matrix)}\n"
    }.joined()
  }()

  /// A table of MediaPipe landmarks with labels C and H.
  static let landmarks: String = {
    let body: [(String, Double, Double)] = [
      ("nose", 0.125, 0.5), ("shoulder", 0.25, 0.5), ("elbow", 0.25, 0.625),
      ("wrist", 0.125, 0.625), ("hip", 0.5, 0.5), ("knee", 0.625, 0.5), ("ankle", 0.75, 0.5),
    ]
    let points = body.flatMap { name, x, y in
      name == "nose"
        ? [(name, x, y, 0.0)] : [("left_" + name, x, y, -0.1), ("right_" + name, x, y, 0.1)]
    }
    let header = points.flatMap { point in ["x", "y", "z", "v"].map { "\(point.0)_\($0)" } }
    let rows = (0..<6).map { row in
      let fields = points.flatMap { point in
        ["\(point.1 + Double(row) / 1000)", "\(point.2)", "\(point.3)", "0.9"]
      }
      return ([row < 3 ? "C" : "H"] + fields).joined(separator: ",")
    }
    return ([(["label"] + header).joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
  }()

  /// The same table with a column of times before the label.
  static let timedLandmarks = landmarks.split(separator: "\n").enumerated()
    .map { "\($0 == 0 ? "seconds" : "\(Double($0) / 8)"),\($1)\n" }.joined()

  private static let bones: [(name: String, type: String, parent: Int, y: Double, z: Double)] = [
    ("root", "none", -1, 0, 0), ("chest", "spherical", 0, 0.25, 0),
    ("right_hip", "spherical", 0, 0, 0.125), ("right_knee", "revolute", 2, -0.5, 0),
    ("right_ankle", "spherical", 3, -0.5, 0), ("right_shoulder", "spherical", 1, 0.25, 0.25),
    ("right_elbow", "revolute", 5, -0.25, 0), ("right_wrist", "fixed", 6, -0.25, 0),
    ("left_hip", "spherical", 0, 0, -0.125), ("left_knee", "revolute", 8, -0.5, 0),
    ("left_ankle", "spherical", 9, -0.5, 0), ("left_shoulder", "spherical", 1, 0.25, -0.25),
    ("left_elbow", "revolute", 11, -0.25, 0), ("left_wrist", "fixed", 12, -0.25, 0),
  ]

  /// A skeleton in DeepMimic's format.
  static let skeleton: String = {
    let joints = bones.enumerated().map { id, bone in
      "{\"ID\": \(id), \"Name\": \"\(bone.name)\", \"Type\": \"\(bone.type)\", "
        + "\"Parent\": \(bone.parent), \"AttachX\": 0, \"AttachY\": \(bone.y), "
        + "\"AttachZ\": \(bone.z), \"AttachThetaX\": 0, \"AttachThetaY\": 0, \"AttachThetaZ\": 0}"
    }
    return "{\"Skeleton\": {\"Joints\": [\(joints.joined(separator: ",\n"))]}}"
  }()

  /// A motion of that skeleton that stands still for three frames.
  static let motion: String = {
    let numbers = bones.flatMap { bone -> [Double] in
      switch bone.type {
      case "none": [0, 1, 0, 1, 0, 0, 0]
      case "spherical": [1, 0, 0, 0]
      case "revolute": [0]
      default: []
      }
    }
    let frame = [0.25] + numbers
    return "{\"Loop\": \"wrap\", \"Frames\": \([frame, frame, frame])}"
  }()
}
