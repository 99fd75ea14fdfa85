struct CopyButton: Hashable, Sendable {
  let lines: [String]
  var title = "Copy"

  var html: HTML {
    let text = HTML(markup: lines.map(SVGCanvas.escaped).joined(separator: "&#10;"))
    return "<button type=\"button\" class=\"copy\" data-copy=\"\(text)\" hidden>\(title)</button>"
  }
}

struct CopyLine: Hashable, Sendable {
  let lines: [String]

  var html: HTML {
    let text = HTML(markup: lines.map(SVGCanvas.escaped).joined(separator: "\n"))
    return """
      <div class="line"><pre tabindex="0">\(text)</pre>\(CopyButton(lines: lines).html)</div>

      """
  }
}
