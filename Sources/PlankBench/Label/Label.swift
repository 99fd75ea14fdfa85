internal import ArgumentParser
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

struct LabelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label",
    abstract: "Write a page for labeling recordings, import labels, or compare two annotators.",
    discussion: """
      The page is one self-contained file that needs no network. It shows a stick figure that you \
      can rotate, measurements over time with the detector's thresholds, and the video named in \
      the manifest or one from your disk. Existing labels are loaded. To label frames, hold a \
      class key while the clip plays, at any speed from 0.1x to 4x, or drag the edges of labels. \
      The n key goes to the next unlabeled stretch, and the j key goes to the next stretch where \
      the detector is least sure. Press ? to list all keys.

      With --prefill, a detector's answers fill the gaps between labels. These answers are \
      hatched, count as unlabeled and are not saved until you confirm them (p for one, Shift p for \
      all that you have viewed). Confirmed answers make that detector look better than it is, so \
      prefill with a detector other than the one you evaluate, and label the most important \
      stretches by hand.

      The dataset's activities are shown below the labels; you cannot change them on the page.

      A dataset gets one page; beyond 500 recordings, it gets one page per 500 and an index. \
      Browsers that can write to folders save labels next to the recordings; other browsers \
      download the labels.

      `planklab label page --help` lists the options.

      Examples:
        planklab label datasets/scripted
        planklab label session.poses.jsonl --html session.html
        planklab label my-data --prefill --detector trunk
      """,
    subcommands: [LabelPage.self, LabelImport.self, LabelAgreementCommand.self],
    defaultSubcommand: LabelPage.self)
}

