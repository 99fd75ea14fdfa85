package import PlankDetection

/// The exact best value of each continuous parameter inside a plateau.
///
/// Only observed values change an answer: between two neighboring ones every threshold is the
/// same detector. So the values halfway between are all there is to try.
package struct Refinement: Hashable, Sendable {
  /// One parameter that moved.
  package struct Step: Hashable, Sendable {
    /// The parameter.
    package let key: ParameterKey
    /// The value on the grid.
    package let from: Double
    /// The refined value: the middle of the widest run of the best value.
    package let to: Double
    /// The run: every value strictly between gives the same or an equally good detector.
    package let interval: ClosedRange<Double>
    /// What it gained on the subjects that it was chosen on, in the objective's unit.
    package let gain: Double
  }

  /// The refined parameters.
  package let parameters: ParameterValues
  /// The parameters that moved, in the order of the axes.
  package let steps: [Step]
  /// The objective on the subjects that it was chosen on.
  package let objective: Double
}

/// Refines a choice, an axis after another.
struct Refiner {
  /// The most values tried an axis; more are thinned evenly.
  static let mostValues = 1000

  let definition: GridDefinition
  let grid: StreamGrid
  let data: MeasuredData
  let goal: TuningGoal
  let allowsUngrouped: Bool

  /// Tries every breakpoint inside the plateau along each continuous axis; others stay.
  ///
  /// - Parameter data: only the sequences that may be seen.
  func refine(_ choice: Choice, jobs: Int) async throws(TuningError) -> Refinement {
    let (variant, _) = grid.locate(choice.cell)
    var current = try grid.parameters(of: choice.cell)
    var objective = choice.objective
    var steps: [Refinement.Step] = []
    for extent in choice.plateau?.axes ?? [] where extent.width > 0 {
      let axis = grid.variants[variant].axes.first { $0.key == extent.key }
      guard let axis, axis.definition.unit != .frames, axis.key != .holdSeconds else { continue }
      let step = try await best(axis.key, extent.values, current, variant, jobs: jobs)
      guard let step, step.gain > 0 else { continue }
      do {
        try current.set(step.key, to: step.to)
      } catch {
        throw .detector(error)
      }
      objective = goal.gain(goal.gain(objective) + step.gain)
      steps.append(step)
    }
    return Refinement(parameters: current, steps: steps, objective: objective)
  }

  private func best(
    _ key: ParameterKey, _ range: ClosedRange<Double>, _ current: ParameterValues,
    _ variant: Int, jobs: Int
  ) async throws(TuningError) -> Refinement.Step? {
    guard let own = current[key] else { return nil }
    let values = breakpoints(key, range, variant)
    guard values.count > 1 else { return nil }
    let tried = (values + [own]).sorted().reduce(into: [Double]()) {
      if $0.last != $1 { $0.append($1) }
    }
    let line = try await evaluate(key, tried, current, variant, jobs: jobs)
    guard let before = tried.firstIndex(of: own).flatMap({ line[$0] }),
      let top = line.compactMap(\.self).max(), top > before
    else { return nil }
    var widest: Range<Int>?
    var start = 0
    while start < tried.count {
      var end = start + 1
      if line[start] == top {
        while end < tried.count, line[end] == top { end += 1 }
        let width = tried[end - 1] - tried[start]
        if widest.map({ width > tried[$0.upperBound - 1] - tried[$0.lowerBound] }) ?? true {
          widest = start..<end
        }
      }
      start = end
    }
    guard let run = widest else { return nil }
    let middle = tried[run][(run.lowerBound + run.upperBound - 1) / 2]
    return Refinement.Step(
      key: key, from: own, to: middle,
      interval: tried[run.lowerBound]...tried[run.upperBound - 1], gain: top - before)
  }

  /// Values halfway between neighboring observed ones, inside a range.
  private func breakpoints(
    _ key: ParameterKey, _ range: ClosedRange<Double>, _ variant: Int
  ) -> [Double] {
    let detector = grid.variants[variant].detector
    let observed = ObservedQuantiles.observations(of: key, detector, data.variants[variant]) ?? []
    let inside = Set(observed.filter { range.contains($0) }).sorted()
    let middles = zip(inside, inside.dropFirst()).map { $0 + ($1 - $0) / 2 }
    guard middles.count > Self.mostValues else { return middles }
    return (0..<Self.mostValues).map { middles[$0 * (middles.count - 1) / (Self.mostValues - 1)] }
  }

  /// The gain of every value along a line; nil where a constraint is broken.
  private func evaluate(
    _ key: ParameterKey, _ values: [Double], _ current: ParameterValues, _ variant: Int,
    jobs: Int
  ) async throws(TuningError) -> [Double?] {
    let old = grid.variants[variant]
    let line = try GridDefinition(
      detectors: [(definition: old.detector, base: current)],
      axes: [ParameterAxis(key, .list(values))], constraints: definition.constraints)
    let selected = try MeasuredData(variants: [data.variants[variant]])
    let lineGrid = try line.grid(grid.stream, selected)
    let cells = try await StreamSweep(lineGrid, selected)
      .evaluate(0..<lineGrid.cellCount, jobs: jobs)
    let table = try SubjectTable(cells, allowsUngrouped: allowsUngrouped)
    let everyone = Array(table.subjects.indices)
    return values.indices.map { cell in
      guard let position = cells.position(of: cell) else { return nil }
      let isFeasible = goal.constraints.allSatisfy {
        $0.violation(table.value($0.metric, at: position, everyone)) == 0
      }
      guard isFeasible else { return nil }
      return table.value(goal.objective, at: position, everyone).map(goal.gain)
    }
  }
}
