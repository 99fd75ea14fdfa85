/// A 4 x 4 matrix in the layout of `simd_float4x4`: four columns of four `Float`s.
///
/// An app passes Vision's matrices without converting them:
/// `Matrix4x4(columns: point.position.columns)`.
public struct Matrix4x4: Hashable, Sendable {
  /// The columns; the last column holds the translation.
  public var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

  /// Makes a matrix from its columns.
  public init(columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)) {
    self.columns = columns
  }

  /// Makes the matrix of a translation, whose components are rounded to `Float`.
  public init(translation: Vector3) {
    self = .identity
    columns.3 = SIMD4(Float(translation.x), Float(translation.y), Float(translation.z), 1)
  }

  /// Makes a matrix from 16 entries in column-major order, rounded to `Float`.
  ///
  /// - Returns: nil unless there are exactly 16 entries and all are finite as `Float`.
  public init?(columnMajor entries: [Double]) {
    let numbers = entries.map { Float($0) }
    guard numbers.count == 16, numbers.allSatisfy({ $0.isFinite }) else { return nil }
    func column(_ k: Int) -> SIMD4<Float> {
      SIMD4(numbers[4 * k], numbers[4 * k + 1], numbers[4 * k + 2], numbers[4 * k + 3])
    }
    columns = (column(0), column(1), column(2), column(3))
  }

  /// The identity matrix.
  public static let identity = Matrix4x4(
    columns: (SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 0, 0, 1)))

  /// The 16 entries in column-major order.
  public var columnMajor: [Float] {
    [columns.0, columns.1, columns.2, columns.3].flatMap { [$0.x, $0.y, $0.z, $0.w] }
  }

  /// The translation: the first three numbers of the last column.
  public var translation: Vector3 { Self.vector(columns.3) }

  /// The upper left 3 x 3 part.
  public var rotation: Rotation3 {
    Rotation3(Self.vector(columns.0), Self.vector(columns.1), Self.vector(columns.2))
  }

  /// Whether all entries are finite.
  public var isFinite: Bool { columnMajor.allSatisfy { $0.isFinite } }

  /// The product, which applies the right matrix first, as in simd.
  public static func * (left: Matrix4x4, right: Matrix4x4) -> Matrix4x4 {
    func image(_ v: SIMD4<Float>) -> SIMD4<Float> {
      left.columns.0 * v.x + left.columns.1 * v.y + left.columns.2 * v.z + left.columns.3 * v.w
    }
    return Matrix4x4(
      columns: (
        image(right.columns.0), image(right.columns.1), image(right.columns.2),
        image(right.columns.3)
      ))
  }

  /// Whether two matrices have equal entries.
  public static func == (left: Matrix4x4, right: Matrix4x4) -> Bool {
    left.columns == right.columns
  }

  /// Feeds the entries into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(columns.0)
    hasher.combine(columns.1)
    hasher.combine(columns.2)
    hasher.combine(columns.3)
  }

  private static func vector(_ column: SIMD4<Float>) -> Vector3 {
    Vector3(Double(column.x), Double(column.y), Double(column.z))
  }
}

extension CameraMatrix {
  /// Copies the columns of Vision's `cameraOriginMatrix`.
  public init(columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)) {
    self.init(Matrix4x4(columns: columns))
  }

  /// Converts a matrix; every `Float` is kept exactly.
  public init(_ matrix: Matrix4x4) {
    self.init(rotation: matrix.rotation, translation: matrix.translation)
    let columns = matrix.columns
    bottomRow = SIMD4(
      Double(columns.0.w), Double(columns.1.w), Double(columns.2.w), Double(columns.3.w))
  }

  /// The matrix in Vision's layout, rounded to `Float`.
  public var matrix: Matrix4x4 {
    func column(_ v: Vector3, _ last: Double) -> SIMD4<Float> {
      SIMD4(Float(v.x), Float(v.y), Float(v.z), Float(last))
    }
    let (x, y, z) = rotation.columns
    return Matrix4x4(
      columns: (
        column(x, bottomRow.x), column(y, bottomRow.y), column(z, bottomRow.z),
        column(translation, bottomRow.w)
      ))
  }

  /// Transforms a point from the pelvis frame to camera coordinates: R p + t, in meters.
  public func callAsFunction(_ point: Vector3) -> Vector3 { rotation(point) + translation }

  /// The inverse transform: Rᵀ and -Rᵀ t.
  ///
  /// The result is exact only for rigid transforms, which camera transforms are.
  public var rigidInverse: CameraMatrix {
    let inverse = rotation.transposed
    return CameraMatrix(rotation: inverse, translation: -inverse(translation))
  }
}

