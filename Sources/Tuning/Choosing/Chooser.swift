internal import Evaluation
package import PlankDetection
internal import PoseModel
internal import Statistics

/// Chooses a configuration of a stream by the one-standard-error rule.
///
/// The rule is that of Breiman, Friedman, Olshen and Stone (1984), Classification and Regression
/// Trees, chapter 3.4. Here, the error is that of the difference from the best configuration,
/// paired by subject.
package struct Chooser: Sendable {
  package let grid: StreamGrid
  package let table: SubjectTable
  package let goal: TuningGoal
  private let classes: ClassMedians?
  private let order: PreferenceOrder
  private static let rounding = 1e-12

  package init(
    _ grid: StreamGrid, _ table: SubjectTable, _ goal: TuningGoal, classes: ClassMedians? = nil
  ) {
    self.grid = grid
    self.table = table
    self.goal = goal
    self.classes = classes
    order = PreferenceOrder(grid)
  }

  /// Chooses for drawn subjects, which are indices of the table's subjects, with repetitions.
  ///
  /// - Throws: `undefinedObjective` if the objective has no value in any configuration.
  /// - Complexity: O(configurations x subjects^2).
  package func choose(_ drawn: [Int]) throws -> Choice {
    let positions = table.cells.ids.indices
    let gains = positions.map { position in
      table.value(goal.objective, at: position, drawn).map(goal.gain)
    }
    guard gains.contains(where: { $0 != nil }) else {
      throw table.cells.ids.isEmpty
        ? TuningError.everyCellRejected(goal.stream)
        : TuningError.undefinedObjective(goal.objective.description)
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

  /// Considers the axes of the first variant, except parameters that are `placed` between classes.
  ///
  /// An axis is left out if no value gains `NextSteps.leastGain`, or if another axis lacks the
  /// start's value.
  func singleChanges(
    from start: ParameterValues, _ startObjective: Double, _ drawn: [Int], placed: [ParameterKey]
  ) -> [(key: ParameterKey, value: Double)] {
    let variant = grid.variants[0]
    let lattice = variant.radix
    let places = variant.axes.map { axis in
      start[axis.key].flatMap { axis.values.firstIndex(of: $0) }
    }
    return variant.axes.indices.compactMap { axis -> (key: ParameterKey, value: Double)? in
      let (key, others) = (variant.axes[axis].key, variant.axes.indices.filter { $0 != axis })
      guard !placed.contains(key), let own = start[key],
        others.allSatisfy({ places[$0] != nil })
      else { return nil }
      let base = others.reduce(grid.cells(of: 0).lowerBound) {
        $0 + (places[$1] ?? 0) * lattice.strides[$1]
      }
      let values = Set(variant.axes[axis].values + [own]).sorted()
      let gains = values.map { value -> Double? in
        guard value != own else { return goal.gain(startObjective) }
        guard let digit = variant.axes[axis].values.firstIndex(of: value),
          let position = table.cells.position(of: base + digit * lattice.strides[axis]),
          goal.isKept(table, drawn, at: position)
        else { return nil }
        return table.value(goal.objective, at: position, drawn).map(goal.gain)
      }
      return values.firstIndex(of: own)
        .flatMap { RoundChoice(values, gains, own: $0, least: NextSteps.leastGain) }
        .map { (key: key, value: values[$0.place]) }
    }
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
    let position = best(defined.filter { worst[$0] <= least + Self.rounding }, gains) ?? defined[0]
    guard let binding = violations[position].firstIndex(of: worst[position]) else {
      preconditionFailure("only constraints are violated, and the largest violation is one of them")
    }
    let constraint = goal.constraints[binding]
    let objective = goal.gain(gains[position] ?? 0)
    return Choice(
      cell: table.cells.ids[position], objective: objective,
      bestCell: table.cells.ids[position], bestObjective: objective,
      feasibility: .infeasible(
        binding: constraint, value: table.value(constraint.metric, at: position, drawn)),
      feasibleCount: 0, standardError: nil, plateau: nil, placements: [], steps: [])
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
    let region = bestRegion(candidates.map { ids[$0] }) { id in
      (table.cells.position(of: id).flatMap { gains[$0] }) ?? -.infinity
    }
    let placements = region.flatMap { classes?.placements($0.variant, drawn) } ?? []
    let plateau = region.map { region in
      region.plateau(
        around: region.cell(nearestTo: placements, order),
        evaluated: marks(of: ids, in: grid.cells(of: region.variant)))
    }
    let cell = plateau?.cell ?? ids[best]
    let position = table.cells.position(of: cell) ?? best
    let error = paired.standardError(of: position)
    return Choice(
      cell: cell, objective: goal.gain(gains[position] ?? 0), bestCell: ids[best],
      bestObjective: goal.gain(top), feasibility: .feasible, feasibleCount: feasible.count,
      standardError: error, plateau: plateau, placements: placements,
      steps: steps(from: position, gains, drawn))
  }

  private func marks(of cells: [Int], in range: Range<Int>) -> [Bool] {
    var marks = Array(repeating: false, count: range.count)
    for cell in cells where range.contains(cell) { marks[cell - range.lowerBound] = true }
    return marks
  }

  /// Regions are compared by margin, size, the gain of the center, and `PreferenceOrder`, in this
  /// order.
  private func bestRegion(_ candidates: [Int], gain: (Int) -> Double) -> PlateauRegion? {
    var best: PlateauRegion?
    for variant in grid.variants.indices {
      let members = marks(of: candidates, in: grid.cells(of: variant))
      guard members.contains(true) else { continue }
      for region in PlateauRegion.parts(of: members, grid, variant: variant, order) {
        guard let other = best else {
          best = region
          continue
        }
        let mine = (region.margin, region.cells.count, gain(region.centerID))
        let theirs = (other.margin, other.cells.count, gain(other.centerID))
        if mine > theirs
          || (mine == theirs && order.prefers(region.centerID, to: other.centerID))
        {
          best = region
        }
      }
    }
    return best
  }

  private func steps(from position: Int, _ gains: [Double?], _ drawn: [Int]) -> [Choice.Step] {
    let (variant, local) = grid.locate(table.cells.ids[position])
    let start = grid.cells(of: variant).lowerBound
    let lattice = grid.variants[variant].radix
    let paired = PairedErrors(table, goal.objective, best: position, drawn)
    var steps: [Choice.Step] = []
    for (axis, resolved) in grid.variants[variant].axes.enumerated() {
      let digit = lattice.digit(local, axis)
      for next in [digit - 1, digit + 1] where resolved.values.indices.contains(next) {
        let neighbor = start + local + (next - digit) * lattice.strides[axis]
        guard let place = table.cells.position(of: neighbor) else { continue }
        let cost = gains[position].flatMap { own in gains[place].map { own - $0 } }
        steps.append(
          Choice.Step(
            key: resolved.key, unit: resolved.definition.unit, from: resolved.values[digit],
            to: resolved.values[next], cost: cost, standardError: paired.standardError(of: place),
            broken: goal.constraints.first {
              $0.violation(table.value($0.metric, at: place, drawn)) > 0
            }))
      }
    }
    return steps.map { $0.judged(among: steps.count, drawn.count, goal.tolerance) }
  }
}

/// Jackknife: sqrt((G - 1) / G sum (d_g - mean d)^2), where d_g is the difference without subject
/// g.
///
/// Source: Efron 1982, The Jackknife, the Bootstrap and Other Resampling Plans, chapter 3.
struct PairedErrors {
  private let table: SubjectTable
  private let metric: MetricKey
  private let drawn: [Int]
  private let best: [Double?]

  init(_ table: SubjectTable, _ metric: MetricKey, best: Int, _ drawn: [Int]) {
    self.table = table
    self.metric = metric
    self.drawn = drawn
    self.best = drawn.count < 2 ? [] : table.valuesWithoutOne(metric, at: best, drawn)
  }

  /// The error is nil with fewer than two subjects, and if a value is undefined without one
  /// subject, because an error over the other subjects alone would be too small.
  func standardError(of position: Int) -> Double? {
    guard !best.isEmpty else { return nil }
    var differences: [Double] = []
    differences.reserveCapacity(best.count)
    for (first, second) in zip(best, table.valuesWithoutOne(metric, at: position, drawn)) {
      guard let first, let second else { return nil }
      differences.append(first - second)
    }
    guard differences.count >= 2 else { return nil }
    let count = Double(differences.count)
    let mean = differences.reduce(0, +) / count
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return ((count - 1) / count * squares).squareRoot()
  }
}

/// Fewer debounce frames come first, because they answer sooner; then shorter hold times.
///
/// The last criterion is the smaller value of the first parameter, by name, that differs.
struct PreferenceOrder: Sendable {
  private struct Variant {
    let keys: [String]
    let names: [String]
    let axes: [(values: [Double], stride: Int)]
  }

  private let grid: StreamGrid
  private let variants: [Variant]

  init(_ grid: StreamGrid) {
    self.grid = grid
    let debounce = [grid.stream.framesKey, .holdSeconds]
    variants = grid.variants.map { variant in
      let others = Set(variant.keys).subtracting(debounce)
      let keys = debounce + others.sorted { $0.rawValue < $1.rawValue }
      return Variant(
        keys: keys.map(\.rawValue), names: [variant.detectorName, variant.smoothing.text],
        axes: keys.map { key in
          guard let axis = variant.axes.firstIndex(where: { $0.key == key }) else {
            return (values: [variant.base[key] ?? 0], stride: 1)
          }
          return (values: variant.axes[axis].values, stride: variant.radix.strides[axis])
        })
    }
  }

  func prefers(_ left: Int, to right: Int) -> Bool {
    let ((first, firstCell), (second, secondCell)) = (grid.locate(left), grid.locate(right))
    let (a, b) = (variants[first], variants[second])
    for place in 0..<min(a.keys.count, b.keys.count)
    where first == second || a.keys[place] == b.keys[place] {
      let (one, other) = (a.axes[place], b.axes[place])
      let mine = one.values[firstCell / one.stride % one.values.count]
      let its = other.values[secondCell / other.stride % other.values.count]
      if mine != its { return mine < its }
    }
    if a.keys != b.keys { return a.keys.lexicographicallyPrecedes(b.keys) }
    return a.names.lexicographicallyPrecedes(b.names)
  }
}

package struct Choice: Hashable, Sendable {
  package enum Feasibility: Hashable, Sendable {
    case feasible
    /// No configuration meets every constraint, and the chosen one violates them least.
    ///
    /// `binding` is the constraint that is violated most, relative to its bound.
    case infeasible(binding: MetricConstraint, value: Double?)
  }

  package let cell: Int
  package let objective: Double
  package let bestCell: Int
  package let bestObjective: Double
  package let feasibility: Feasibility
  package let feasibleCount: Int
  package let standardError: Double?
  package let plateau: Plateau?
  /// Where thresholds are placed on the plateau, in the order of the axes.
  ///
  /// All other parameters have the values of the plateau's center.
  package let placements: [ThresholdPlacement]
  /// The configurations one step away from the chosen one, along every axis in both directions;
  /// empty if no configuration meets the constraints.
  package let steps: [Step]
  package struct Step: Codable, Hashable, Sendable {
    package let key: ParameterKey
    package let unit: MeasurementUnit
    package let from: Double
    package let to: Double
    package let cost: Double?
    package let standardError: Double?
    package let broken: MetricConstraint?
    /// Whether the cost exceeds the tolerance and is beyond chance; false without a standard error.
    ///
    /// A cost is beyond chance if it is larger than Student's t quantile times the standard error,
    /// at 95 % for all steps together (Bonferroni). If all n subjects lose the same amount, there
    /// is no spread, and 2 / 2^n must be at most 5 % for all steps together.
    package private(set) var isBeyondChance = false

    private enum CodingKeys: String, SnakeCaseKey {
      case unit, from, to, cost
      case key = "parameter"
      case standardError
      case broken = "breaks"
      case isBeyondChance = "beyond_chance"
    }

    func judged(among steps: Int, _ subjects: Int, _ tolerance: Double) -> Step {
      var step = self
      if let cost, let standardError {
        let isAlike = standardError < 1e-12
        let risk = TuningDecision.risk / Double(steps)
        guard !isAlike || SignFlipTest.leastProbability(clusters: subjects) <= risk else {
          return step
        }
        let quantile = StudentT.quantile(1 - risk / 2, freedom: Double(subjects - 1))
        step.isBeyondChance = cost > max(tolerance, quantile * standardError, 1e-12)
      }
      return step
    }
  }
}
