package import PlankDetection

/// The objective around a chosen cell, or around the best one of a sweep, for figures.
package struct ObjectiveViews: Hashable, Sendable, Codable {
  /// The objective along one axis through the chosen cell.
  package struct Profile: Hashable, Sendable, Codable {
    /// The parameter.
    package let parameter: ParameterKey
    /// The unit of its values.
    package let unit: MeasurementUnit
    /// The values of the axis, ascending.
    package let values: [Double]
    /// The objective at every value; nil if a cell is degenerate or the metric undefined.
    package let objective: [Double?]
    /// The position of the chosen cell.
    package let chosen: Int
  }

  /// The objective over two axes through the chosen cell.
  package struct Slice: Hashable, Sendable, Codable {
    /// The axis of the rows, an index of `profiles`.
    package let rowAxis: Int
    /// The axis of the columns, an index of `profiles`.
    package let columnAxis: Int
    /// The objective, row after row.
    package let objective: [[Double?]]
    /// Whether a cell lies on the plateau.
    package let isOnPlateau: [[Bool]]

    private enum CodingKeys: String, CodingKey {
      case objective
      case rowAxis = "row_axis"
      case columnAxis = "column_axis"
      case isOnPlateau = "is_on_plateau"
    }
  }

  /// One profile per axis with more than one value.
  package let profiles: [Profile]
  /// The two axes along which the objective changes most; nil with fewer than two.
  package let slice: Slice?

  /// Nothing to show.
  init() {
    profiles = []
    slice = nil
  }

  /// Reads the objective around a choice.
  ///
  /// - Parameter drawn: the subjects on which the choice was made.
  init(_ chooser: Chooser, _ choice: Choice, _ drawn: [Int]) {
    let plateau = Set(choice.plateau?.cells ?? [])
    self.init(
      chooser.grid, around: choice.cell, isOnPlateau: { cell, _ in plateau.contains(cell) },
      values: { cells in
        cells.map { cell in
          chooser.table.cells.position(of: cell).flatMap {
            chooser.table.value(chooser.goal.objective, at: $0, drawn)
          }
        }
      })
  }

  /// Reads the objective around a cell.
  ///
  /// - Parameters:
  ///   - isOnPlateau: whether a cell with its objective counts as good.
  ///   - values: the objective of some cells, in their order; nil where it is degenerate or
  ///     undefined.
  init(
    _ grid: StreamGrid, around cell: Int, isOnPlateau: (Int, Double?) -> Bool,
    values: ([Int]) throws -> [Double?]
  ) rethrows {
    let lines = Lines(grid, cell)
    profiles = try lines.axes.map { axis in
      let resolved = lines.variant.axes[axis]
      return Profile(
        parameter: resolved.key, unit: resolved.definition.unit, values: resolved.values,
        objective: try values(
          resolved.values.indices.map { lines.cell([(axis: axis, digit: $0)]) }),
        chosen: lines.digits[axis])
    }
    let spans = profiles.map { profile in
      let values = profile.objective.compactMap(\.self)
      return (values.max() ?? 0) - (values.min() ?? 0)
    }
    let ranked = spans.indices.sorted { spans[$0] != spans[$1] ? spans[$0] > spans[$1] : $0 < $1 }
    guard ranked.count > 1 else {
      slice = nil
      return
    }
    let (row, column) = (min(ranked[0], ranked[1]), max(ranked[0], ranked[1]))
    let cells = lines.plane(row, column)
    let objective = try cells.map(values)
    slice = Slice(
      rowAxis: row, columnAxis: column, objective: objective,
      isOnPlateau: zip(cells, objective).map { zip($0, $1).map(isOnPlateau) })
  }

  /// The cells on lines and planes through one cell.
  private struct Lines {
    let variant: VariantGrid
    let first: Int
    let digits: [Int]
    /// The axes with more than one value.
    let axes: [Int]

    init(_ grid: StreamGrid, _ cell: Int) {
      let (index, local) = grid.locate(cell)
      variant = grid.variants[index]
      first = grid.cells(of: index).lowerBound
      digits = variant.digits(of: local)
      axes = variant.axes.indices.filter { [variant] in variant.axes[$0].values.count > 1 }
    }

    func cell(_ changes: [(axis: Int, digit: Int)]) -> Int {
      var moved = digits
      for change in changes { moved[change.axis] = change.digit }
      return first + variant.cell(at: moved)
    }

    /// The cells over two of `axes`, row after row.
    func plane(_ row: Int, _ column: Int) -> [[Int]] {
      variant.axes[axes[row]].values.indices.map { rowDigit in
        variant.axes[axes[column]].values.indices.map { columnDigit in
          cell([(axis: axes[row], digit: rowDigit), (axis: axes[column], digit: columnDigit)])
        }
      }
    }
  }
}

extension ObjectiveViews {
  private enum CodingKeys: String, CodingKey { case profiles, slice }

  /// Reads views that can be drawn.
  ///
  /// - Throws: `DecodingError` for lists that do not fit together, and for numbers of 1e9 and more,
  ///   for which axes have no room.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    profiles = try container.decode([Profile].self, forKey: .profiles)
    slice = try container.decodeIfPresent(Slice.self, forKey: .slice)
    guard profiles.allSatisfy(\.isConsistent), slice?.fits(profiles) ?? true else {
      throw DecodingError.dataCorruptedError(
        forKey: .profiles, in: container,
        debugDescription: "has lists of different lengths, or numbers that no picture can show")
    }
  }

  /// All values of the objective that are known.
  package var known: [Double] {
    profiles.flatMap { $0.objective.compactMap(\.self) }
      + (slice?.objective.joined().compactMap(\.self) ?? [])
  }

  /// Whether axes have room for a number.
  fileprivate static func isDrawable(_ number: Double) -> Bool { number.magnitude < 1e9 }
}

extension ObjectiveViews.Profile {
  /// Whether every value has its objective, and all of them can be drawn.
  fileprivate var isConsistent: Bool {
    values.indices.contains(chosen) && objective.count == values.count
      && (values + objective.compactMap(\.self)).allSatisfy(ObjectiveViews.isDrawable)
  }
}

extension ObjectiveViews.Slice {
  /// Whether there is a cell for every pair of values of two profiles, and all can be drawn.
  fileprivate func fits(_ profiles: [ObjectiveViews.Profile]) -> Bool {
    guard profiles.indices.contains(rowAxis), profiles.indices.contains(columnAxis) else {
      return false
    }
    let (rows, columns) = (profiles[rowAxis].values.count, profiles[columnAxis].values.count)
    return objective.count == rows && isOnPlateau.count == rows
      && objective.allSatisfy { $0.count == columns }
      && isOnPlateau.allSatisfy { $0.count == columns }
      && objective.joined().compactMap(\.self).allSatisfy(ObjectiveViews.isDrawable)
  }
}
