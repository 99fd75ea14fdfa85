struct ClassChip: Hashable, Sendable {
  let name: String

  var html: HTML {
    Theme.color(of: name) == nil
      ? "<span class=\"chip\">\(name)</span>"
      : "<span class=\"chip on-\(name)\">\(name)</span>"
  }

  static func pair(_ truth: String, _ answer: String) -> HTML {
    "\(ClassChip(name: truth).html) <span aria-label=\"answered as\">→</span> \(ClassChip(name: answer).html)"
  }

  static func legend(_ names: [String]) -> HTML {
    let items: [HTML] = names.map {
      "<span><i class=\"on-\($0)\" aria-hidden=\"true\"></i>\($0)</span>"
    }
    return "<p class=\"legend\">\(items)</p>\n"
  }
}
