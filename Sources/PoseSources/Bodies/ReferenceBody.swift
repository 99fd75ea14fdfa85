package import PoseModel

/// The body to which poses without a measure are scaled.
package enum ReferenceBody {
  /// How tall it is: the reference height of the 3D body pose that the detector is made for.
  package static let height = Meters(1.8)

  /// The path shoulder-hip-knee-ankle as a share of the body height.
  package static let trunkAndLegShare = 0.779

  /// That path of the reference body.
  package static var trunkAndLegLength: Meters { Meters(trunkAndLegShare * height.value) }

  /// The factor from a clip's units to meters: the median path becomes the reference body's.
  ///
  /// - Returns: nil where no frame shows the whole path, or it has no length.
  static func metersPerUnit(of clip: [BodyPose]) -> Double? {
    let lengths = clip.compactMap(\.trunkAndLegLength)
    guard let median = lengths.median, median > 0, median.isFinite else { return nil }
    let factor = trunkAndLegLength.value / median
    return factor.isFinite && factor > 0 ? factor : nil
  }

  /// The height of a body of known size, by the same share.
  static func height(trunkAndLegLength length: Double) -> Meters {
    Meters(length / trunkAndLegShare)
  }
}
