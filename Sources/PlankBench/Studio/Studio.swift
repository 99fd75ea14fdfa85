internal import ArgumentParser
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Tuning

/// `planklab studio`.
struct StudioCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Write a page with sliders for thresholds and confusion matrices that follow them.",
    discussion: """
      One self-contained file that needs no network. It has a slider per parameter, including the \
      debounce lengths and the hold time, with the best single change marked on each; the \
      distribution of every measurement with thresholds to drag; confusion matrices that follow at \
      once, and whose cells lead to their frames; changes of the answer and latencies; a map over \
      the last two parameters that were moved; undo; and two settings to pin and compare.

      The page counts with the sweep's own kernel, compiled to WebAssembly, so its numbers equal \
      those of `planklab evaluate --set`.

      Examples:
        planklab studio datasets/scripted
        planklab studio my-data --detector coach --split test --html thresholds.html
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.", completion: .folder)
  var dataset = ""

  @Option(help: ArgumentHelp("The page to write.", valueName: "FILE"))
  var html = "thresholds.html"

  @OptionGroup var opening: OpenOption

  @OptionGroup var detector: DetectorOptions

  @OptionGroup var smoother: SmoothingOptions

  @Option(help: ArgumentHelp("Use only the sequences of one split.", valueName: "NAME"))
  var split: String?

  mutating func takeDefaults() throws {
    smoother = try detector.takeDefaults(smoother)
    dataset = try detector.defaults.dataset(dataset)
    detector.defaults.say()
  }

  func outcome() async throws -> Outcome {
    try OutputFile.checkReport(html)
    let bench = try found(assignments: detector.assignments)
    let progress = LongWork(
      ["files", "sequences", "sequences of the page", "parameters", "columns"]
    ).report
    let data = try await StudioData(
      of: dataset, split: split, detector: bench, base: found(assignments: []).parameters,
      command: command, explain: options, page: html, progress: progress)
    let page = try StudioPage.html(data) { progress($0, $1, "columns") }
    try OutputFile.writeReport(page, to: html)
    return Outcome(
      "wrote \(html)\n",
      remarks: [
        "\(NumberText.count(data.frameCount, "frame")) of "
          + "\(NumberText.count(data.sequences.count, "sequence")); open it in a browser, it needs "
          + "no network"
      ] + opening.show(html))
  }

  /// The detector with some assignments.
  ///
  /// - Throws: with the exit code `usage` for a debounce that the kernel cannot express.
  private func found(assignments: [String]) throws -> BenchDetector {
    let bench = try BenchDetector(
      detector.detector, thresholds: detector.parameters, assignments: assignments,
      smoothing: smoother.smoothing)
    guard bench.detector.debounce == .parameters else {
      throw WorkflowFailure(
        .usage,
        "\(detector.name): the debounce \(bench.debounceText) has no slider; the page "
          + "moves plank_frames and form_frames; use thresholds without `debounce`")
    }
    return bench
  }

  /// The command that evaluates the same detector on the same data, without assignments.
  private var command: [String] {
    ["planklab", "evaluate", dataset] + options.flatMap(\.self)
      + (split.map { ["--split", $0] } ?? [])
  }

  /// The options of the detector that are given, each with its value.
  private var options: [[String]] {
    let named = [
      ("--detector", detector.detector), ("--parameters", detector.parameters),
      ("--smoothing", smoother.smoothing),
    ]
    return named.compactMap { name, value in value.map { [name, $0] } }
  }
}

extension BenchDetector {
  /// The value of every parameter.
  fileprivate var parameters: ParameterValues { detector.parameters }
}

/// The page of `planklab studio`, whose files are in `Page` and built into the program.
enum StudioPage {
  /// The HTML of the page; the same for the same data.
  ///
  /// - Parameter progress: as for `StudioData.content`.
  /// - Throws: `DatasetError.hashingFailed` if libcrypto fails.
  static func html(
    _ data: StudioData, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> String {
    let content = JSONText.of(data.content(progress: progress))
    return try page(data.viewer).html(
      blocks: [(id: "data", json: content)] + (data.viewer?.blocks ?? []))
  }

  private static func page(_ viewer: ViewerData?) -> OfflinePage {
    OfflinePage(
      title: "Thresholds",
      template: PageFile.text("thresholds.html"),
      style: Theme.stateCSS
        + PageFile.text(["tables.css", "pages.css", "viewer.css", "thresholds.css"]),
      scripts: scripts, scriptPermissions: ["'wasm-unsafe-eval'"],
      directives: viewer == nil
        ? [] : ["media-src blob:" + (viewer?.hasVideos == true ? " 'self'" : "")])
  }

  /// The scripts, each after those that it builds on.
  private static var scripts: [String] {
    [
      "elements.js", "palette.js", "unpack.js", "layout.js", "engine.js", "metrics.js",
      "history.js", "address.js", "settings.js", "marks.js", "controls.js", "matrices.js",
      "scores.js", "distributions.js", "plateau.js", "copies.js",
    ] + viewer + ["cells.js", "trail.js", "thresholds.js"]
  }

  /// The scripts of the viewer of frames.
  private static var viewer: [String] {
    [
      "recording.js", "figure.js", "window.js", "ruler.js", "strips.js", "video.js", "drag.js",
      "detector.js", "sequence.js", "ribbons.js", "reasons.js", "stretches.js", "moment.js",
      "pictures.js", "playback.js", "shortcuts.js", "transport.js", "lanes.js", "viewer.js",
    ]
  }
}
