/// A class in its color, with its name.
struct ClassChip: Hashable, Sendable {
  /// The class.
  let name: String

  /// The chip; an unknown class has no color.
  var html: HTML {
    Theme.color(of: name) == nil
      ? "<span class=\"chip\">\(name)</span>"
      : "<span class=\"chip on-\(name)\">\(name)</span>"
  }

  /// What is true and what was answered.
  static func pair(_ truth: String, _ answer: String) -> HTML {
    "\(ClassChip(name: truth).html) <span aria-label=\"answered as\">→</span> \(ClassChip(name: answer).html)"
  }

  /// What the colors of some classes mean.
  static func legend(_ names: [String]) -> HTML {
    let items: [HTML] = names.map {
      "<span><i class=\"on-\($0)\" aria-hidden=\"true\"></i>\($0)</span>"
    }
    return "<p class=\"legend\">\(items)</p>\n"
  }
}
