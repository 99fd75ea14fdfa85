import PoseModel

// Matrices that the map has no use for.
extension TableExamination {
  mutating func warnOfOtherMatrices(_ fields: FieldSearch) {
    for path in fields.matrices where path != map.camera && path != map.anchor {
      let name = path.text.lowercased()
      // These turn nothing: they lead from the camera to its image.
      guard !name.contains("project"), !name.contains("intrinsic") else { continue }
      warnOfUnused(path, "its name says neither camera nor anchor or transform")
    }
  }

  mutating func warnOfUnused(_ matrix: FieldPath, _ reason: String) {
    diagnosis.warn(
      "the matrix `\(matrix.text)` is not used: \(reason)",
      "if it turns the joints, name it in the map as `camera_matrix` (with `frame: pelvis`) or "
        + "`anchor_matrix`")
  }
}
