import PoseModel
import PoseRecording

extension TableExamination {
  /// Finds the matrices around the joints, and whether matrices have columns or rows first, joints'
  /// own among them.
  mutating func examineMatrices(_ fields: FieldSearch) {
    if builtIn == nil {
      for path in Self.turning(fields) {
        let name = path.text.lowercased()
        if map.anchor == nil, name.contains("anchor") {
          map.anchor = path
        } else if map.camera == nil, name.contains("camera") {
          map.camera = path
        } else if map.anchor == nil, name.contains("transform") {
          map.anchor = path
        }
      }
    }
    let points = map.joints.values.compactMap { place -> FieldPath? in
      if case .point(let path) = place { path } else { nil }
    }
    let around = [map.anchor, map.camera].compactMap { $0 }
    let count = MatrixOrderCount(of: around + points, in: samples)
    guard count.matrices > 0 else { return }
    if count.byRows > count.byColumns { map.matrices = .rows }
    let name = (map.anchor ?? map.camera).map { "`\($0.text)`" } ?? "of joints"
    let isClear = max(count.byRows, count.byColumns) > 9 * min(count.byRows, count.byColumns)
    diagnosis.conclude(
      "matrix", "\(name), \(map.matrices.rawValue) first",
      count.byRows == count.byColumns ? .unsure : isClear ? .sure : .likely,
      "where the zeros and the translation are in "
        + CountText.of(count.matrices, "matrix", plural: "matrices"),
      alternatives: isClear
        ? [] : ["matrices: \(map.matrices == .rows ? "columns" : "rows") in the map"])
  }
}

// Matrices that the map has no use for.
extension TableExamination {
  /// All matrices but those that lead from the camera to its image, which turn nothing.
  private static func turning(_ fields: FieldSearch) -> [FieldPath] {
    fields.matrices.filter { path in
      !["project", "intrinsic"].contains { path.text.lowercased().contains($0) }
    }
  }

  mutating func warnOfOtherMatrices(_ fields: FieldSearch) {
    // Joints that no recording has stand beside those that are read.
    let parents = Set(
      map.joints.values.compactMap { place in
        if case .point(let path) = place { Array(path.steps.dropLast()) } else { nil }
      })
    for path in Self.turning(fields) where path != map.camera && path != map.anchor {
      guard !parents.contains(Array(path.steps.dropLast())) || path.steps.count < 2 else {
        continue
      }
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

/// How many matrices of 16 numbers have their translation in the last column, written by columns or
/// by rows.
struct MatrixOrderCount {
  private(set) var matrices = 0
  private(set) var byColumns = 0
  private(set) var byRows = 0

  init(of paths: [FieldPath], in samples: [JSONNode]) {
    for path in paths {
      var reader = FieldReader(path)
      for sample in samples {
        guard let numbers = reader.field(of: sample)?.flatNumbers, numbers.count == 16,
          numbers.allSatisfy(\.isFinite)
        else { continue }
        matrices += 1
        let row = [numbers[3], numbers[7], numbers[11]]
        let column = [numbers[12], numbers[13], numbers[14]]
        let (isRowZero, isColumnZero) = (
          row.allSatisfy(Self.isZero), column.allSatisfy(Self.isZero)
        )
        // A matrix without a translation shows nothing.
        if isRowZero && !isColumnZero { byColumns += 1 }
        if isColumnZero && !isRowZero { byRows += 1 }
      }
    }
  }

  private static func isZero(_ number: Double) -> Bool { number.magnitude < 1e-9 }
}
