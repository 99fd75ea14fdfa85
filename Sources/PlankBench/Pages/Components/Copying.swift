/// A button that copies lines; without a script it is not shown.
struct CopyButton: Hashable, Sendable {
  /// What is copied.
  let lines: [String]
  /// What the button says.
  var title = "Copy"

  /// The button.
  var html: HTML {
    let text = HTML(markup: lines.map(SVGCanvas.escaped).joined(separator: "&#10;"))
    return "<button type=\"button\" class=\"copy\" data-copy=\"\(text)\" hidden>\(title)</button>"
  }
}

/// Lines of a terminal with a button that copies them.
struct CopyLine: Hashable, Sendable {
  /// The lines.
  let lines: [String]

  /// The lines and the button.
  var html: HTML {
    let text = HTML(markup: lines.map(SVGCanvas.escaped).joined(separator: "\n"))
    return """
      <div class="line"><pre tabindex="0">\(text)</pre>\(CopyButton(lines: lines).html)</div>

      """
  }
}
