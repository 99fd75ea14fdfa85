internal import Evaluation
internal import PlankDetection
internal import PoseModel

/// Finds the comparison that was closest to giving a frame another raw label.
enum NearestThreshold {
  /// Nil if the frame is undetermined.
  static func find(
    _ detector: BatchDetector, _ stream: AnswerStream, _ columns: MeasurementColumns, at frame: Int
  ) -> WorstMoment.NearestThreshold? {
    let list = detector.definition.list(stream)
    let traces = try? list.trace(detector.parameters) {
      detector.compared($0, stream, columns, at: frame)
    }
    guard let traces, traces.contains(where: \.decides), let step = traces.nearestStep,
      let value = step.value
    else { return nil }
    let predicate = step.predicate
    return WorstMoment.NearestThreshold(
      text: "\(predicate)", margin: Double(value) - Double(step.threshold),
      unit: predicate.measurement.unit == .ratio ? "" : predicate.measurement.unit.rawValue)
  }
}

struct FormEvidence: Sendable {
  private var disagreement = FormDisagreement()
  private var unsigned = 0.0
  private var signed = 0.0
  private var count = 0

  init() {}

  /// `others` are measured at least on holds.
  init(
    _ answers: DetectionColumns, _ columns: MeasurementColumns, _ others: MeasurementColumns,
    _ truth: FrameTruth, _ bands: GradeBands
  ) {
    let source = columns.measurements.contains(.signedHipAngle) ? columns : others
    let (angles, signedAngles) = (columns[.bodyAngle], source[.signedHipAngle])
    func number(_ column: [Float], _ frame: Int) -> Float? {
      column.isEmpty || column[frame].isNaN ? nil : column[frame]
    }
    for frame in answers.form.answers.indices {
      let angle = number(angles, frame)
      if answers.form.isDetermined(at: frame),
        let plank = PlankClass(code: answers.plank.answers[frame])
      {
        disagreement.count(
          isFault: answers.form.answers[frame] != FormClass.aligned.code,
          grade: FormGrade(bodyAngle: angle, answer: plank, bands))
      }
      guard truth.form[frame] == FormClass.aligned.code, let angle,
        let other = number(signedAngles, frame)
      else { continue }
      unsigned += Double(angle)
      signed += Double(other)
      count += 1
    }
  }

  static func notes(_ parts: [FormEvidence]) -> [String] {
    var sum = FormEvidence()
    for part in parts {
      sum.disagreement += part.disagreement
      sum.unsigned += part.unsigned
      sum.signed += part.signed
      sum.count += part.count
    }
    return [sum.disagreementNote, sum.biasNote].compactMap(\.self)
  }

  private var disagreementNote: String? {
    guard disagreement.faults > 0 else { return nil }
    let share = Double(disagreement.faultsGradedGood) / Double(disagreement.faults)
    return "Form: of the frames answered `sag` or `pike`, "
      + "\(NumberText.count(disagreement.faultsGradedGood)) of "
      + "\(NumberText.count(disagreement.faults)) (\(NumberText.percent(share))) are graded good by "
      + "the bands of the body angle: 5 cm is still 171 degrees at 1.75 m. Of the frames answered "
      + "`aligned`, \(NumberText.count(disagreement.alignedGradedBad)) of "
      + "\(NumberText.count(disagreement.frames - disagreement.faults)) are graded bad."
  }

  /// The effect of noise on an angle that cannot exceed 180 degrees; nil without aligned frames.
  private var biasNote: String? {
    guard count > 0 else { return nil }
    return "Body angle on frames labeled `aligned`: \(mean(unsigned)) deg on average without a "
      + "sign, \(mean(signed)) deg with one (signedHipAngle). The unsigned angle cannot pass 180, "
      + "so noise pulls it down; smoothing joints undoes that, smoothing angles does not."
  }

  private func mean(_ sum: Double) -> String { NumberText.fixed(sum / Double(count), 1) }
}
