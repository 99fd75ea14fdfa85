struct SettingMark: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case use
    case own
    /// What the search found, where it is not used.
    case found
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