struct LabelPage: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Write a page for labeling recordings in a browser.")

  @Argument(
    help: ArgumentHelp(
      "A recording (.poses.jsonl or .poses.jsonl.gz), or the folder of a dataset.",
      valueName: "recording or dataset"))
  var subject = ""

  @Option(help: ArgumentHelp("The page to write.", valueName: "FILE"))
  var html = "labels.html"

  @OptionGroup var opening: OpenOption

  @Option(
    help: ArgumentHelp(
      "The labels to start from (default: those beside the recording).", valueName: "FILE"))
  var labels: String?

  @Flag(help: "Fill the gaps between labels with the detector's unconfirmed answers.")
  var prefill = false

  @OptionGroup var detector: DetectorOptions

  mutating func takeDefaults() throws {
    try detector.takeDefaults()
    subject = try detector.defaults.dataset(subject)
    detector.defaults.say()
  }

  func outcome() async throws -> Outcome {
    let detector = try detector.found()
    guard try isDataset() else {
      let input = LabelingPage.Block(try recordingInput(detector))
      try OutputFile.writeReport(LabelingPage.html(of: [input]), to: html)
      if prefill { Terminal.say(Self.unconfirmed(input.guessCount, detector)) }
      return Outcome(
        "wrote \(html)\n",
        remarks: [
          "open the page in a browser; it needs no network. When you save, the browser asks where to "
            + "put \(input.entry.labelsFile), or downloads it; the file belongs next to the recording"
        ] + opening.show(html))
    }
    return try await datasetOutcome(detector)
  }

  private func recordingInput(_ detector: BatchDetector) throws -> LabelingInput {
    let context = try RecordingContext(path: subject)
    try require(
      context.sequence.recording.frameCount > 0, .badData,
      "\(subject): has no frames, so there is nothing to label")
    let name = URL(filePath: subject).lastPathComponent
    var input = try input(
      context.sequence, detector, name: name,
      labelsFileName: LabelingInput.labelsFileName(of: name),
      video: context.videoPath)
    if let labels { input.labels = try LabelsReader.read(path: labels).track }
    return input
  }

  private func input(
    _ sequence: DatasetSequence, _ detector: BatchDetector, name: String, labelsFileName: String,
    video: String?
  ) throws -> LabelingInput {
    let recording = sequence.recording
    let columns = SmoothingChoice.none.measure(
      recording, detector, also: detector.definition.reportedMeasurements)
    return LabelingInput(
      name: name, labelsFileName: labelsFileName, recording: recording,
      strips: Self.strips(recording, detector, columns), labels: sequence.labels,
      facts: Self.facts(sequence), doubts: DoubtfulStretches.find(recording, detector, columns),
      activities: sequence.activities,
      guesses: prefill
        ? GuessedSegment.all(recording, detector, columns, startsMid: sequence.startsMid) : [],
      video: try address(of: video))
  }

  private func datasetOutcome(_ detector: BatchDetector) async throws -> Outcome {
    try require(
      labels == nil, .usage,
      "--labels is for a single recording; a dataset's manifest names its labels")
    let reader = try DatasetAccess.open(subject)
    let entries = reader.manifest.sequences
    let name = reader.manifest.name ?? URL(filePath: reader.manifestPath).lastPathComponent
    let files = LabelingPage.files(entries.count, at: html)
    for file in files + [html] { try OutputFile.checkReport(file) }
    let report = LongWork(["recordings"]).report
    var pages: [LabelingIndex.Page] = []
    var guesses = 0
    for (index, file) in files.enumerated() {
      let start = index * LabelingPage.mostRecordings
      let part = entries[start...].prefix(LabelingPage.mostRecordings)
      let blocks = try await blocks(of: Array(part), reader, detector) {
        report(start + $0, entries.count, $2)
      }
      guard let first = blocks.first, let last = blocks.last else { continue }
      try OutputFile.writeReport(LabelingPage.html(of: blocks, dataset: name), to: file)
      guesses += blocks.reduce(0) { $0 + $1.guessCount }
      pages.append(
        LabelingIndex.Page(
          number: index + 1, address: try RelativeAddress.text(of: file, from: html),
          recordings: blocks.count, labeled: blocks.count(where: \.entry.hasLabels),
          first: first.entry.name, last: last.entry.name))
    }
    try require(
      !pages.isEmpty, .badData,
      "\(subject): no recording has any frames, so there is nothing to label")
    let index = LabelingIndex(of: pages, dataset: name)
    if files.count > 1 { try ReportPage.write([SavedResult(name: "label", index.page)], to: html) }
    if prefill { Terminal.say(Self.unconfirmed(guesses, detector)) }
    let empty = entries.count - index.recordings
    return Outcome(
      "wrote \(html): \(NumberText.count(index.recordings, "recording")), "
        + "\(index.labeled) with labels"
        + (files.count > 1 ? ", on \(NumberText.count(pages.count, "page")) beside it" : "")
        + "\n",
      remarks: [
        "open the \(files.count > 1 ? "index" : "page") in a browser; it needs no network. When you "
          + "save, the browser asks for the dataset's folder and writes the labels next to the "
          + "recordings, or downloads them",
        empty > 0 ? "recordings left out because they have no frames: \(empty)" : nil,
      ].compactMap(\.self) + opening.show(html))
  }

  private func blocks(
    of entries: [SequenceEntry], _ reader: DatasetReader, _ detector: BatchDetector,
    progress: @escaping ProgressReport
  ) async throws -> [LabelingPage.Block] {
    try await ConcurrentMap.run(entries, of: "recordings", progress: progress) {
      (entry) throws -> LabelingPage.Block? in
      let sequence = try reader.load(entry)
      guard sequence.recording.frameCount > 0 else { return nil }
      return LabelingPage.Block(
        try input(
          sequence, detector, name: sequence.name,
          labelsFileName: entry.labelsPath ?? entry.labelsName,
          video: entry.videoPath.map(reader.path)))
    }.compactMap(\.self)
  }

  private func address(of video: String?) throws -> String? {
    guard let video, try FileDescriptor.isFile(video) else { return nil }
    return try RelativeAddress.text(of: video, from: html)
  }

  private func isDataset() throws -> Bool {
    guard try FileDescriptor.isFolder(subject) else {
      return subject.hasSuffix(".yaml") || subject.hasSuffix(".yml")
    }
    let names = try InputFiles.names(in: subject)
    if names.contains(DatasetManifest.fileName) { return true }
    let recordings = names.filter(DatasetAccess.isRecordingName)
    try require(
      !recordings.isEmpty, .usage,
      "\(subject): holds neither a recording nor \(DatasetManifest.fileName)")
    throw WorkflowFailure(
      .usage,
      "\(subject): is a folder without \(DatasetManifest.fileName); give one of its recordings "
        + "(\(WordText.first(20, of: recordings))), or make a dataset of them: planklab dataset update"
    )
  }

  private static func strips(
    _ recording: Recording, _ detector: BatchDetector, _ columns: MeasurementColumns
  ) -> [LabelingStrip] {
    guard recording.layout.dimension == 3 else { return [] }
    let definition = detector.definition
    let mentioned = definition.measurements.members
    let others = definition.reportedMeasurements.subtracting(definition.measurements).members
      .filter(\.isBuiltIn)
    return (mentioned + others).map { measurement in
      LabelingStrip(
        name: measurement.name, unit: measurement.unit.rawValue, values: columns[measurement],
        thresholds: LabelingStrip.Threshold.all(of: measurement, in: detector))
    }
  }

  private static func unconfirmed(_ count: Int, _ detector: BatchDetector) -> String {
    guard count > 0 else {
      return "\(detector.definition.name) gives no answers there, so nothing is filled in"
    }
    return
      "filled in \(NumberText.count(count, "answer")) from \(detector.definition.name); an answer "
      + "becomes a label only when you confirm it"
  }

  private static func facts(_ sequence: DatasetSequence) -> [LabelingFact] {
    let subject = sequence.subject.map { [LabelingFact(name: "subject", value: $0)] } ?? []
    return subject
      + sequence.tags.sorted { $0.key < $1.key }.map { LabelingFact(name: $0.key, value: $0.value) }
  }
}

