package enum CountText {
  /// A count with a comma before every three digits: `1,234,567`.
  public static func of(_ count: Int) -> String {
    var rest = Substring(String(count.magnitude))
    var groups: [Substring] = []
    while rest.count > 3 {
      groups.insert(rest.suffix(3), at: 0)
      rest = rest.dropLast(3)
    }
    return (count < 0 ? "-" : "") + ([rest] + groups).joined(separator: ",")
  }

  /// A count and its noun; the default plural adds an s.
  public static func of(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(of(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
