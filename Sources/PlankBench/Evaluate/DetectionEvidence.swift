internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Reports

enum NearestThreshold {
  /// Nil if the frame is undetermined, or if no comparison changes the label on its own.
  static func find(
    _ detector: BatchDetector, _ stream: AnswerStream, _ columns: MeasurementColumns, at frame: Int
  ) -> WorstMoment.NearestThreshold? {
    let traces = try? detector.list(stream).trace(detector.parameters) {
      detector.compared($0, stream, columns, at: frame)
    }
    guard let step = traces?.nearestStep, let value = step.value
    else { return nil }
    let predicate = step.predicate
    return WorstMoment.NearestThreshold(
      text: "\(predicate)", margin: Double(value) - Double(step.threshold),
      unit: predicate.measurement.unit == .ratio ? "" : predicate.measurement.unit.rawValue)
  }
}

extension FormEvidence {
  init(
    _ answers: DetectionColumns, _ columns: MeasurementColumns, _ others: MeasurementColumns,
    _ truth: FrameTruth, _ bands: GradeBands
  ) {
    self.init()
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
}

extension UnmetNeed {
  /// Looks joints up only if a list of rules decided no frame, because a joint that is missing
  /// throughout prevents all decisions.
  ///
  /// A joint that is found in some frame is not an unmet need.
  static func find(
    _ definition: DetectorDefinition, in recording: Recording, _ answers: DetectionColumns
  ) -> [UnmetNeed] {
    let frames = 0..<recording.frameCount
    guard !frames.isEmpty, definition.mismatch(with: recording.header) == nil else { return [] }
    guard frames.contains(where: { !recording.isMissing(at: $0) }) else {
      let rules = AnswerStream.allCases.flatMap { definition.list($0).rules }
      return [UnmetNeed(.pose, rules: rules.count { !$0.predicates.isEmpty }, recordings: 1)]
    }
    let blind = AnswerStream.allCases.filter { isBlind(answers[$0]) }
    let joints = Joint.allCases.map { joint in
      need(.joint, joint, in: blind, of: definition, { $0.needs(joint) }) {
        frames.contains { recording.position(of: joint, at: $0) != nil }
      }
    }
    return ([height(definition, in: recording)] + joints).compactMap(\.self)
  }

  /// Nil for image points, because their detectors need no height.
  static func height(_ definition: DetectorDefinition, in recording: Recording) -> UnmetNeed? {
    guard recording.layout.dimension == 3 else { return nil }
    return need(.bodyHeight, nil, in: AnswerStream.allCases, of: definition, \.needsBodyHeight) {
      !(0..<recording.frameCount).contains {
        !recording.isMissing(at: $0) && recording.bodyHeight(at: $0) == nil
      }
    }
  }

  private static func need(
    _ fact: Fact, _ joint: Joint?, in streams: [AnswerStream], of definition: DetectorDefinition,
    _ isNeeded: (Measurement) -> Bool, _ isThere: () -> Bool
  ) -> UnmetNeed? {
    guard !streams.isEmpty, !isThere() else { return nil }
    let rules = streams.flatMap { definition.list($0).rules }
      .map { $0.predicates.map(\.measurement).filter(isNeeded) }.filter { !$0.isEmpty }
    guard !rules.isEmpty else { return nil }
    return UnmetNeed(
      fact, joint: joint?.name, of: rules.joined().map(\.name).distinct, rules: rules.count,
      recordings: 1)
  }

  private static func isBlind(_ answers: StreamColumns) -> Bool {
    !answers.answers.indices.contains(where: answers.isDetermined)
  }
}
