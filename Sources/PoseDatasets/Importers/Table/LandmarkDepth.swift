import PoseModel

/// How the depth of landmarks is corrected.
///
/// MediaPipe's image landmarks exaggerate depth: in videos of planks, the depth between the sides
/// of shoulders and hips is 2.4 times too large. MediaPipe's world landmarks do not exaggerate
/// depth.
package enum LandmarkDepth: Hashable, Sendable {
  case scaled(Double)
  /// Multiplies z by one factor per table that gives shoulders and hips their usual widths.
  case anatomical

  package static let asItIs = LandmarkDepth.scaled(1)
  private static let factors = 0.05...20.0

  init(_ node: YAMLNode) throws {
    let text = try node.string()
    if text == "anatomical" {
      self = .anatomical
    } else if let factor = Double(decimal: text), Self.factors.contains(factor) {
      self = .scaled(factor)
    } else {
      throw node.error(
        allowed: "a factor from 0.05 to 20, or `anatomical`",
        remedy: NearestNames.hint(text, among: ["anatomical"]) + "omit it to keep depths unchanged"
      )
    }
  }

  var text: String {
    switch self {
    case .scaled(let factor): "\(factor)"
    case .anatomical: "anatomical"
    }
  }

  func factor(of poses: some Sequence<BodyPose>) -> Double? {
    switch self {
    case .scaled(let factor): factor
    case .anatomical: poses.flatMap(Self.factors(of:)).median
    }
  }

  /// Widths of shoulders and hips in body heights: medians over 85 sequences with 27 people, from
  /// films in which MediaPipe found world landmarks.
  private static let widths: [(left: Joint, right: Joint, width: Double)] = [
    (.leftShoulder, .rightShoulder, 0.207), (.leftHip, .rightHip, 0.135),
  ]

  /// Returns the factors at which the shoulders and the hips of a pose have their usual widths.
  ///
  /// A width gives no factor if the smallest factor makes it too large or the largest factor leaves
  /// it too small. Bisection finds the factor, because the body height also depends on it.
  private static func factors(of pose: BodyPose) -> [Double] {
    widths.compactMap { left, right, width in
      func excess(_ factor: Double) -> Double? {
        let scaled = pose.deepened(by: factor)
        guard let one = scaled.positions[left], let other = scaled.positions[right],
          let length = scaled.trunkAndLegLength, length > 0
        else { return nil }
        return (one - other).norm * ReferenceBody.trunkAndLegShare / length - width
      }
      var (low, high) = (factors.lowerBound, factors.upperBound)
      guard let least = excess(low), let most = excess(high), least < 0, most > 0 else {
        return nil
      }
      for _ in 0..<40 {
        let middle = (low + high) / 2
        if excess(middle) ?? 0 < 0 { low = middle } else { high = middle }
      }
      return low
    }
  }
}

extension BodyPose {
  func deepened(by factor: Double) -> BodyPose {
    factor == 1 ? self : map { Vector3($0.x, $0.y, $0.z * factor) }
  }
}
