internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

struct MovedThreshold {
  let definition: ParameterDefinition
  let limit: BeforeAfter<Double>
  let list: DecisionList

  /// The moment that shows a cell best: in the middle of its longest stretch that becomes right.
  func moment(
    of cell: Fix.Cell, _ sequences: [(SearchedSequence, BeforeAfter<SequenceOutcome>)]
  ) -> Fix.Moment? {
    guard
      let stretch = NextSteps.longestStretch(sequences.map(\.1), list.stream, of: cell)
    else { return nil }
    let measured = sequences[stretch.sequence].0.measured.compared(by: list.stream)
    let shown = shown(in: measured, stretch.frames)
    let middle = stretch.frames.lowerBound + (stretch.frames.count - 1) / 2
    let frame = shown?.frame ?? middle
    return Fix.Moment(
      sequence: measured.name, frame: frame, time: Seconds(measured.times[frame]),
      start: Seconds(measured.times[stretch.frames.lowerBound]),
      duration: Seconds(stretch.seconds),
      rule: shown.map { list.sentences[$0.rule] } ?? definition.meaning,
      comparison: shown.map { comparison($0.predicate, measured, $0.frame) })
  }

  func predicate(of moment: Fix.Moment?) -> Predicate? {
    let all = list.rules.flatMap(\.predicates).filter { $0.parameter == definition.key }
    return all.first { $0.description == moment?.comparison?.text } ?? all.first
  }

  func distribution(
    _ predicate: Predicate, _ sequences: [SearchedSequence]
  ) -> Fix.Distribution? {
    let sign = predicate.isNegated ? -1.0 : 1
    return Fix.Distribution(
      of: predicate.measurement.name, sign: sign,
      sequences.map {
        $0.measured.compared(by: list.stream).columns[predicate.measurement]
      },
      sequences.map(\.outcome), list.stream,
      limits: BeforeAfter(before: sign * limit.before, after: sign * limit.after))
  }

  private func shown(
    in sequence: MeasuredSequence, _ stretch: Range<Int>
  ) -> (frame: Int, rule: Int, predicate: Predicate)? {
    let middle = stretch.lowerBound + (stretch.count - 1) / 2
    func nearest(_ frames: Range<Int>) -> [Int] {
      frames.sorted { (abs($0 - middle), $0) < (abs($1 - middle), $1) }
    }
    let uses = list.rules.enumerated().flatMap { rule, content in
      content.predicates.filter { $0.parameter == definition.key }.map { (rule, $0) }
    }
    for frame in nearest(stretch) {
      for (rule, predicate) in uses {
        let value = sequence.columns[predicate.measurement][frame]
        guard value.isFinite else { continue }
        let holds = [limit.before, limit.after].map {
          predicate.comparison.holds(value, Float(predicate.isNegated ? -$0 : $0))
        }
        if holds[0] != holds[1] { return (frame, rule, predicate) }
      }
    }
    for frame in nearest(sequence.times.indices) {
      for (rule, predicate) in uses
      where sequence.columns[predicate.measurement][frame].isFinite {
        return (frame, rule, predicate)
      }
    }
    return nil
  }

  private func comparison(
    _ predicate: Predicate, _ sequence: MeasuredSequence, _ frame: Int
  ) -> Fix.Comparison {
    let sign = predicate.isNegated ? -1.0 : 1
    return Fix.Comparison(
      text: predicate.description, measurement: predicate.measurement.name,
      measured: Double(sequence.columns[predicate.measurement][frame]),
      limit: BeforeAfter(before: sign * limit.before, after: sign * limit.after))
  }
}
