package import Evaluation
package import PlankDetection
internal import PoseModel

package struct GridDiagnostics: Hashable, Sendable {
  /// The axes along which the grid should be extended.
  ///
  /// Such an axis matters, and its parameter allows values beyond the first or last one, which the
  /// best configuration and every equally good one that meets the constraints have.
  package let edgeAxes: [ParameterKey]
  package let inertAxes: [ParameterKey]
  package let neverAnswered: [String]
  /// Sequences with a true transition in which the chosen configuration's answer never changes.
  package let stuckSequences: [String]
  package let rejectedCount: Int

  /// `chosen` has only the chosen configuration, with every recording by itself; nil if the
  /// chooser's table already has that.
  package init(
    _ chooser: Chooser, _ choice: Choice, _ drawn: [Int], chosen: SubjectTable? = nil
  ) {
    let table = chooser.table
    let variant = chooser.grid.locate(choice.cell).variant
    let surface = Surface(chooser, variant, drawn)
    let best = chooser.grid.locate(choice.bestCell)
    let firstCell = chooser.grid.cells(of: variant).lowerBound
    func keepsConstraints(_ cell: Int) -> Bool {
      table.cells.position(of: firstCell + cell).map {
        chooser.goal.isKept(table, drawn, at: $0)
      } ?? false
    }
    let inertAxes = surface.inertAxes
    self.inertAxes = inertAxes
    edgeAxes = surface.varied.filter { index, axis in
      best.variant == variant && !inertAxes.contains(axis.key)
        && surface.digits(index, asGoodAs: best.local, where: keepsConstraints)
          .allSatisfy(axis.canBeWidened(at:))
    }.map(\.axis.key)
    rejectedCount = chooser.grid.cellCount - table.cells.ids.count
    let position = table.cells.position(of: choice.cell) ?? 0
    let sequences = drawn.flatMap { table.sequences[$0] }
    neverAnswered = Self.neverAnswered(table.cells, position, sequences)
    let (own, place) = (chosen ?? table, chosen == nil ? position : 0)
    let facts = own.cells.layout.facts.sequences
    stuckSequences = Set(drawn.flatMap { own.sequences[$0] }).sorted().filter {
      facts[$0].trueTransitions > 0 && own.cells.transitions(at: place, sequence: $0) == 0
    }.map { facts[$0].name }
  }

  static func inertAxes(_ chooser: Chooser, _ choice: Choice, _ drawn: [Int]) -> [ParameterKey] {
    Surface(chooser, chooser.grid.locate(choice.cell).variant, drawn).inertAxes
  }

  private static func neverAnswered(
    _ cells: CellTable, _ position: Int, _ sequences: [Int]
  ) -> [String] {
    let labels = cells.layout.facts.stream.labels
    var truth = Array(repeating: 0, count: labels.count)
    var answered = truth
    for sequence in sequences {
      let confusion = cells.confusion(at: position, sequence: sequence)
      for row in labels.indices {
        for column in labels.indices {
          truth[row] += confusion[row * labels.count + column]
          answered[column] += confusion[row * labels.count + column]
        }
      }
    }
    return labels.indices.filter { truth[$0] > 0 && answered[$0] == 0 }.map { labels[$0] }
  }

  private struct Surface {
    let values: [Double?]
    let lattice: MixedRadix
    let varied: [(index: Int, axis: ResolvedAxis)]
    let tolerance: Double

    init(_ chooser: Chooser, _ variant: Int, _ drawn: [Int]) {
      let range = chooser.grid.cells(of: variant)
      var values = Array(repeating: Double?.none, count: range.count)
      for (position, id) in chooser.table.cells.ids.enumerated() where range.contains(id) {
        values[id - range.lowerBound] = chooser.table.value(
          chooser.goal.objective, at: position, drawn)
      }
      self.values = values
      lattice = chooser.grid.variants[variant].radix
      varied = chooser.grid.variants[variant].axes.enumerated()
        .filter { $1.values.count > 1 }.map { (index: $0, axis: $1) }
      tolerance = max(chooser.goal.tolerance, 1e-12)
    }

    func digits(_ axis: Int, asGoodAs best: Int, where isKept: (Int) -> Bool) -> Set<Int> {
      let tied = values.indices.filter { $0 == best || values[$0] == values[best] && isKept($0) }
      return Set(tied.map { lattice.digit($0, axis) })
    }

    var inertAxes: [ParameterKey] { varied.filter { isInert($0.index) }.map(\.axis.key) }

    private func isInert(_ axis: Int) -> Bool {
      for cell in 0..<lattice.count where lattice.digit(cell, axis) == 0 {
        var (least, most) = (Double.infinity, -Double.infinity)
        for step in 0..<lattice.bases[axis] {
          guard let value = values[cell + step * lattice.strides[axis]] else { continue }
          (least, most) = (min(least, value), max(most, value))
        }
        if most - least > tolerance { return false }
      }
      return true
    }
  }
}

