internal import PoseDatasets

/// Results as one HTML page that needs no network.
///
/// The text is complete without a script; the script switches between the numbers of a matrix and
/// between results.
enum ReportPage {
  /// Writes the page of some results.
  ///
  /// - Parameter viewer: what can be looked at frame by frame, of the first result.
  /// - Throws: with the exit code `cannotCreate` for a file that cannot be written.
  static func write(_ results: [SavedResult], viewer: ViewerData? = nil, to path: String) throws {
    let page = try html(results, viewer: viewer)
    try OutputFile.writeReport(page, to: path)
  }

  /// The HTML of the page; the same for the same results.
  ///
  /// - Throws: `DatasetError.hashingFailed` if libcrypto fails.
  static func html(_ results: [SavedResult], viewer: ViewerData? = nil) throws -> String {
    let parts: [HTML] = results.enumerated().map { index, saved in
      """
      <section class="result" id="result-\(index)" data-name="\(saved.name)">
      \(saved.page.html)</section>

      """
    }
    let page = page(results[0].page.title)
    return try (viewer.map { withViewer(page, $0) } ?? page).html(
      blocks: viewer?.blocks ?? [], body: parts.map(\.text).joined())
  }

  /// A page with the scripts of the labeling page that draw poses and measurements, and the
  /// viewer's own; videos that a manifest names come from where the page is.
  private static func withViewer(_ page: OfflinePage, _ viewer: ViewerData) -> OfflinePage {
    OfflinePage(
      title: page.title, template: page.template,
      style: page.style + "\n" + PageFile.text("viewer.css"),
      scripts: page.scripts + [
        "unpack.js", "recording.js", "palette.js", "figure.js", "window.js", "ruler.js",
        "strips.js", "video.js", "drag.js", "detector.js", "sequence.js", "ribbons.js",
        "reasons.js", "stretches.js", "moment.js", "pictures.js", "playback.js", "shortcuts.js",
        "transport.js", "lanes.js", "address.js", "viewer.js", "viewing.js",
      ], scriptPermissions: ["'wasm-unsafe-eval'"],
      directives: ["media-src blob:" + (viewer.hasVideos ? " 'self'" : "")])
  }

  private static func page(_ title: String) -> OfflinePage {
    OfflinePage(
      title: SVGCanvas.escaped(title),
      template: PageFile.text("report.html"),
      style: Theme.figureCSS + Theme.stateCSS + PageFile.text(["tables.css", "pages.css"]),
      scripts: ["elements.js", "matrices.js", "copy.js", "map.js", "report.js"])
  }
}
