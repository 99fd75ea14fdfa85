internal import ArgumentParser
internal import FoundationEssentials
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// `planklab label`.
struct LabelCommand: BenchCommand {
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

  func outcome() throws(WorkflowFailure) -> Outcome {
    let detector = try detector.found()
    let context = try RecordingContext(path: recording)
    var track = context.sequence.labels
    if let labels {
      track = try DatasetAccess.failing { () throws(DatasetError) in
        try LabelsReader.read(path: labels).track
      }
    }
    let poses = context.sequence.recording
    guard poses.frameCount > 0 else {
      throw WorkflowFailure(.badData, "\(recording): has no frame; there is nothing to label")
    }
    let input = LabelingInput(
      name: URL(filePath: recording).lastPathComponent, recording: poses,
      strips: Self.strips(poses, detector), labels: track, facts: Self.facts(context.sequence))
    let page = try DatasetAccess.failing { () throws(DatasetError) in
      try LabelingPage.html(from: input)
    }
    try OutputFile.writeReport(page, to: html)
    return Outcome(
      "wrote \(html)\n",
      remarks: [
        "open it in a browser; it needs no network. Save puts \(input.labelsFileName) into the "
          + "download folder: move it beside the recording"
      ])
  }

  /// Every measurement over time, those of the rules first, with the detector's thresholds.
  private static func strips(
    _ recording: Recording, _ detector: BatchDetector
  ) -> [LabelingStrip] {
    guard recording.layout.dimension == 3 else { return [] }
    let definition = detector.definition
    let columns = MeasurementColumns(
      recording, definition.reportedMeasurements, reading: definition.axes)
    let mentioned = definition.measurements.members
    let others = definition.reportedMeasurements.subtracting(definition.measurements).members
    let predicates = (definition.plank.rules + definition.form.rules).flatMap(\.predicates)
    return (mentioned + others).map { measurement in
      let levels = predicates.filter { $0.measurement == measurement }
        .compactMap { predicate -> LabelingStrip.Threshold? in
          guard let value = try? detector.parameters.threshold(of: predicate) else { return nil }
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