enum LabelingPage {
  struct Block: Sendable {
    let entry: LabelingQueue.Entry
    let guessCount: Int
    let hasVideo: Bool
    /// Packed data and strips take 117 bytes per frame of a recording from the studio.
    let json: String

    init(_ input: LabelingInput) {
      precondition(
        input.strips.allSatisfy { $0.values.count == input.recording.frameCount },
        "a strip has one value per frame")
      entry = LabelingQueue.Entry(input)
      guessCount = input.guesses.count
      hasVideo = input.video != nil
      json = JSONText.of(LabelingData(input), .line)
    }
  }

  static let mostRecordings = 500

  /// The pages of a dataset; if there are several, `index` is the page that lists them.
  static func files(_ recordings: Int, at index: String) -> [String] {
    let pages = (recordings + mostRecordings - 1) / mostRecordings
    guard pages > 1 else { return [index] }
    let start = index.hasSuffix(".html") ? String(index.dropLast(5)) : index
    return (1...pages).map { "\(start)-\($0).html" }
  }

  static func html(of blocks: [Block], dataset: String? = nil) throws -> String {
    let queue = LabelingQueue(blocks.map(\.entry), dataset: dataset)
    return try page(showsVideos: blocks.contains(where: \.hasVideo)).html(
      blocks: [(id: "queue-data", json: JSONText.of(queue))]
        + blocks.enumerated().map { (id: "recording-\($0)-data", json: $1.json) })
  }

  private static func page(showsVideos: Bool) -> OfflinePage {
    OfflinePage(
      title: "Labels", template: PageFile.text("page.html"),
      style: Theme.stateCSS + PageFile.text(["pages.css", "page.css"]), scripts: scripts,
      directives: ["media-src blob:" + (showsVideos ? " 'self'" : "")])
  }

  private static var scripts: [String] {
    [
      "unpack.js", "recording.js", "track.js", "history.js", "palette.js", "figure.js",
      "timeline.js", "strips.js", "files.js", "panel.js", "app.js", "input.js",
    ]
  }
}
