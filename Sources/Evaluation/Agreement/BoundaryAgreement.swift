package import PoseModel
internal import Statistics

/// How near to each other two people draw the boundaries of one stream.
///
/// Boundaries to the same class at most `window` apart are matched one to one: as many as
/// possible, and among those the matching with the least sum of distances.
package struct BoundaryAgreement: Hashable, Sendable {
  /// The farthest that matched boundaries may lie apart; the bound is included.
  package let window: Seconds
  /// The second person's time minus the first one's of every matched boundary, in seconds.
  package private(set) var offsets: [Double] = []
  /// Boundaries of the first person without a counterpart.
  package private(set) var firstUnmatched = 0
  /// Boundaries of the second person without a counterpart.
  package private(set) var secondUnmatched = 0

  /// How far apart matched boundaries may be unless told otherwise: ours.
  package static let defaultWindow = Seconds(1)

  /// Matches the boundaries of two tracks.
  ///
  /// - Complexity: O(first + second + pairs within the window) a class, in time and memory.
  init(_ first: [LabelBoundary], _ second: [LabelBoundary], window: Seconds) {
    self.window = window
    for label in Set(first.map(\.to)).union(second.map(\.to)).sorted() {
      let left = first.filter { $0.to == label }.map(\.time)
      let right = second.filter { $0.to == label }.map(\.time)
      let found = BoundaryMatching(left, right, within: window.value + FrameTiming.slack).offsets
      offsets += found
      firstUnmatched += left.count - found.count
      secondUnmatched += right.count - found.count
    }
  }

  /// How many boundaries have a counterpart.
  package var matched: Int { offsets.count }

  /// The median distance of matched boundaries, in seconds.
  package var median: AgreementValue {
    .of(Description.median(offsets.map(\.magnitude)), orElse: .noMatchedBoundary)
  }

  /// The distance that nine in ten matched boundaries do not exceed, in seconds.
  package var ninetiethPercentile: AgreementValue {
    .of(
      Description.quantile(offsets.map(\.magnitude), at: 0.9), orElse: .noMatchedBoundary)
  }

  /// The largest distance of matched boundaries, in seconds.
  package var largest: AgreementValue {
    .of(offsets.map(\.magnitude).max(), orElse: .noMatchedBoundary)
  }

  /// The median of the signed offsets, in seconds; positive where the second person is later.
  package var medianOffset: AgreementValue {
    .of(Description.median(offsets), orElse: .noMatchedBoundary)
  }

  /// Adds the boundaries of another recording.
  ///
  /// - Precondition: both were matched in the same window.
  package static func += (left: inout BoundaryAgreement, right: BoundaryAgreement) {
    precondition(left.window == right.window, "windows are the same in one pool")
    left.offsets += right.offsets
    left.firstUnmatched += right.firstUnmatched
    left.secondUnmatched += right.secondUnmatched
  }
}
