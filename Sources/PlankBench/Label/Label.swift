internal import ArgumentParser
internal import FoundationEssentials
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// `planklab label`.
struct LabelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label",
    abstract: "Write a page on which a person labels a recording in a browser.",
    discussion: """
      One self-contained file, no network: a stick figure to turn and scrub, measurements over \
      time with the detector's thresholds, keys for everything (press ? for help), an optional \
      video from your disk, undo, and a download of the labels.

      Example:
        planklab label session.poses.jsonl --html session.html
      """)

  @Argument(help: "The recording: a .poses.jsonl or .poses.jsonl.gz file.")
  var recording: String

  @Option(help: ArgumentHelp("The page to write.", valueName: "FILE"))
  var html: String

  @Option(
    help: ArgumentHelp(
      "Labels to start from; the recording's own unless given.", valueName: "FILE"))
  var labels: String?

  @OptionGroup var detector: DetectorOptions

  func run() async throws {
    try await Terminal.run {
      try LabelRecording.run(
        recording: recording, labels: labels, html: html, detector: detector.choice)
    }
  }
}

/// Writes the page on which a person labels a recording.
enum LabelRecording {
  /// Runs the command.
  ///
  /// - Parameters:
  ///   - recording: the recording's path.
  ///   - labels: a label file to start from; the one that belongs to the recording unless given.
  ///   - html: where the page goes.
  ///   - choice: the detector whose measurements and thresholds are drawn.
  static func run(
    recording path: String, labels: String?, html: String, detector choice: DetectorChoice
  ) throws(WorkflowFailure) -> Outcome {
    let (definition, parameters) = try choice.resolve()
    let context = try RecordingContext(path: path)
    var track = context.sequence.labels
    if let labels {
      track = try DatasetAccess.failing { () throws(DatasetError) in
        try LabelsReader.read(path: labels).track
      }
    }
    let recording = context.sequence.recording
    guard recording.frameCount > 0 else {
      throw WorkflowFailure(.badData, "\(path): has no frame; there is nothing to label")
    }
    let input = LabelingInput(
      name: URL(filePath: path).lastPathComponent, recording: recording,
      strips: try strips(recording, definition, parameters), labels: track,
      facts: facts(context.sequence))
    try OutputFile.writeReport(LabelingPage.html(from: input), to: html)
    return Outcome(
      "wrote \(html)\n",
      remarks: [
        "open it in a browser; it needs no network. Save puts \(input.labelsFileName) into the "
          + "download folder: move it beside the recording"
      ])
  }

  private static func strips(
    _ recording: Recording, _ definition: DetectorDefinition, _ parameters: ParameterValues
  ) throws(WorkflowFailure) -> [LabelingStrip] {
    guard recording.layout.dimension == 3 else { return [] }
    let columns = MeasurementColumns(recording, .all, reading: definition.axes)
    let mentioned = definition.measurements.members
    let others = Measurement.allCases.filter { !definition.measurements.contains($0) }
    let predicates = (definition.plank.rules + definition.form.rules).flatMap(\.predicates)
    return (mentioned + others).map { measurement in
      let levels = predicates.filter { $0.measurement == measurement }
        .compactMap { predicate -> LabelingStrip.Threshold? in
          guard let value = try? parameters.threshold(of: predicate) else { return nil }
          let sign = predicate.isNegated ? "-" : ""
          return LabelingStrip.Threshold(
            name: sign + predicate.parameter.rawValue, value: Double(value))
        }
      return LabelingStrip(
        name: measurement.name, unit: measurement.unit.rawValue, values: columns[measurement],
        thresholds: levels)
    }
  }

  private static func facts(_ sequence: DatasetSequence) -> [LabelingFact] {
    let subject = sequence.subject.map { [LabelingFact(name: "subject", value: $0)] } ?? []
    return subject
      + sequence.tags.sorted { $0.key < $1.key }.map { LabelingFact(name: $0.key, value: $0.value) }
  }
}