extension ResolvedAxis {
  fileprivate func canBeWidened(at digit: Int) -> Bool {
    (digit == 0 && values[digit] > definition.range.lowerBound)
      || (digit == values.count - 1 && values[digit] < definition.range.upperBound)
  }
}

package struct ParetoFront: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package let cell: Int
    package let values: [Double]
    /// The loss in each other metric per unit gained in the first metric, when moving to the
    /// previous point; nil for a metric that does not get worse.
    package let costOfFirst: [Double?]?
  }

  package let metrics: [MetricKey]
  package let points: [Point]

  /// Finds the points that no other configuration dominates.
  ///
  /// A dominates B if it is worse in no metric and better in one; differences that rounding
  /// explains do not count. Configurations in which a metric is undefined are left out. Of
  /// configurations with equal values, the first by `PreferenceOrder` stays.
  ///
  /// - Complexity: O(configurations log configurations + configurations x points).
  package init(_ metrics: [MetricKey], _ chooser: Chooser, _ drawn: [Int]) {
    self.metrics = metrics
    let order = PreferenceOrder(chooser.grid)
    var rows: [(cell: Int, gains: [Double])] = []
    for (position, cell) in chooser.table.cells.ids.enumerated() {
      let isFeasible = chooser.goal.isKept(chooser.table, drawn, at: position)
      let gains = metrics.compactMap { metric in
        chooser.table.value(metric, at: position, drawn).map {
          metric.metric.higherIsBetter ? $0 : -$0
        }
      }
      if isFeasible, gains.count == metrics.count { rows.append((cell: cell, gains: gains)) }
    }
    rows.sort { left, right in
      if left.gains != right.gains { return right.gains.lexicographicallyPrecedes(left.gains) }
      return order.prefers(left.cell, to: right.cell)
    }
    var front: [(cell: Int, gains: [Double])] = []
    for row in rows where !front.contains(where: { Self.covers($0.gains, row.gains) }) {
      front.append(row)
    }
    points = front.indices.map { index in
      Point(
        cell: front[index].cell,
        values: zip(metrics, front[index].gains).map { $0.metric.higherIsBetter ? $1 : -$1 },
        costOfFirst: index == 0
          ? nil : Self.cost(from: front[index].gains, to: front[index - 1].gains))
    }
  }

  private static func covers(_ a: [Double], _ b: [Double]) -> Bool {
    zip(a, b).allSatisfy { $0 >= $1 || isRounding($0, $1) }
  }

  private static func cost(from: [Double], to: [Double]) -> [Double?] {
    let step = to[0] - from[0]
    guard step > 0, !isRounding(to[0], from[0]) else { return to.dropFirst().map { _ in nil } }
    return zip(to, from).dropFirst().map { $0 < $1 && !isRounding($0, $1) ? ($1 - $0) / step : nil }
  }

  /// Whether two numbers differ by at most 1e-9 of the larger one, or by at most 1e-12.
  ///
  /// Sums of the same times in different orders differ by about 1e-16.
  package static func isRounding(_ a: Double, _ b: Double) -> Bool {
    (a - b).magnitude <= max(1e-12, 1e-9 * max(a.magnitude, b.magnitude))
  }
}
