package import Evaluation

package struct ParetoFront: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package let cell: Int
    package let values: [Double]
    /// The cost of one unit of the first metric in each other metric, when moving to the previous
    /// point; nil for a metric that is not worse there.
    package let costOfFirst: [Double?]?
  }

  package let metrics: [MetricKey]
  package let points: [Point]

  /// A dominates B if it is worse in no metric and better in one; differences that rounding
  /// explains are none.
  ///
  /// Cells in which a metric is undefined are left out. Of cells with equal values, the first in
  /// the declared order stays. O(cells log cells + cells x points).
  package init(_ metrics: [MetricKey], _ chooser: Chooser, _ drawn: [Int]) {
    self.metrics = metrics
    let order = PreferenceOrder(chooser.grid)
    var rows: [(cell: Int, gains: [Double])] = []
    for (position, cell) in chooser.table.cells.ids.enumerated() {
      let isFeasible = chooser.goal.constraints.allSatisfy {
        $0.violation(chooser.table.value($0.metric, at: position, drawn)) == 0
      }
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
    return zip(to, from).dropFirst().map {
      $0 < $1 && !isRounding($0, $1) ? ($1 - $0) / step : nil
    }
  }

  /// By 1e-9 of the larger one, or by 1e-12: sums of the same times in another order differ by
  /// about 1e-16.
  package static func isRounding(_ a: Double, _ b: Double) -> Bool {
    (a - b).magnitude <= max(1e-12, 1e-9 * max(a.magnitude, b.magnitude))
  }
}
