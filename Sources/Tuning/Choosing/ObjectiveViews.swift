package import Evaluation
package import PlankDetection
package import PoseModel

package struct ObjectiveViews: Hashable, Sendable, Codable {
  package struct Profile: Hashable, Sendable, Codable {
    package let parameter: ParameterKey
    package let unit: MeasurementUnit
    package let values: [Double]
    package let objective: [Double?]
    package let chosen: Int
  }

  package struct Slice: Hashable, Sendable, Codable {
    package let rowAxis: Int
    package let columnAxis: Int
    package let objective: [[Double?]]
    package let isOnPlateau: [[Bool]]

    private enum CodingKeys: String, SnakeCaseKey {
      case objective, rowAxis, columnAxis, isOnPlateau
    }
  }

  package let profiles: [Profile]
  package let slice: Slice?

  init() {
    profiles = []
    slice = nil
  }

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

  private struct Lines {
    let variant: VariantGrid
    let first: Int
    let digits: [Int]
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

  /// Throws for lists of different lengths, and for numbers of 1e9 or more.
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

  package var known: [Double] {
    profiles.flatMap { $0.objective.compactMap(\.self) }
      + (slice?.objective.joined().compactMap(\.self) ?? [])
  }

  fileprivate static func isDrawable(_ number: Double) -> Bool { number.magnitude < 1e9 }
}

extension ObjectiveViews.Profile {
  fileprivate var isConsistent: Bool {
    values.indices.contains(chosen) && objective.count == values.count
      && (values + objective.compactMap(\.self)).allSatisfy(ObjectiveViews.isDrawable)
  }
}

extension ObjectiveViews.Slice {
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

package struct MetricConstraint: Codable, Hashable, Sendable, CustomStringConvertible {
  package enum Side: String, CaseIterable, Codable, Hashable, Sendable {
    case atMost = "<="
    case atLeast = ">="
  }

  package let metric: MetricKey
  package let side: Side
  package let bound: Double

  package init(_ metric: MetricKey, _ side: Side, _ bound: Double) {
    self.metric = metric
    self.side = side
    self.bound = bound
  }

  package var description: String { "\(metric) \(side.rawValue) \(bound)" }

  /// How far a value is beyond the bound, relative to the size of the bound.
  ///
  /// A bound of 0 has size 1; an undefined value is infinitely far beyond the bound.
  package func violation(_ value: Double?) -> Double {
    guard let value else { return .infinity }
    let beyond = side == .atMost ? value - bound : bound - value
    return max(0, beyond / (bound == 0 ? 1 : bound.magnitude))
  }
}

package struct TuningGoal: Hashable, Sendable {
  package let objective: MetricKey
  package let constraints: [MetricConstraint]
  package let tolerance: Double

  package init(
    _ objective: MetricKey, constraints: [MetricConstraint] = [], tolerance: Double = 0
  ) throws {
    precondition(tolerance >= 0, "a tolerance is not negative")
    for constraint in constraints where constraint.metric.stream != objective.stream {
      throw TuningError.mixedStreams(constraint.metric.description, expected: objective.stream)
    }
    self.objective = objective
    self.constraints = constraints
    self.tolerance = tolerance
  }

  package var stream: AnswerStream { objective.stream }

  func gain(_ value: Double) -> Double { objective.metric.higherIsBetter ? value : -value }
}
