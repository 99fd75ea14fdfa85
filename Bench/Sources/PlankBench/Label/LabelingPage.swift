internal import PoseDatasets
@_spi(Bench) internal import PoseModel

/// The page on which a person labels recordings: one HTML file that needs no network.
enum LabelingPage {
  /// The HTML of the page.
  ///
  /// - Parameters:
  ///   - inputs: the recordings in order; at least one.
  ///   - dataset: the name of their dataset; nil for a single recording.
  ///   - progress: called with how many recordings are in the page, first with 0.
  /// - Precondition: every strip has one value per frame.
  /// - Returns: the same text for the same input; about 150 bytes per frame and 5 more per strip.
  /// - Throws: `DatasetError.hashingFailed` if libcrypto fails.
  static func html(
    from inputs: [LabelingInput], dataset: String? = nil, progress: (Int) -> Void = { _ in }
  ) throws(DatasetError) -> String {
    precondition(
      inputs.allSatisfy { input in
        input.strips.allSatisfy { $0.values.count == input.recording.frameCount }
      }, "a strip has one value per frame")
    let recordings = inputs.enumerated().map { index, input in
      progress(index)
      return (id: "recording-\(index)-data", json: JSONText.of(LabelingData(input)))
    }
    progress(inputs.count)
    return try page(showsVideos: inputs.contains { $0.video != nil }).html(
      blocks: [(id: "queue-data", json: JSONText.of(LabelingQueue(inputs, dataset: dataset)))]
        + recordings)
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
      "recording.js", "track.js", "csv.js", "history.js", "palette.js", "figure.js", "window.js",
      "ruler.js", "timeline.js", "strips.js", "video.js", "drag.js", "autosave.js", "files.js",
      "session.js", "queue.js", "keys.js", "panel.js", "painting.js", "doubts.js",
      "app.js", "commands.js", "input.js", "start.js",
    ]
  }
}
