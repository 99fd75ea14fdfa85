internal import Evaluation
internal import Tuning

struct SmootherFront {
  /// The points that no other point beats or equals in both calm and speed, in order of lag.
  let front: [SmootherPoint]
  let equalLag: [Row]
  let equalJitter: [Row]

  struct Row {
    let limit: Double
    let points: [SmootherPoint]
  }

  static let lags = [0.05, 0.1, 0.15, 0.2, 0.3]
  static let jitters = [0.5, 0.3, 0.2, 0.1, 0.05]
  private static let tolerance = 1e-9

  private struct Placed {
    let point: SmootherPoint
    let jitter: Double
    let lag: Double

    func comesBefore(_ other: Placed, by number: (Placed) -> (Double, Double)) -> Bool {
      let (left, right) = (number(self), number(other))
      return left == right ? point.text < other.point.text : left < right
    }
  }

  /// Points that look ahead or lack a jitter or lag take no part.
  init(_ points: [SmootherPoint]) {
    let placed = points.compactMap { point in
      point.isCausal
        ? point.place.map { Placed(point: point, jitter: $0.jitter, lag: $0.lag) } : nil
    }
    front = placed.filter { one in
      !placed.contains { other in
        other.jitter <= one.jitter && other.lag <= one.lag
          && (other.jitter < one.jitter || other.lag < one.lag)
      }
    }
    .sorted { $0.comesBefore($1) { ($0.lag, $0.jitter) } }
    .map(\.point)
    func best(
      within isWithin: (Placed) -> Bool, by number: (Placed) -> (Double, Double)
    ) -> [SmootherPoint] {
      let kinds = Dictionary(grouping: placed.filter(isWithin), by: \.point.choice.filters)
      return kinds.values.compactMap { $0.min { $0.comesBefore($1, by: number) } }
        .sorted { $0.comesBefore($1, by: number) }.map(\.point)
    }
    equalLag = Self.lags.map { limit in
      Row(
        limit: limit,
        points: best(within: { $0.lag <= limit + Self.tolerance }, by: { ($0.jitter, $0.lag) }))
    }
    equalJitter = Self.jitters.map { limit in
      Row(
        limit: limit,
        points: best(within: { $0.jitter <= limit + Self.tolerance }, by: { ($0.lag, $0.jitter) }))
    }
  }
}
