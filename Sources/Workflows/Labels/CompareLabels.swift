internal import Evaluation
internal import PoseDatasets
internal import PoseModel
internal import Reporting

/// Says how far two people agree who labeled the same recording.
package enum CompareLabels {
  /// How many times a second labels are compared where no recording gives the frames.
  private static let rate = Hertz(100)
  /// The longest time that is compared so; more is a mistake of units far sooner than a session.
  private static let longest = Seconds(24 * 60 * 60)

  /// Runs the command.
  ///
  /// - Parameter recording: whose frames are compared; evenly spaced times unless given.
  package static func run(
    _ first: String, _ second: String, recording: String?, format: OutputFormat, usesColor: Bool
  ) throws(WorkflowFailure) -> Outcome {
    let one = try track(first)
    let other = try track(second)
    let agreement: LabelAgreement
    if let recording {
      let poses = try DatasetAccess.failing { () throws(DatasetError) in
        try RecordingReader.read(path: recording).recording
      }
      agreement = LabelAgreement(
        first: one, second: other, times: poses.times, frameWeight: poses.frameWeight)
    } else {
      try checkSpan(of: one.segments + other.segments, first, second)
      agreement = LabelAgreement(first: one, second: other, rate: rate)
    }
    return Outcome(
      format, usesColor: usesColor, json: agreement.json,
      document: agreement.document(isCeiling: false))
  }

  private static func checkSpan(
    of segments: [LabeledSegment], _ first: String, _ second: String
  ) throws(WorkflowFailure) {
    guard let start = segments.map(\.start.value).min(),
      let end = segments.map(\.end.value).max(), !(end - start <= longest.value)
    else { return }
    throw WorkflowFailure(
      .badData,
      "\(first), \(second): the labels run from \(start) to \(end) s, more than a day; write "
        + "seconds on one clock, or give --recording")
  }

  private static func track(_ path: String) throws(WorkflowFailure) -> LabelTrack {
    try DatasetAccess.failing { () throws(DatasetError) in try LabelsReader.read(path: path).track }
  }
}
