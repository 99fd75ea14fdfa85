/// A setting that stands out in a picture: at its value, between columns if need be.
struct SettingMark: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case use
    /// The value that the search started from.
    case own
    /// What the search found, where it is not used.
    case found
    /// The detector's default.
    case usual
  }

  let kind: Kind
  let text: String

  var key: HTML {
    """
    <span><svg width="16" height="16" aria-hidden="true">\(shape(x: "50%", y: "50%"))</svg> \
    \(text)</span>
    """
  }

  func shape(x: String, y: String) -> HTML {
    let radius = kind == .usual ? 3 : 6
    return """
      <circle class="spot \(kind.rawValue)" cx="\(x)" cy="\(y)" r="\(radius)">\
      <title>\(text)</title></circle>
      """
  }
}
