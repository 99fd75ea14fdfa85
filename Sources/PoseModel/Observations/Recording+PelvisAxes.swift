extension Recording {
  /// How near to a pelvis's own axes joints must lie to look fixed to it, in meters.
  public static let pelvisTolerance = Meters(1e-3)
  /// The share of poses that must look fixed to the pelvis before a recording does.
  public static let pelvisShare = 0.95

  /// Whether the positions look fixed to the pelvis, whatever the header says.
  ///
  /// In 95 % of the poses the left hip lies on the x axis and the spine has no depth, within
  /// 1 mm each: a moving body does not do that in the axes of a camera.
  public var looksFixedToPelvis: Bool {
    let (fixed, poses) = posesFixedToPelvis
    return fixed > 0 && Double(fixed) >= Self.pelvisShare * Double(poses)
  }

  /// In how many poses the joints look fixed to the pelvis, and how many poses there are.
  ///
  /// None does in a 2D skeleton.
  ///
  /// - Complexity: O(frames).
  public var posesFixedToPelvis: (fixed: Int, poses: Int) {
    let posed = (0..<frameCount).filter { hasPose(at: $0) }
    guard header.skeleton == .vision3d else { return (fixed: 0, poses: posed.count) }
    let fixed = posed.count { frame in
      guard let hip = position(of: .leftHip, at: frame),
        let spine = position(of: .spine, at: frame)
      else { return false }
      return max(hip.y.magnitude, hip.z.magnitude, spine.z.magnitude)
        < Self.pelvisTolerance.value
    }
    return (fixed: fixed, poses: posed.count)
  }
}
