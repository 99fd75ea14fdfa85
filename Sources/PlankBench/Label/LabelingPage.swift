internal import PoseDatasets
internal import PoseModel

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
      return (id: "recording-\(index)-data", data: LabelingData.object(of: input))
    }
    progress(inputs.count)
    return try page.html(
      blocks: [(id: "queue-data", data: LabelingData.queue(of: inputs, dataset: dataset))]
        + recordings)
  }

  /// The page's own files, which are in `Page` and built into the program.
  private static var page: OfflinePage {
    OfflinePage(
      title: "Labels", template: String(decoding: PackageResources.page_html, as: UTF8.self),
      style: String(decoding: PackageResources.page_css, as: UTF8.self), scripts: scripts,
      directives: ["media-src blob:"])
  }

  /// The scripts, each after those that it builds on.
  private static var scripts: [[UInt8]] {
    [
      PackageResources.recording_js, PackageResources.track_js, PackageResources.csv_js,
      PackageResources.history_js, PackageResources.palette_js, PackageResources.figure_js,
      PackageResources.window_js, PackageResources.ruler_js, PackageResources.timeline_js,
      PackageResources.strips_js,
      PackageResources.video_js, PackageResources.drag_js, PackageResources.autosave_js,
      PackageResources.files_js,
      PackageResources.session_js,
      PackageResources.queue_js,
      PackageResources.keys_js, PackageResources.panel_js, PackageResources.app_js,
      PackageResources.commands_js, PackageResources.input_js, PackageResources.start_js,
    ]
  }
}
