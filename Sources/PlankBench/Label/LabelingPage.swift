internal import PoseDatasets
internal import PoseModel

/// The page on which a person labels a recording: one HTML file that needs no network.
enum LabelingPage {
  /// The HTML of the page.
  ///
  /// - Precondition: every strip has one value per frame.
  /// - Returns: the same text for the same input; about 150 bytes per frame and 5 more per strip.
  /// - Throws: `DatasetError.hashingFailed` where libcrypto refuses.
  static func html(from input: LabelingInput) throws(DatasetError) -> String {
    let frames = input.recording.frameCount
    precondition(
      input.strips.allSatisfy { $0.values.count == frames }, "a strip has one value per frame")
    return try page.html(LabelingData.object(of: input))
  }

  /// The page's own files, which stand in `Page` and are built into the program.
  private static var page: OfflinePage {
    OfflinePage(
      template: String(decoding: PackageResources.page_html, as: UTF8.self),
      style: String(decoding: PackageResources.page_css, as: UTF8.self), scripts: scripts,
      directives: ["media-src blob:"])
  }

  /// The scripts in the order in which they build on each other.
  private static var scripts: [[UInt8]] {
    [
      PackageResources.recording_js, PackageResources.track_js, PackageResources.csv_js,
      PackageResources.history_js, PackageResources.palette_js, PackageResources.figure_js,
      PackageResources.window_js, PackageResources.timeline_js, PackageResources.strips_js,
      PackageResources.video_js, PackageResources.autosave_js, PackageResources.files_js,
      PackageResources.keys_js, PackageResources.panel_js, PackageResources.app_js,
      PackageResources.commands_js, PackageResources.input_js, PackageResources.start_js,
    ]
  }
}
