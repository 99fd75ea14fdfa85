extension TableDivision {
  /// The row ranges of a table's sequences, in order; together they hold every row.
  ///
  /// The step of a row is the median of abs(now - before) over x and y of all landmarks of the
  /// table, each compared with its last finite number, so that a missing value hides no jump. A
  /// row of which nothing can be compared continues its clip.
  func ranges(of table: LandmarkTable) -> [Range<Int>] {
    switch self {
    case .stills: return (0..<table.rowCount).map { $0..<$0 + 1 }
    case .clips(let limit):
      let starts = Self.steps(of: table).enumerated()
        .filter { row, step in row == 0 || step.map { $0 > limit } ?? false }.map(\.offset)
      return zip(starts, starts.dropFirst() + [table.rowCount]).map { $0..<$1 }
    }
  }

  /// The median step from the row before to every row; nil where nothing can be compared.
  private static func steps(of table: LandmarkTable) -> [Double?] {
    let inImage = table.columns.coordinates.indices.filter {
      table.columns.coordinates[$0].isInImage
    }
    var last = Array(repeating: Double.nan, count: table.columns.coordinates.count)
    return (0..<table.rowCount).map { row in
      let numbers = table.numbers(ofRow: row)
      var steps: [Double] = []
      for slot in inImage {
        let number = numbers[numbers.startIndex + slot]
        guard number.isFinite else { continue }
        if last[slot].isFinite { steps.append((number - last[slot]).magnitude) }
        last[slot] = number
      }
      return steps.median
    }
  }
}
