/// The width of an image over its height.
package struct AspectRatio: Hashable, Sendable, CustomStringConvertible {
  /// Width over height.
  package let value: Double

  /// The landscape format of most video.
  package static let sixteenToNine = AspectRatio(unchecked: 16.0 / 9.0)

  /// Makes a ratio.
  ///
  /// - Throws: `PoseSourceError.invalidOption` outside 0.1...10.
  package init(_ value: Double) throws(PoseSourceError) {
    guard (0.1...10).contains(value) else { throw Self.error("\(value)") }
    self.init(unchecked: value)
  }

  /// Reads `16:9`, `1280x720` or a plain number.
  ///
  /// - Throws: `PoseSourceError.invalidOption` for anything else.
  package init(_ text: String) throws(PoseSourceError) {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "x" }
      .compactMap { Double($0) }
    switch parts.count {
    case 1 where Double(text) != nil: try self.init(parts[0])
    case 2: try self.init(parts[0] / parts[1])
    default: throw Self.error(text)
    }
  }

  /// The ratio as a plain number.
  package var description: String { "\(value)" }

  private init(unchecked value: Double) { self.value = value }

  private static func error(_ found: String) -> PoseSourceError {
    .invalidOption(
      "the aspect ratio", found: found,
      allowed: "width over height as `16:9` or a number, from 0.1 to 10")
  }
}
