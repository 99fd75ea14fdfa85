/// Chooses a cell: constraints, then the objective, one standard error, the plateau's center.
///
/// Breiman et al. (1984), Classification and Regression Trees, chapter 3.4, for the rule of one
/// standard error; here the error is of the difference to the best cell, paired by subject.
package struct Chooser: Sendable {
  /// The cells.
  package let grid: StreamGrid
  /// Their statistics by subject; every accepted cell of the grid is in it.
  package let table: SubjectTable
  /// What is wanted.
  package let goal: TuningGoal
  private let order: PreferenceOrder
  /// Differences up to this are rounding.
  private static let rounding = 1e-12

  /// Makes a chooser.
  package init(_ grid: StreamGrid, _ table: SubjectTable, _ goal: TuningGoal) {
    self.grid = grid
    self.table = table
    self.goal = goal
    order = PreferenceOrder(grid)
  }

  /// Chooses a cell from some subjects.
  ///
  /// - Parameter drawn: indices of the table's subjects; a subject may come more than once.
  /// - Throws: `TuningError.undefinedObjective` where the objective has no value in any cell.
  /// - Complexity: O(cells x subjects^2).
  package func choose(_ drawn: [Int]) throws(TuningError) -> Choice {
    let positions = table.cells.ids.indices
    let gains = positions.map { position in
      table.value(goal.objective, at: position, drawn).map(goal.gain)
    }
    guard gains.contains(where: { $0 != nil }) else {
      throw table.cells.ids.isEmpty
        ? .everyCellRejected(goal.stream) : .undefinedObjective(goal.objective.description)
    }
    let violations = positions.map { position in
      goal.constraints.map { $0.violation(table.value($0.metric, at: position, drawn)) }
    }
    let feasible = positions.filter { position in
      gains[position] != nil && violations[position].allSatisfy { $0 == 0 }
    }
    guard let best = self.best(feasible, gains) else {
      return leastViolating(gains, violations, drawn)
    }
    return onPlateau(best, feasible, gains, drawn)
  }

  private func best(_ positions: [Int], _ gains: [Double?]) -> Int? {
    let top = positions.compactMap { gains[$0] }.max() ?? 0
    return positions.filter { (gains[$0] ?? -.infinity) >= top - Self.rounding }
      .min { order.prefers(table.cells.ids[$0], to: table.cells.ids[$1]) }
  }

  private func leastViolating(
    _ gains: [Double?], _ violations: [[Double]], _ drawn: [Int]
  ) -> Choice {
    let worst = violations.map { $0.max() ?? 0 }
    let defined = gains.indices.filter { gains[$0] != nil }
    let least = defined.map { worst[$0] }.min() ?? 0
    let position =
      best(defined.filter { worst[$0] <= least + Self.rounding }, gains) ?? defined[0]
    let binding = violations[position].firstIndex(of: worst[position]) ?? 0
    let constraint = goal.constraints[binding]
    let objective = goal.gain(gains[position] ?? 0)
    return Choice(
      cell: table.cells.ids[position], objective: objective,
      bestCell: table.cells.ids[position], bestObjective: objective,
      feasibility: .infeasible(
        binding: constraint, value: table.value(constraint.metric, at: position, drawn)),
      feasibleCount: 0, standardError: nil, plateau: nil, isKnifeEdge: false)
  }

  private func onPlateau(
    _ best: Int, _ feasible: [Int], _ gains: [Double?], _ drawn: [Int]
  ) -> Choice {
    let paired = PairedErrors(table, goal.objective, best: best, drawn)
    let top = gains[best] ?? 0
    let candidates = feasible.filter { position in
      let loss = top - (gains[position] ?? -.infinity)
      return loss <= max(goal.tolerance, Self.rounding)
        || loss <= paired.standardError(of: position) ?? 0
    }
    let ids = table.cells.ids
    let plateau = bestPlateau(candidates.map { ids[$0] }) { id in
      (table.cells.position(of: id).flatMap { gains[$0] }) ?? -.infinity
    }
    let cell = plateau?.center ?? ids[best]
    let position = table.cells.position(of: cell) ?? best
    let error = paired.standardError(of: position)
    let isKnifeEdge = plateau.map { plateau in
      plateau.touchesCliff
        || drops(cell, gains, by: max(goal.tolerance, error ?? 0))
    }
    return Choice(
      cell: cell, objective: goal.gain(gains[position] ?? 0), bestCell: ids[best],
      bestObjective: goal.gain(top), feasibility: .feasible, feasibleCount: feasible.count,
      standardError: error, plateau: plateau, isKnifeEdge: isKnifeEdge ?? true)
  }

  /// The best plateau over all variants: by margin, size, gain and the declared order.
  private func bestPlateau(_ candidates: [Int], gain: (Int) -> Double) -> Plateau? {
    var best: Plateau?
    for variant in grid.variants.indices {
      let range = grid.cells(of: variant)
      let mine = candidates.filter(range.contains)
      guard !mine.isEmpty else { continue }
      var members = Array(repeating: false, count: range.count)
      var evaluated = members
      for cell in mine { members[cell - range.lowerBound] = true }
      for cell in table.cells.ids where range.contains(cell) {
        evaluated[cell - range.lowerBound] = true
      }
      let plateau = Plateau.best(
        members, evaluated: evaluated, grid, variant: variant, gain: gain)
      guard let plateau else { continue }
      guard let other = best else {
        best = plateau
        continue
      }
      let (a, b) = (
        (plateau.margin, plateau.cells.count, gain(plateau.center)),
        (other.margin, other.cells.count, gain(other.center))
      )
      if a > b || (a == b && order.prefers(plateau.center, to: other.center)) { best = plateau }
    }
    return best
  }

  /// Whether a cell is better than the median of its neighbors by more than a number.
  private func drops(_ cell: Int, _ gains: [Double?], by limit: Double) -> Bool {
    let (variant, local) = grid.locate(cell)
    let start = grid.cells(of: variant).lowerBound
    var around: [Double] = []
    CellLattice(grid.variants[variant]).forEachNeighbor(local) { neighbor in
      let position = table.cells.position(of: start + neighbor)
      if let gain = position.flatMap({ gains[$0] }) { around.append(gain) }
    }
    guard !around.isEmpty, let own = table.cells.position(of: cell).flatMap({ gains[$0] }) else {
      return false
    }
    around.sort()
    let middle = around.count / 2
    let median =
      around.count.isMultiple(of: 2) ? (around[middle - 1] + around[middle]) / 2 : around[middle]
    return own - median > limit
  }
}
