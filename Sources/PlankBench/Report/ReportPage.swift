internal import PoseDatasets

enum ReportPage {
  static func write(_ results: [SavedResult], viewer: ViewerData? = nil, to path: String) throws {
    let page = try html(results, viewer: viewer)
    try OutputFile.writeReport(page, to: path)
  }

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
