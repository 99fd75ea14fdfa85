/// A button that copies a text; without a script it is not shown.
struct CopyButton: Hashable, Sendable {
  /// What is copied.
  let text: String
  /// What the button says.
  var title = "Copy"

  /// The button.
  var html: HTML {
    "<button type=\"button\" class=\"copy\" data-copy=\"\(text)\" hidden>\(title)</button>"
  }
}

/// A command line with a button that copies it.
struct CopyLine: Hashable, Sendable {
  /// The command line.
  let text: String

  /// The line.
  var html: HTML {
    "<div class=\"line\"><pre tabindex=\"0\">\(text)</pre>\(CopyButton(text: text).html)</div>\n"
  }
}
