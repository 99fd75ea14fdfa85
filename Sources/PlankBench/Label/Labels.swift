internal import ArgumentParser
internal import Evaluation
internal import PoseDatasets
internal import PoseModel
internal import Statistics

struct LabelsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "labels",
    abstract: "Import labels made elsewhere, and compare two annotators.",
    subcommands: [LabelsCompare.self, LabelsImport.self])
}

struct LabelsCompare: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Show how far two people agree: kappa, boundaries, matrices in seconds.",
    discussion: """
      Two people who disagree limit what a score can show. If their mistakes are independent and \
      as many, even a perfect detector reaches only the square root of their kappa. Next to a \
      recording, NAME.second.labels.csv holds the second person's labels; `evaluate` then shows \
      the agreement.
      """)

  @Argument(help: "The first person's labels.")
  var first: String

  @Argument(help: "The second person's labels.")
  var second: String

  @Option(
    help: ArgumentHelp(
      "Compare at the frames of a recording instead of at 100 Hz.", valueName: "FILE"))
  var recording: String?

  @OptionGroup var result: ResultOptions

  private static let rate = Hertz(100)
  private static let longest = Seconds(24 * 60 * 60)

  func outcome() throws -> Outcome {
    let one = try Self.track(first)
    let other = try Self.track(second)
    let agreement: LabelAgreement
    if let recording {
      let poses = try RecordingReader.read(path: recording).recording
      agreement = LabelAgreement(
        first: one, second: other, times: poses.times, frameWeight: poses.frameWeight)
    } else {
      try checkSpan(of: one.segments + other.segments)
      agreement = LabelAgreement(first: one, second: other, rate: Self.rate)
    }
    return try result.outcome(
      content: AgreementListing(agreement), document: agreement.document(isBesideScores: false))
  }

  private func checkSpan(of segments: [LabeledSegment]) throws {
    guard let start = segments.map(\.start.value).min(),
      let end = segments.map(\.end.value).max(), !(end - start <= Self.longest.value)
    else { return }
    throw WorkflowFailure(
      .badData,
      "\(first), \(second): the labels run from \(start) to \(end) s, more than a day; write "
        + "seconds on one clock, or give --recording")
  }

  private static func track(_ path: String) throws -> LabelTrack {
    try LabelsReader.read(path: path).track
  }
}

private struct AgreementListing: Encodable {
  struct Number: Encodable {
    let value: OrNull<Double>
    let unit: String
    let undefined: UndefinedReason?
  }

  let numbers: [String: Number]

  init(_ agreement: LabelAgreement) {
    numbers = Dictionary(
      uniqueKeysWithValues: agreement.rows.map { row in
        (
          row.name,
          Number(value: OrNull(row.value.number), unit: row.unit, undefined: row.value.reason)
        )
      })
  }

  func encode(to encoder: any Encoder) throws { try numbers.encode(to: encoder) }
}
