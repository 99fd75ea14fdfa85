internal import Evaluation
package import PlankDetection
internal import PoseModel

/// The exact best value of each continuous parameter inside a plateau.
///
/// Only observed values change an answer: between two neighboring ones every threshold gives the
/// same detector. So only the values halfway between need to be tried; beyond `Refiner.mostValues`
/// they are thinned evenly. A gain that chance or the goal's tolerance explains is reported but not
/// taken, nor is one that holds only in a narrow interval: the plateau's center is safer.
package struct Refinement: Hashable, Sendable {
  /// Why a better value is not taken.
  package enum Obstacle: Hashable, Sendable {
    /// The gain is no larger than its standard error or the goal's tolerance.
    case chance
    /// The interval of the gain is narrower than `Refiner.leastWidth` steps of the axis: a knife
    /// edge, which the next recording would miss.
    case knifeEdge
  }

  /// The best value of one parameter.
  package struct Step: Hashable, Sendable {
    /// The parameter, its unit and range.
    package let definition: ParameterDefinition
    /// The value on the grid.
    package let from: Double
    /// The best value: of those tried, the one nearest to the middle of the interval.
    package let to: Double
    /// The widest run of the best objective, from the observed value below it to the one above.
    package let interval: ClosedRange<Double>
    /// Its gain on the subjects on which it was chosen, in the objective's unit.
    package let gain: Double
    /// The paired standard error of the gain; nil with fewer than two subjects.
    package let standardError: Double?
    /// Why it is not taken; nil if it is taken.
    package let obstacle: Obstacle?
    /// Whether it is taken.
    package var isTaken: Bool { obstacle == nil }
    /// The parameter.
    package var key: ParameterKey { definition.key }
  }

  /// The refined parameters.
  package let parameters: ParameterValues
  /// The parameters with a better value, taken or not, in the order of the axes.
  package let steps: [Step]
  /// The objective on the subjects on which it was chosen.
  package let objective: Double
}

/// Refines a choice, one axis after another.
struct Refiner {
  /// The most values tried per axis; more are thinned evenly.
  static let mostValues = 1000
  /// The least width of an interval that is taken, in steps of the axis.
  static let leastWidth = 0.1

  let definition: GridDefinition
  let grid: StreamGrid
  let data: MeasuredData
  let goal: TuningGoal
  let options: TuningOptions

  /// Tries every breakpoint inside the plateau along each continuous axis; other axes are not
  /// refined.
  ///
  /// `data` holds only the sequences that may be seen.
  func refine(_ choice: Choice) async throws(TuningError) -> Refinement {
    let (variant, _) = grid.locate(choice.cell)
    var current = try grid.parameters(of: choice.cell)
    var objective = choice.objective
    var steps: [Refinement.Step] = []
    for extent in choice.plateau?.axes ?? [] where extent.width > 0 {
      let axis = grid.variants[variant].axes.first { $0.key == extent.key }
      guard let axis, axis.definition.unit != .frames, axis.key != .holdSeconds else { continue }
      guard let step = try await best(axis, extent.values, current, variant) else { continue }
      steps.append(step)
      guard step.isTaken else { continue }
      do {
        try current.set(step.key, to: step.to)
      } catch {
        throw .detector(error)
      }
      objective = goal.gain(goal.gain(objective) + step.gain)
    }
    return Refinement(parameters: current, steps: steps, objective: objective)
  }

