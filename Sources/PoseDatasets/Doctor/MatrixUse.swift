import PoseModel

// Matrices that the map has no use for.
extension TableExamination {
  mutating func warnOfOtherMatrices(_ fields: FieldSearch) {
    // Joints that no recording has stand beside those that are read.
    let parents = Set(
      map.joints.values.compactMap { place in
        if case .point(let path) = place { Array(path.steps.dropLast()) } else { nil }
      })
    for path in fields.matrices where path != map.camera && path != map.anchor {
      guard !parents.contains(Array(path.steps.dropLast())) || path.steps.count < 2 else {
        continue
      }
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
