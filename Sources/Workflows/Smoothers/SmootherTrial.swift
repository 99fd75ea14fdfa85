internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Smoothing

/// Tries smoothers on some sequences.
struct SmootherTrial: Sendable {
  /// The sequences with their raw measurements.
  let sequences: [SmootherSequence]
  /// The detector, without smoothing of its own.
  let detector: BatchDetector
  /// The median frame interval of all sequences.
  let interval: Seconds

  /// The raw jitter on holds.
  let raw: [JitterRow]

  /// Takes sequences.
  init(_ sequences: [SmootherSequence], _ detector: BatchDetector, interval: Seconds) {
    self.sequences = sequences
    self.detector = detector
    self.interval = interval
    var jitter = JitterStatistics()
    for sequence in sequences {
      jitter.add(
        times: sequence.times, truth: sequence.truth,
        measurements: Self.series(sequence.raw, detector.measurements))
    }
    raw = jitter.rows
  }

  /// The place of a smoother: calm on holds and lag at entries, without answers.
  func place(_ variant: SmootherGrid.Variant, isTuned: Bool = false) -> SmootherPoint {
    var sums = Sums(interval)
    for sequence in sequences { _ = add(sequence, variant.choice, &sums) }
    return point(variant, sums, answers: nil, isTuned: isTuned)
  }

  /// Everything about a smoother, with what the detector makes of it.
  func point(_ variant: SmootherGrid.Variant, isTuned: Bool = false) -> SmootherPoint {
    var sums = Sums(interval)
    var scores: [SequenceScores] = []
    for sequence in sequences {
      let columns = add(sequence, variant.choice, &sums)
      scores.append(SequenceScores(outcome(sequence, columns)))
    }
    let answers = SmootherAnswers(
      plank: ScoreView(PooledCounts(scores, .plank)),
      form: ScoreView(PooledCounts(scores, .form)))
    return point(variant, sums, answers: answers, isTuned: isTuned)
  }

  /// The unsigned body angle on aligned holds behind a smoother.
  func angle(_ choice: SmoothingChoice) -> AngleBias {
    var sums = AngleSums()
    for sequence in sequences {
      let columns = choice.measure(
        sequence.sequence.recording, detector, also: MeasurementSet([.bodyAngle]))
      sums.add(
        columns[.bodyAngle].enumerated().compactMap { frame, angle in
          sequence.truth.form[frame] == FormClass.aligned.rawValue && angle.isFinite
            ? Double(angle) : nil
        })
    }
    return sums.bias(choice.text)
  }

  /// Sums over sequences.
  private struct Sums {
    var jitter = JitterStatistics()
    var entries: EntryLag

    init(_ interval: Seconds) { entries = EntryLag(interval: interval) }
  }

  private func add(
    _ sequence: SmootherSequence, _ choice: SmoothingChoice, _ sums: inout Sums
  ) -> MeasurementColumns {
    let recording = sequence.sequence.recording
    let columns = choice.isNone ? sequence.raw : choice.measure(recording, detector)
    sums.jitter.add(
      times: sequence.times, truth: sequence.truth,
      measurements: Self.series(columns, detector.measurements))
    for measurement in detector.measurements.members {
      sums.entries.add(
        measurement.name, times: sequence.times, transitions: sequence.transitions,
        reference: sequence.reference[measurement], output: columns[measurement])
    }
    return columns
  }

  private func point(
    _ variant: SmootherGrid.Variant, _ sums: Sums, answers: SmootherAnswers?, isTuned: Bool
  ) -> SmootherPoint {
    let filter: SignalFilter = { times, values in
      variant.choice.smooth(values, times: times).map { $0.isFinite ? $0 : nil }
    }
    let rate = Hertz(1 / interval.value)
    let entries = sums.entries.lag
    return SmootherPoint(
      family: variant.family, text: variant.choice.text, name: variant.choice.shortText,
      isCausal: variant.choice.isCausal, isTuned: isTuned,
      calm: SmootherCalm(smoothed: sums.jitter.rows, raw: raw),
      delay: answers == nil
        ? SmootherDelay(lagOnly: entries, rate: rate, filter)
        : SmootherDelay(entries: entries, rate: rate, noise: noise, filter),
      answers: answers)
  }

  /// The noise of a length in meters, for smoothers whose gain depends on it.
  private var noise: Double {
    raw.first { $0.signal.unit == Meters.symbol }?.noise.number ?? 0.01
  }

  private func outcome(
    _ sequence: SmootherSequence, _ columns: MeasurementColumns
  ) -> SequenceOutcome {
    let recording = sequence.sequence.recording
    let answers = detector.detect(
      columns, times: sequence.times, startsMid: sequence.sequence.startsMid)
    return SequenceOutcome(
      name: sequence.sequence.name, subject: sequence.sequence.subject, times: sequence.times,
      truth: sequence.truth, plank: StreamOutcome(answers.plank),
      form: StreamOutcome(answers.form), frameWeight: recording.frameWeight)
  }

  private static func series(
    _ columns: MeasurementColumns, _ measurements: MeasurementSet
  ) -> [MeasurementSeries] {
    measurements.members.map { measurement in
      MeasurementSeries(
        name: measurement.name, unit: measurement.unit.rawValue, values: columns[measurement])
    }
  }
}
