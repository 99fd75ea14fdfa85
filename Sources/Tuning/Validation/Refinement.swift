internal import Evaluation
package import PlankDetection
internal import PoseModel

/// The exact best value of each continuous parameter inside a plateau.
///
/// Only observed values change an answer, so the values halfway between are tried, all of them.
/// With hysteresis, an observed value counts three times, because it is also compared with both
/// ends of the band. A gain that chance or the goal's tolerance explains is reported but not taken.
/// Neither is one that holds only in a narrow interval: the value on the grid is safer.
package struct Refinement: Hashable, Sendable {
  package enum Obstacle: String, CaseIterable, Codable, Hashable, Sendable {
    case chance
    /// The interval of the gain is narrower than `Refiner.leastWidth` steps of the axis: a knife
    /// edge, which the next recording would miss.
    case knifeEdge = "knife_edge"
  }

  package struct Step: Codable, Hashable, Sendable {
    package let key: ParameterKey
    package let unit: MeasurementUnit
    package let from: Double
    /// The best value: of those tried in the interval, the one nearest to the middle between the
    /// classes, or to that of the interval if the parameter separates no classes.
    package let to: Double
    package let interval: ClosedRange<Double>
    package let gain: Double
    package let standardError: Double?
    package let obstacle: Obstacle?

    private enum CodingKeys: String, CodingKey {
      case unit, from, to, interval, gain, obstacle
      case key = "parameter"
      case standardError = "standard_error"
    }

    package var isTaken: Bool { obstacle == nil }
  }

  package let parameters: ParameterValues
  package let steps: [Step]
  package let objective: Double
}

struct Refiner {
  static let leastWidth = 0.1

  let constraints: [AxisConstraint]
  let grid: StreamGrid
  let walks: RefinementWalks
  let goal: TuningGoal
  let people: [Int]
  let jobs: Int

  func refine(_ choice: Choice) async throws -> Refinement {
    let (variant, _) = grid.locate(choice.cell)
    var current = try grid.parameters(of: choice.cell)
    var objective = choice.objective
    var steps: [Refinement.Step] = []
    for extent in choice.plateau?.axes ?? [] where extent.width > 0 {
      let axis = grid.variants[variant].axes.first { $0.key == extent.key }
      guard let axis, axis.definition.unit != .frames, axis.key != .holdSeconds else { continue }
      let target = choice.placements.first { $0.key == extent.key }?.middle
      guard let step = try await best(axis, extent.from...extent.to, current, variant, target)
      else { continue }
      steps.append(step)
      guard step.isTaken else { continue }
      try current.set(step.key, to: step.to)
      objective = goal.gain(goal.gain(objective) + step.gain)
    }
    return Refinement(parameters: current, steps: steps, objective: objective)
  }

  private func best(
    _ axis: ResolvedAxis, _ range: ClosedRange<Double>, _ current: ParameterValues, _ variant: Int,
    _ target: Double?
  ) async throws -> Refinement.Step? {
    guard let own = current[axis.key],
      let line = try await line(axis, range, current, variant)
    else { return nil }
    let (tried, observed) = (line.tried, line.observed)
    guard let start = tried.firstIndex(of: own), let before = line.gains[start],
      let top = line.gains.compactMap(\.self).max(), top > before
    else { return nil }
    let runs = Self.runs(of: top, in: line.gains)
    let widths = runs.map { tried[$0.upperBound - 1] - tried[$0.lowerBound] }
    guard let widest = widths.max(), let run = zip(runs, widths).first(where: { $1 == widest })?.0
    else { return nil }
    let (low, high) = (tried[run.lowerBound], tried[run.upperBound - 1])
    let interval = (observed.last { $0 < low } ?? low)...(observed.first { $0 > high } ?? high)
    let wanted = target ?? interval.lowerBound + (interval.upperBound - interval.lowerBound) / 2
    let place = run.min { abs(tried[$0] - wanted) < abs(tried[$1] - wanted) } ?? run.lowerBound
    let error = try line.standardError(from: own, to: tried[place])
    var obstacle: Refinement.Obstacle?
    if interval.upperBound - interval.lowerBound < Self.leastWidth * Self.step(of: axis, at: own) {
      obstacle = .knifeEdge
    }
    if top - before <= max(goal.tolerance, error ?? 0) { obstacle = .chance }
    return Refinement.Step(
      key: axis.key, unit: axis.definition.unit, from: own, to: tried[place],
      interval: interval, gain: top - before, standardError: error, obstacle: obstacle)
  }

  func line(
    _ axis: ResolvedAxis, _ range: ClosedRange<Double>, _ current: ParameterValues, _ variant: Int
  ) async throws -> RefinementLine? {
    let key = axis.key
    let observed = walks.observed(key, of: variant, grid.variants[variant].variant)
      .distinct(in: range, of: walks.sequences(of: people))
    guard let own = current[key], observed.count > 1 else { return nil }
    var tried: [Double] = []
    for (left, right) in zip(observed, observed.dropFirst()) {
      let middle = left + (right - left) / 2
      if tried.last != middle { tried.append(middle) }
    }
    let place = tried.partitioningIndex { $0 >= own }
    if place == tried.count || tried[place] != own { tried.insert(own, at: place) }
    let found = try await walks.walks(
      key, axis.values.filter(range.contains), of: people, variant,
      grid.variants[variant].variant.with(current), jobs: jobs)
    return RefinementLine(
      goal, found, walks.blank, of: people, tried: tried, observed: observed
    ) { value in
      constraints.allSatisfy { $0.holds { $0 == key ? value : current[$0] } }
    }
  }

  private static func step(of axis: ResolvedAxis, at value: Double) -> Double {
    axis.values.filter { $0 != value }.map { abs($0 - value) }.min() ?? 0
  }

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
