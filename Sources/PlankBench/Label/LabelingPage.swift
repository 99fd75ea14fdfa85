internal import PoseDatasets
internal import PoseModel

enum LabelingPage {
  struct Block: Sendable {
    let entry: LabelingQueue.Entry
    let guessCount: Int
    let hasVideo: Bool
    /// The data, packed: 117 bytes per frame of the studio, strips included.
    let json: String

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

  /// The same text for the same input; at least one block.
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
      "unpack.js", "recording.js", "track.js", "csv.js", "history.js", "palette.js", "figure.js",
      "window.js",
      "ruler.js", "timeline.js", "strips.js", "video.js", "drag.js", "autosave.js", "files.js",
      "session.js", "queue.js", "keys.js", "panel.js", "painting.js", "doubts.js",
      "app.js", "commands.js", "input.js", "start.js",
    ]
  }
}
