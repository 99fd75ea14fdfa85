internal import Reporting

extension Outcome {
  /// A result in the form that was asked for; what is not asked for is not made.
  ///
  /// - Parameters:
  ///   - width: the column at which a terminal's text is broken; nil for the renderer's own.
  ///   - json: the result for programs.
  ///   - document: the result for people.
  init(
    _ format: OutputFormat, usesColor: Bool, width: Int? = nil, remarks: [String] = [],
    status: ExitStatus = .success, json: @autoclosure () -> JSONValue,
    document: @autoclosure () -> Document
  ) {
    var renderer = TextRenderer(usesColor: usesColor)
    if let width { renderer.width = width }
    let text =
      switch format {
      case .json: json().text
      case .markdown: MarkdownRenderer().render(document())
      case .text: renderer.render(document())
      }
    self.init(text, remarks: remarks, status: status)
  }

  /// The remarks for a terminal: control characters of names in files are written out.
  package var printableRemarks: [String] {
    remarks.map { PrintableText.of($0, keepsLines: true) }
  }
}
