import PoseModel

/// Eight numbers for each pose of a recording, to find poses that occur in two files.
///
/// Each is a sum of all coordinates with signs of its own, after the pose has been moved to its
/// center and stretched to length 1. So equal poses give equal numbers whatever the order of the
/// joints, the time or the body height that an importer scaled them to, and poses that were
/// rounded differently give nearly equal ones (a random projection: Achlioptas 2003,
/// doi:10.1016/S0022-0000(03)00025-4).
struct PoseFingerprints {
  /// The recording's file.
  let path: String
  /// The numbers of each pose, in time order.
  ///
  /// Frames without any joint, or with all joints in one place, are left out.
  let values: [SIMD8<Float>]
  /// The joints that each of those poses has, a bit a joint.
  let joints: [UInt32]
  /// The frame of each of those poses.
  let frames: [Int]

  /// Takes the fingerprints of a recording's poses.
  init(path: String, recording: Recording) {
    self.path = path
    var values: [SIMD8<Float>] = []
    var joints: [UInt32] = []
    var frames: [Int] = []
    for frame in 0..<recording.frameCount where recording.hasPose(at: frame) {
      guard let print = Self.fingerprint(of: recording, at: frame) else { continue }
      values.append(print.values)
      joints.append(print.joints)
      frames.append(frame)
    }
    self.values = values
    self.joints = joints
    self.frames = frames
  }

  /// How many poses there are.
  var count: Int { values.count }

  private static func fingerprint(
    of recording: Recording, at frame: Int
  ) -> (values: SIMD8<Float>, joints: UInt32)? {
    var sums = SIMD8<Double>()
    var signSums = [SIMD8<Double>](repeating: SIMD8(), count: 3)
    var total = Vector3(0, 0, 0)
    var squares = 0.0
    var joints: UInt32 = 0
    for joint in Joint.allCases {
      guard let position = recording.position(of: joint, at: frame) else { continue }
      joints |= 1 << UInt32(joint.index)
      for (axis, number) in [position.x, position.y, position.z].enumerated() {
        let signs = signs[3 * joint.index + axis]
        sums += signs * number
        signSums[axis] += signs
      }
      total = total + position
      squares += position.dot(position)
    }
    let count = Double(joints.nonzeroBitCount)
    guard count > 0 else { return nil }
    let center = total / count
    let length = (squares - count * center.dot(center)).squareRoot()
    guard length > 1e-6 else { return nil }
    let moved =
      sums - signSums[0] * center.x - signSums[1] * center.y - signSums[2] * center.z
    return (SIMD8<Float>(moved / length), joints)
  }

  /// Eight signs for every coordinate of every joint, from a fixed stream of bits (SplitMix64).
  private static let signs: [SIMD8<Double>] = {
    var state: UInt64 = 0
    return (0..<(3 * Joint.count)).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      bits ^= bits >> 31
      var signs = SIMD8<Double>()
      for lane in 0..<8 { signs[lane] = (bits >> UInt64(lane)) & 1 == 0 ? 1 : -1 }
      return signs
    }
  }()
}
