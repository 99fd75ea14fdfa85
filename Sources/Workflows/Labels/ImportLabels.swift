internal import PoseDatasets
internal import PoseModel
internal import PoseSources

/// Turns labels that were made with another program into a label file.
package enum ImportLabels {
  /// What the command is asked for; texts are read as the command line gives them.
  package struct Request: Sendable {
    /// The labels' path.
    package var input: String
    /// `audacity` or `csv`; guessed unless given.
    package var format: String?
    /// Assignments such as `L=forearm/sag`.
    package var labels: [String]
    /// The columns of a table: start, end, label.
    package var columns: [String]
    /// Where the clock of the labels starts on the recording's clock, in seconds.
    package var offset: Double
    /// The label file to write.
    package var output: String

    /// Makes a request.
    package init(
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
  package static func run(_ request: Request) throws(WorkflowFailure) -> Outcome {
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
