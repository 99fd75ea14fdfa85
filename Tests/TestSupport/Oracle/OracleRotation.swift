/// A 3x3 matrix by its columns, as the upper left part of a column-major camera matrix.
package struct OracleRotation: Sendable, Equatable {
  /// The images of the three axes.
  package var columns: [SIMD3<Double>]

  /// Takes the upper left 3x3 part of 16 column-major numbers; nil for another count.
  package init?(columnMajor numbers: [Double]) {
    guard numbers.count == 16 else { return nil }
    columns = [0, 4, 8].map { SIMD3(numbers[$0], numbers[$0 + 1], numbers[$0 + 2]) }
  }

  /// Makes a matrix of three columns.
  package init(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) {
    columns = [x, y, z]
  }

  /// M v.
  package func applied(to v: SIMD3<Double>) -> SIMD3<Double> {
    columns[0] * v.x + columns[1] * v.y + columns[2] * v.z
  }

  /// Transposed M times v: the inverse rotation.
  package func appliedInversely(to v: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((columns[0] * v).sum(), (columns[1] * v).sum(), (columns[2] * v).sum())
  }

  /// F M F with F = diag(-1, 1, 1): the same rotation seen in a mirror.
  package var conjugatedByMirror: OracleRotation {
    let f = SIMD3<Double>(-1, 1, 1)
    return OracleRotation(-(columns[0] * f), columns[1] * f, columns[2] * f)
  }
}
