/// A segment that breaks a rule of label tracks.
public struct LabelTrackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with a segment.
  public enum Problem: String, Hashable, Sendable {
    /// A time is not a finite number.
    case notFinite = "a time is not a finite number; write seconds"
    /// The end is not after the start.
    case endsBeforeItStarts = "the segment does not end after it starts; swap or correct the times"
    /// The segment starts before the one above it.
    case outOfOrder = "the segment starts before the one above it; sort the rows by start"
    /// The segment starts before the one above it has ended.
    case overlaps = "the segment overlaps the one above it; end that one earlier"
    /// A form label without a plank.
    case formWithoutPlank =
      "a form label needs a plank class; leave form empty where plank is none or ignore"
  }

  /// The segment's position in the track, from 0.
  public let segment: Int
  /// What is wrong with it.
  public let problem: Problem

  /// The problem and its remedy.
  public var description: String { problem.rawValue }
}
