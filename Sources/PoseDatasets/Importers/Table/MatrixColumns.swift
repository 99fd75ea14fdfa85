import PoseModel

/// Finds 4x4 matrices in 16 columns, such as `camera_m00` to `camera_m33` or `cam_1` to `cam_16`.
enum MatrixColumns {
  /// How names continue after their common start, for each usual way to count the 16 numbers.
  private static let counts: [[String]] = {
    let digits = [["0", "1", "2", "3"], ["1", "2", "3", "4"]]
    let pairs = digits.map { ($0, $0) } + digits.map { ($0, ["x", "y", "z", "w"]) }
    return [0..<16, 1..<17].map { $0.map(String.init) }
      + pairs.map { first, second in first.flatMap { one in second.map { one + $0 } } }
  }()

  /// - Parameter values: The numbers of a column in the first rows.
  static func find(
    _ names: [String], _ values: (Int) -> [Double?]
  ) -> [(columns: Range<Int>, name: String)] {
    var found: [(columns: Range<Int>, name: String)] = []
    var taken = Set(names)
    var start = 0
    while start + 16 <= names.count {
      let run = start..<(start + 16)
      guard var name = name(names[run]), areRigid(run.map(values)) else {
        start += 1
        continue
      }
      while !taken.insert(name).inserted { name += "_matrix" }
      found.append((run, name))
      start += 16
    }
    return found
  }

  /// The common start of the names if they count the numbers of a matrix.
  private static func name(_ names: ArraySlice<String>) -> String? {
    guard let first = names.first, let last = names.last else { return nil }
    var start = String(zip(first, last).prefix { $0 == $1 }.map(\.0))
    while start.last?.isNumber ?? false { start.removeLast() }
    let isCounted = counts.contains { count in
      zip(names, count).allSatisfy { name, text in
        let digits = name.dropFirst(start.count).lowercased()
          .filter { $0.isNumber || "xyzw".contains($0) }
        return name.hasPrefix(start) && (digits == text || text.count == 1 && digits == "0" + text)
      }
    }
    guard isCounted else { return nil }
    let endings = ["_", ".", "[", " ", "-", "m", "_m", ".m", " m", "c", "_c", ".c", "_r"]
    let ending = endings.filter { start.hasSuffix($0) }.max { $0.count < $1.count } ?? ""
    let name = String(start.dropLast(ending.count))
    return name.isEmpty ? "matrix" : name
  }

  /// Whether every row with all 16 numbers holds a rigid transform, by columns or by rows.
  private static func areRigid(_ columns: [[Double?]]) -> Bool {
    let rows = (columns.first ?? []).indices.map { row in columns.compactMap { $0[row] } }
      .filter { $0.count == 16 }
    return !rows.isEmpty
      && rows.allSatisfy { row in
        let turned = row.indices.map { row[4 * ($0 % 4) + $0 / 4] }
        return [row, turned].contains { CameraMatrix(columnMajor: $0)?.turnsRigidly ?? false }
      }
  }
}
