/// A labeled stretch of time, half-open [start, end).
package struct OracleSegment: Sendable, Equatable {
  /// First second that belongs to the segment.
  package var start: Double
  /// First second that does not.
  package var end: Double
  /// A plank class or `ignore`.
  package var plank: String
  /// A form class or empty.
  package var form: String

  /// Makes a segment.
  package init(start: Double, end: Double, plank: String, form: String) {
    self.start = start
    self.end = end
    self.plank = plank
    self.form = form
  }
}
