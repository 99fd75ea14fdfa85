internal import PoseDatasets

/// Results as one HTML page that needs no network.
///
/// The text is complete without a script; the script switches between the numbers of a matrix and
/// between results.
enum ReportPage {
  /// Writes the page of some results.
  ///
  /// - Parameter viewer: what can be looked at frame by frame, of the first result.
  /// - Throws: `WorkflowFailure` (`cannotCreate`) for a file that cannot be written.
  static func write(
    _ results: [SavedResult], viewer: ViewerData? = nil, to path: String
  ) throws(WorkflowFailure) {
    let page = try DatasetAccess.failing { () throws(DatasetError) in
      try html(results, viewer: viewer)
    }
    try OutputFile.writeReport(page, to: path)
  }

  /// The HTML of the page; the same for the same results.
  ///
  /// - Throws: `DatasetError.hashingFailed` if libcrypto fails.
  static func html(
    _ results: [SavedResult], viewer: ViewerData? = nil
  ) throws(DatasetError) -> String {
    let renderer = HTMLRenderer()
    let parts = results.enumerated().map { index, saved in
      "<section class=\"result\" id=\"result-\(index)\" data-name=\"\(SVGCanvas.escaped(saved.name))\">\n"
        + renderer.body(saved.document) + "</section>\n"
    }
    let page = page(results[0].document.title ?? results[0].name)
    return try (viewer == nil ? page : withViewer(page)).html(
      blocks: viewer?.blocks ?? [], body: parts.joined())
  }

  /// A page with the scripts of the labeling page that draw poses and measurements, and the
  /// viewer's own.
  private static func withViewer(_ page: OfflinePage) -> OfflinePage {
    OfflinePage(
      title: page.title, template: page.template,
      style: page.style + "\n" + String(decoding: PackageResources.viewer_css, as: UTF8.self),
      scripts: page.scripts + [
        PackageResources.unpack_js, PackageResources.recording_js, PackageResources.palette_js,
        PackageResources.figure_js, PackageResources.window_js, PackageResources.ruler_js,
        PackageResources.strips_js, PackageResources.video_js, PackageResources.drag_js,
        PackageResources.detector_js, PackageResources.sequence_js, PackageResources.ribbons_js,
        PackageResources.reasons_js, PackageResources.stretches_js, PackageResources.viewer_js,
      ], scriptPermissions: ["'wasm-unsafe-eval'"], directives: ["media-src blob:"])
  }

  private static func page(_ title: String) -> OfflinePage {
    OfflinePage(
      title: SVGCanvas.escaped(title),
      template: String(decoding: PackageResources.report_html, as: UTF8.self),
      style: Theme.figureCSS
        + [PackageResources.tables_css, PackageResources.report_css]
        .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n"),
      scripts: [
        PackageResources.elements_js, PackageResources.matrices_js, PackageResources.report_js,
      ])
  }
}
