internal import PoseDatasets

/// Results as one HTML page that needs no network.
///
/// The text is complete without a script; the script switches between the numbers of a matrix and
/// between results.
enum ReportPage {
  /// Writes the page of some results.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) for a file that cannot be written.
  static func write(_ results: [SavedResult], to path: String) throws(WorkflowFailure) {
    let page = try DatasetAccess.failing { () throws(DatasetError) in try html(results) }
    try OutputFile.writeReport(page, to: path)
  }

  /// The HTML of the page; the same for the same results.
  ///
  /// - Throws: `DatasetError.hashingFailed` if libcrypto fails.
  static func html(_ results: [SavedResult]) throws(DatasetError) -> String {
    let renderer = HTMLRenderer()
    let parts = results.enumerated().map { index, saved in
      "<article id=\"result-\(index)\" data-name=\"\(SVGCanvas.escaped(saved.name))\">\n"
        + renderer.body(saved.document) + "</article>\n"
    }
    return try page(results[0].document.title ?? results[0].name).html(
      .array(results.map { .string($0.name) }), body: parts.joined())
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
