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

struct LabelsImport: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Convert an Audacity label track or a table of segments into a label file.",
    discussion: """
      Examples:
        planklab labels import track.txt --output session.labels.csv
        planklab labels import table.csv --columns from,to,what --label down=forearm/sag \\
          --output session.labels.csv
      """)

  @Argument(help: "The labels to read.")
  var input: String

  @Option(help: ArgumentHelp("audacity or csv (default: guessed).", valueName: "NAME"))
  var inputFormat: String?

  @Option(
    name: .customLong("label"),
    help: ArgumentHelp("What a label means; may be repeated.", valueName: "LABEL=CLASS"))
  var labels: [String] = []

  @Option(help: ArgumentHelp("A table's columns.", valueName: "START,END,LABEL"))
  var columns: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("An offset added to every time, as -2.5 or 1:20.", valueName: "TIME"))
  var offset: Moment?

  @Option(name: .shortAndLong, help: ArgumentHelp("The label file to write.", valueName: "FILE"))
  var output: String

  func outcome() throws -> Outcome {
    let options = try textOptions()
    let text = NamedText(name: input, text: try InputText.read(input))
    let track = try LabelTextReader(options: options).track(from: text)
    try OutputFile.writeReport(LabelsWriter.text(of: track), to: output)
    return Outcome("wrote \(output): \(NumberText.count(track.segments.count, "segment"))\n")
  }

  private func textOptions() throws -> LabelTextOptions {
    var format: LabelTextFormat?
    if let inputFormat {
      guard let known = LabelTextFormat(rawValue: inputFormat) else {
        throw PoseSourceError.invalidOption(
          "the format", found: inputFormat,
          allowed: LabelTextFormat.allCases.map(\.rawValue).joined(separator: " or "))
      }
      format = known
    }
    var names = SegmentColumns()
    if let columns {
      let parts = columns.split(separator: ",").map(String.init)
      guard parts.count == 3 else {
        throw PoseSourceError.invalidOption(
          "the columns", found: columns, allowed: "three names: start,end,label")
      }
      names = SegmentColumns(start: parts[0], end: parts[1], label: parts[2])
    }
    return try LabelTextOptions(
      format: format, labels: LabelMap(labels), columns: names,
      offset: Seconds(offset?.seconds ?? 0))
  }
}