  private func best(
    _ axis: ResolvedAxis, _ range: ClosedRange<Double>, _ current: ParameterValues, _ variant: Int
  ) async throws(TuningError) -> Refinement.Step? {
    let key = axis.key
    let observed = observedValues(key, range, variant)
    let values = Self.breakpoints(observed)
    guard let own = current[key], !values.isEmpty else { return nil }
    let tried = (values + [own]).sorted().reduce(into: [Double]()) {
      if $0.last != $1 { $0.append($1) }
    }
    let line = try await evaluate(key, tried, current, variant)
    guard let start = tried.firstIndex(of: own), let before = line.gains[start],
      let top = line.gains.compactMap(\.self).max(), top > before
    else { return nil }
    let runs = Self.runs(of: top, in: line.gains)
    let widths = runs.map { tried[$0.upperBound - 1] - tried[$0.lowerBound] }
    guard let widest = widths.max(), let run = zip(runs, widths).first(where: { $1 == widest })?.0
    else { return nil }
    let (low, high) = (tried[run.lowerBound], tried[run.upperBound - 1])
    let interval = (observed.last { $0 < low } ?? low)...(observed.first { $0 > high } ?? high)
    let middle = interval.lowerBound + (interval.upperBound - interval.lowerBound) / 2
    let place = run.min { abs(tried[$0] - middle) < abs(tried[$1] - middle) } ?? run.lowerBound
    let error = line.standardError(place, start)
    var obstacle: Refinement.Obstacle?
    if interval.upperBound - interval.lowerBound < Self.leastWidth * Self.step(of: axis, at: own) {
      obstacle = .knifeEdge
    }
    if top - before <= max(goal.tolerance, error ?? 0) { obstacle = .chance }
    return Refinement.Step(
      definition: axis.definition, from: own, to: tried[place], interval: interval,
      gain: top - before,
      standardError: error, obstacle: obstacle)
  }

  /// The distance from a value of an axis to the nearest other one.
  private static func step(of axis: ResolvedAxis, at value: Double) -> Double {
    axis.values.filter { $0 != value }.map { abs($0 - value) }.min() ?? 0
  }

  /// The distinct observed values that a parameter is compared with, inside a range.
  private func observedValues(
    _ key: ParameterKey, _ range: ClosedRange<Double>, _ variant: Int
  ) -> [Double] {
    let detector = grid.variants[variant].detector
    let all = ObservedQuantiles.observations(of: key, detector, data.variants[variant]) ?? []
    return Set(all.filter { range.contains($0) }).sorted()
  }

  /// Values halfway between neighboring observed ones.
  private static func breakpoints(_ observed: [Double]) -> [Double] {
    let middles = zip(observed, observed.dropFirst()).map { $0 + ($1 - $0) / 2 }
    guard middles.count > mostValues else { return middles }
    return (0..<mostValues).map { middles[$0 * (middles.count - 1) / (mostValues - 1)] }
  }

  /// Where a line has its best value, as stretches.
  private static func runs(of top: Double, in line: [Double?]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in line.indices where line[index] == top {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }
}

extension Refiner {
  /// The objective along a line of values.
  private struct Line {
    /// The gain at every value; nil if a constraint is broken.
    let gains: [Double?]
    let table: SubjectTable
    let objective: MetricKey

    /// The paired standard error of the difference between two values.
    func standardError(_ best: Int, _ other: Int) -> Double? {
      guard let first = table.cells.position(of: best), let second = table.cells.position(of: other)
      else { return nil }
      return PairedErrors(table, objective, best: first, Array(table.subjects.indices))
        .standardError(of: second)
    }
  }

  private func evaluate(
    _ key: ParameterKey, _ values: [Double], _ current: ParameterValues, _ variant: Int
  ) async throws(TuningError) -> Line {
    let old = grid.variants[variant]
    let line = try GridDefinition(
      [old.variant.with(current)],
      axes: [ParameterAxis(key, .list(values))], constraints: definition.constraints)
    let selected = try MeasuredData(variants: [data.variants[variant]])
    let lineGrid = try line.grid(grid.stream, selected)
    let cells = try await StreamSweep(lineGrid, selected, engine: options.engine)
      .evaluate(0..<lineGrid.cellCount, jobs: options.jobs)
    let table = try SubjectTable(cells, allowsUngrouped: options.allowsUngrouped)
    let everyone = Array(table.subjects.indices)
    let gains = values.indices.map { cell -> Double? in
      guard let position = cells.position(of: cell) else { return nil }
      let isFeasible = goal.constraints.allSatisfy {
        $0.violation(table.value($0.metric, at: position, everyone)) == 0
      }
      return isFeasible
        ? table.value(goal.objective, at: position, everyone).map(goal.gain) : nil
    }
    return Line(gains: gains, table: table, objective: goal.objective)
  }
}
