/// The transform from a body's pelvis frame to the camera: Vision's `cameraOriginMatrix`.
///
/// p_cam = R p + t. Only R is used to turn joints: a few degrees of noise in R, over the two meters
/// of t, would make t useless for motion.
public struct CameraMatrix: Hashable, Sendable {
  /// The rotation part R.
  public var rotation: Rotation3

  /// The translation t in meters.
  public var translation: Vector3

  /// The bottom row, (0, 0, 0, 1) in every rigid transform; kept so that nothing is lost.
  public var bottomRow: SIMD4<Double>

  /// Makes a rigid transform.
  public init(rotation: Rotation3, translation: Vector3) {
    self.rotation = rotation
    self.translation = translation
    bottomRow = SIMD4(0, 0, 0, 1)
  }

  /// Makes a transform from 16 entries in column-major order.
  ///
  /// - Returns: nil unless there are exactly 16 finite entries.
  public init?(columnMajor entries: [Double]) {
    guard entries.count == 16, entries.allSatisfy({ $0.isFinite }) else { return nil }
    func column(_ k: Int) -> Vector3 {
      Vector3(entries[4 * k], entries[4 * k + 1], entries[4 * k + 2])
    }
    rotation = Rotation3(column(0), column(1), column(2))
    translation = column(3)
    bottomRow = SIMD4(entries[3], entries[7], entries[11], entries[15])
  }

  /// The largest orthonormality error of R that readers and writers of recordings accept.
  public static let rotationErrorLimit = 0.1

  /// Whether R can turn joints: within `rotationErrorLimit` of a rotation, and not a reflection.
  public var turnsRigidly: Bool {
    rotation.orthonormalityError <= Self.rotationErrorLimit && rotation.determinant > 0
  }

  /// The 16 entries in column-major order.
  public var columnMajor: [Double] {
    let columns = [rotation.columns.0, rotation.columns.1, rotation.columns.2, translation]
    return columns.enumerated().flatMap { k, column in
      [column.x, column.y, column.z, bottomRow[k]]
    }
  }

  /// The transform for the image flipped left to right.
  public var mirrored: CameraMatrix {
    var result = self
    result.rotation = rotation.mirrored
    result.translation.x = -translation.x
    return result
  }
}
