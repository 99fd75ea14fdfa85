internal import PoseDatasets
internal import PoseModel

/// The page on which a person labels recordings: one HTML file that needs no network.
enum LabelingPage {
  /// A recording as the page carries it: what is left of it in memory.
  struct Block: Sendable {
    /// What the page knows before it reads the recording.
    let entry: LabelingQueue.Entry
    /// How many of the detector's answers it begins from.
    let guessCount: Int
    /// Whether the manifest names a video.
    let hasVideo: Bool
    /// The data, packed: 117 bytes per frame of the studio, strips included.
    let json: String

    /// Packs a recording.
    ///
    /// - Precondition: every strip has one value per frame.
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

  /// The HTML of the page.
  ///
  /// - Parameters:
  ///   - blocks: the recordings in order; at least one.
  ///   - dataset: the name of their dataset; nil for a single recording.
  /// - Returns: the same text for the same input.
  /// - Throws: `DatasetError.hashingFailed` if libcrypto fails.
  static func html(of blocks: [Block], dataset: String? = nil) throws -> String {
    let queue = LabelingQueue(blocks.map(\.entry), dataset: dataset)
    return try page(showsVideos: blocks.contains(where: \.hasVideo)).html(
      blocks: [(id: "queue-data", json: JSONText.of(queue))]
        + blocks.enumerated().map { (id: "recording-\($0)-data", json: $1.json) })
  }

  /// The page's own files, which are in `Page` and built into the program.
  ///
  /// - Parameter showsVideos: whether it may load the videos that a manifest names, from where the
  ///   page is.
  private static func page(showsVideos: Bool) -> OfflinePage {
    OfflinePage(
      title: "Labels", template: PageFile.text("page.html"),
      style: Theme.stateCSS + PageFile.text(["pages.css", "page.css"]), scripts: scripts,
      directives: ["media-src blob:" + (showsVideos ? " 'self'" : "")])
  }

  /// The scripts, each after those that it builds on.
  private static var scripts: [String] {
    [
      "unpack.js", "recording.js", "track.js", "csv.js", "history.js", "palette.js", "figure.js",
      "window.js",
      "ruler.js", "timeline.js", "strips.js", "video.js", "drag.js", "autosave.js", "files.js",
      "session.js", "queue.js", "keys.js", "panel.js", "painting.js", "doubts.js",
      "app.js", "commands.js", "input.js", "start.js",
    ]
  }
}
