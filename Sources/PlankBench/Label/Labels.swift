internal import ArgumentParser
internal import Evaluation
import PoseDatasets
internal import PoseModel

/// `planklab labels`.
struct LabelsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "labels",
    abstract: "Import labels made elsewhere, and compare two annotators.",
    subcommands: [LabelsCompare.self, LabelsImport.self])
}

/// `planklab labels compare`.
struct LabelsCompare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Say how far two people agree: kappa, boundaries, matrices in seconds.",
    discussion: """
      The agreement of two people is the ceiling of every score. Beside a recording, \
      NAME.second.labels.csv holds the second person's labels; `evaluate` then shows the ceiling.
      """)

  @Argument(help: "The first person's labels.")
  var first: String

  @Argument(help: "The second person's labels.")
  var second: String

  @Option(
    help: ArgumentHelp("Compare at the frames of a recording, not at 100 Hz.", valueName: "FILE"))
  var recording: String?

  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      try result.deliver(
        CompareLabels.run(
          first, second, recording: recording, format: result.format,
          usesColor: result.usesColor))
    }
  }
}

/// `planklab labels import`.
struct LabelsImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turn an Audacity label track or a table of segments into a label file.",
    discussion: """
      Examples:
        planklab labels import track.txt --output session.labels.csv
        planklab labels import table.csv --columns from,to,what --label down=forearm/sag \\
          --output session.labels.csv
      """)

  @Argument(help: "The labels to read.")
  var input: String

  @Option(help: ArgumentHelp("audacity or csv; guessed unless given.", valueName: "NAME"))
  var inputFormat: String?

  @Option(
    name: .customLong("label"),
    help: ArgumentHelp("What a label means; may be repeated.", valueName: "LABEL=CLASS"))
  var labels: [String] = []

  @Option(help: ArgumentHelp("A table's columns.", valueName: "START,END,LABEL"))
  var columns: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Added to every time.", valueName: "SECONDS"))
  var offset = 0.0

  @Option(name: .shortAndLong, help: ArgumentHelp("The label file to write.", valueName: "FILE"))
  var output: String

  func run() async throws {
    try await Terminal.run {
      let names = columns.map { $0.split(separator: ",").map(String.init) } ?? []
      return try ImportLabels.run(
        ImportLabels.Request(
          input: input, format: inputFormat, labels: labels, columns: names, offset: offset,
          output: output))
    }
  }
}

/// Says how far two people agree who labeled the same recording.
enum CompareLabels {
  /// How many times a second labels are compared where no recording gives the frames.
  private static let rate = Hertz(100)
  /// The longest time that is compared so; more is a mistake of units far sooner than a session.
  private static let longest = Seconds(24 * 60 * 60)

  /// Runs the command.
  ///
  /// - Parameter recording: whose frames are compared; evenly spaced times unless given.
  static func run(
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

/// Turns labels that were made with another program into a label file.
enum ImportLabels {
  /// What the command is asked for; texts are read as the command line gives them.
  struct Request: Sendable {
    /// The labels' path.
    var input: String
    /// `audacity` or `csv`; guessed unless given.
    var format: String?
    /// Assignments such as `L=forearm/sag`.
    var labels: [String]
    /// The columns of a table: start, end, label.
    var columns: [String]
    /// Where the clock of the labels starts on the recording's clock, in seconds.
    var offset: Double
    /// The label file to write.
    var output: String

    /// Makes a request.
    init(
      input: String, format: String? = nil, labels: [String] = [], columns: [String] = [],
      offset: Double = 0, output: String
    ) {
      self.input = input
      self.format = format
      self.labels = labels
      self.columns = columns
      self.offset = offset
      self.output = output
    }
  }

  /// Runs the command.
  static func run(_ request: Request) throws(WorkflowFailure) -> Outcome {
    let options = try ImportPoses.reading { () throws(PoseSourceError) in try textOptions(request) }
    let text = NamedText(name: request.input, text: try InputText.read(request.input))
    let track = try ImportPoses.reading { () throws(PoseSourceError) in
      try LabelTextReader(options: options).track(from: text)
    }
    try OutputFile.writeReport(LabelsWriter.text(of: track), to: request.output)
    return Outcome("wrote \(request.output): \(track.segments.count) segments\n")
  }

  private static func textOptions(_ request: Request) throws(PoseSourceError) -> LabelTextOptions {
    var format: LabelTextFormat?
    if let name = request.format {
      guard let known = LabelTextFormat(rawValue: name) else {
        throw .invalidOption(
          "the format", found: name,
          allowed: LabelTextFormat.allCases.map(\.rawValue).joined(separator: " or "))
      }
      format = known
    }
    var columns = SegmentColumns()
    if !request.columns.isEmpty {
      guard request.columns.count == 3 else {
        throw .invalidOption(
          "the columns", found: request.columns.joined(separator: ","),
          allowed: "three names: start,end,label")
      }
      columns = SegmentColumns(
        start: request.columns[0], end: request.columns[1], label: request.columns[2])
    }
    return try LabelTextOptions(
      format: format, labels: LabelMap(request.labels), columns: columns,
      offset: Seconds(request.offset))
  }
}
