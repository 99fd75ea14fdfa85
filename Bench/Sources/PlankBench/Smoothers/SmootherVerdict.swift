internal import Evaluation
internal import ParameterTuning
@_spi(Bench) internal import PoseModel

/// The verdict on smoothing: first its effect on answers, then its effect on measurements.
extension SmootherComparison {
  /// The verdict: a sentence or two per stream, then the best trade of jitter against lag.
  var verdict: [StyledText] {
    let trade = recommended.flatMap(trade).map { [StyledText($0)] } ?? []
    return AnswerStream.allCases.compactMap(verdict).map { StyledText($0, .strong) } + trade
  }

  /// The points of a table, always with the raw measurements first.
  func withRaw(_ points: [SmootherPoint]) -> [SmootherPoint] {
    guard let raw, !points.contains(raw) else { return points }
    return [raw] + points
  }

  /// The measurements as they are.
  private var raw: SmootherPoint? { points.first { $0.family == .raw } }

  private func trade(_ point: SmootherPoint) -> String? {
    guard let place = point.place else { return nil }
    let removed = NumberText.fixed(100 * (1 - place.jitter), 0)
    return "Best trade (1 s of lag counts as \(NumberText.shortest(lagCost)) x the raw jitter): "
      + "\(point.text) removes \(removed) % of the jitter, "
      + "\(NumberText.fixed(1000 * place.lag, 0)) ms late."
  }

  private func verdict(_ stream: AnswerStream) -> String? {
    guard let answers = raw?.answers, let before = answers.flickers(stream) else { return nil }
    guard before > 0 else { return "The \(stream.rawValue) answer does not flicker here." }
    return "\(smoothed(stream, before)); \(debounced(stream, before, answers))."
  }

  private func smoothed(_ stream: AnswerStream, _ before: Double) -> String {
    let rivals = points.filter { $0.isCausal && $0.answers != nil && $0.family != .raw }
    let isSame = rivals.allSatisfy { $0.answers?.isEqual(to: raw?.answers, in: stream) ?? true }
    if isSame { return "No smoother changes the \(stream.rawValue) answers here" }
    let ranked = rivals.compactMap { point in
      point.answers?.flickers(stream).map { (after: $0, lag: point.place?.lag ?? 0, point: point) }
    }
    let best = ranked.min { ($0.after, $0.lag, $0.point.text) < ($1.after, $1.lag, $1.point.text) }
    guard let best, best.after < before else {
      return "No smoother removes flicker of the \(stream.rawValue) answer here"
    }
    return "\(best.point.name) removes \(Self.removed(before, best.after)) of the "
      + "\(stream.rawValue) flicker, \(NumberText.fixed(1000 * best.lag, 0)) ms late"
  }

  private func debounced(
    _ stream: AnswerStream, _ before: Double, _ raw: MetricTable
  ) -> String {
    let ranked = dwells.compactMap { dwell in
      dwell.answers.flickers(stream).map { (after: $0, dwell: dwell) }
    }
    let best = ranked.min { ($0.after, $0.dwell.time) < ($1.after, $1.dwell.time) }
    guard let best, best.after < before else { return "no dwell removes any" }
    let key = MetricKey(.falseTransitionsPerMinute, in: stream)
    let (old, new) = (raw[key], best.dwell.answers[key])
    let time = NumberText.shortest(best.dwell.time.value)
    let removes =
      "a dwell of \(time) s without smoothing removes \(Self.removed(before, best.after))"
    guard let old = old?.number, let new = new?.number, old != new else { return removes }
    return removes + (new > old ? ", but " : ", and ")
      + "wrong changes go from \(NumberText.fixed(old, 1)) to \(NumberText.fixed(new, 1)) per minute"
  }

  private static func removed(_ before: Double, _ after: Double) -> String {
    "\(NumberText.fixed(100 * (1 - after / before), 0)) % (\(NumberText.fixed(before, 1)) -> "
      + "\(NumberText.fixed(after, 1)) per minute)"
  }
}

extension MetricTable {
  fileprivate func flickers(_ stream: AnswerStream) -> Double? {
    self[MetricKey(.flickersPerMinute, in: stream)]?.number
  }

  /// Whether every metric of a stream is the same.
  fileprivate func isEqual(to other: MetricTable?, in stream: AnswerStream) -> Bool {
    keys.allSatisfy { key in
      key.stream != stream || key.metric.scope == .session || self[key] == other?[key]
    }
  }
}