/// The transform from a body's pelvis frame to the camera: Vision's `cameraOriginMatrix`.
///
/// p_cam = R p + t. PlankLab turns joints by R only: at the usual distance of about two meters, a
/// few degrees of noise in the rotation make t useless for measuring motion.
public struct CameraMatrix: Hashable, Sendable {
  /// The rotation part R.
  public var rotation: Rotation3

  /// The translation t in meters.
  public var translation: Vector3

  /// The bottom row, (0, 0, 0, 1) in a rigid transform, stored so that no recorded entry is lost.
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

  /// Whether R can turn joints: it is within `rotationErrorLimit` of a rotation and is not a
  /// reflection.
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

/// The projection of a camera without distortion, from directions to pixels.
///
/// u = cx + f x / (-z) and v = cy + f y / (-z), with x right, y up and z toward the camera. Pixels
/// are counted from the lower left corner, as in Vision's normalized points.
public struct CameraIntrinsics: Hashable, Sendable {
  /// The focal length in pixels, the same for both axes because pixels are square.
  public let focalLengthPixels: Double
  /// The column of the principal point in pixels from the left.
  public let principalXPixels: Double
  /// The row of the principal point in pixels from the bottom.
  ///
  /// AVFoundation and ARKit count from the top: subtract their value from the image's height.
  public let principalYPixels: Double
  /// The width of the image in pixels.
  public let imageWidthPixels: Int
  /// The height of the image in pixels.
  public let imageHeightPixels: Int

  /// Makes intrinsics; the default principal point is the middle of the image.
  ///
  /// - Precondition: The focal length, width and height are positive.
  public init(
    focalLengthPixels: Double, principalXPixels: Double? = nil, principalYPixels: Double? = nil,
    imageWidthPixels: Int, imageHeightPixels: Int
  ) {
    precondition(
      focalLengthPixels > 0 && imageWidthPixels > 0 && imageHeightPixels > 0,
      "a camera has a positive focal length and an image")
    self.focalLengthPixels = focalLengthPixels
    self.principalXPixels = principalXPixels ?? Double(imageWidthPixels) / 2
    self.principalYPixels = principalYPixels ?? Double(imageHeightPixels) / 2
    self.imageWidthPixels = imageWidthPixels
    self.imageHeightPixels = imageHeightPixels
  }

  /// Projects a point in camera coordinates, in meters, into the image.
  ///
  /// - Returns: nil unless the point is finite and in front of the camera.
  public func project(_ point: Vector3) -> ImagePoint? {
    guard point.isFinite, point.z < 0 else { return nil }
    let u = principalXPixels + focalLengthPixels * point.x / -point.z
    let v = principalYPixels + focalLengthPixels * point.y / -point.z
    return ImagePoint(x: u / Double(imageWidthPixels), y: v / Double(imageHeightPixels))
  }
}

/// A point in an image as fractions of the image's width and height, from the lower left corner.
///
/// Fractions are in 0...1 inside the image; points outside the image are allowed.
public struct ImagePoint: Hashable, Sendable {
  /// The fraction of the width, from the left.
  public var x: Double
  /// The fraction of the height, from the bottom.
  public var y: Double

  /// Makes a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
