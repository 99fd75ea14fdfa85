extension CameraMatrix {
  /// Takes over the columns of Vision's `cameraOriginMatrix`.
  public init(columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)) {
    self.init(Matrix4x4(columns: columns))
  }

  /// Takes over a matrix; every `Float` is kept exactly.
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

  /// A point of the pelvis frame as the camera sees it: R p + t, in meters.
  public func callAsFunction(_ point: Vector3) -> Vector3 { rotation(point) + translation }

  /// The transform that undoes this one: Rᵀ and -Rᵀ t.
  ///
  /// Exact for rigid transforms only, which is what cameras are.
  public var rigidInverse: CameraMatrix {
    let (a, b, c) = rotation.columns
    let transposed = Rotation3(
      Vector3(a.x, b.x, c.x), Vector3(a.y, b.y, c.y), Vector3(a.z, b.z, c.z))
    return CameraMatrix(rotation: transposed, translation: -transposed(translation))
  }
}
