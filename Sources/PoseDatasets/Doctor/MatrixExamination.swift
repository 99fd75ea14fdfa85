import PoseModel
import PoseRecording

extension TableExamination {
  mutating func examineMatrices(_ fields: FieldSearch) {
    if builtIn == nil {
      for path in fields.matrices {
        let name = path.text.lowercased()
        if map.camera == nil, name.contains("camera") {
          map.camera = path
        } else if map.anchor == nil, name.contains("transform") || name.contains("anchor") {
          map.anchor = path
        }
      }
    }
    for path in fields.matrices where path != map.camera && path != map.anchor {
      warnOfUnused(path, "its name says neither camera nor anchor or transform")
    }
    examineOrder()
  }

  mutating func warnOfUnused(_ matrix: FieldPath, _ reason: String) {
    diagnosis.warn(
      "the matrix `\(matrix.text)` is not used: \(reason)",
      "if it turns the joints, name it in the map as `camera_matrix` (with `frame: pelvis`) or "
        + "`anchor_matrix`")
  }

  /// Whether columns or rows come first shows in where a transform has its zeros.
  private mutating func examineOrder() {
    var path = map.camera ?? map.anchor
    if path == nil, case .point(let joint)? = map.joints[.leftShoulder] ?? map.joints.first?.value {
      path = joint
    }
    guard let path else { return }
    var reader = FieldReader(path)
    let matrices = samples.compactMap { reader.field(of: $0)?.flatNumbers }.filter {
      $0.count == 16
    }
    guard !matrices.isEmpty else { return }
    let byColumns = matrices.count { isZero($0[3]) && isZero($0[7]) && isZero($0[11]) }
    let byRows = matrices.count { isZero($0[12]) && isZero($0[13]) && isZero($0[14]) }
    if byRows > byColumns { map.matrices = .rows }
    diagnosis.conclude(
      "matrix", "`\(path.text)`, \(map.matrices.rawValue) first",
      byRows == byColumns ? .likely : .sure, "where its zeros are")
  }

  private func isZero(_ number: Double) -> Bool { number.magnitude < 1e-9 }
}
