import PoseModel

/// The stretches of frames in which a clock runs on: more than one where it starts again, as in a
/// file to which an app appends its sessions.
struct ClockStretches {
  let ranges: [Range<Int>]

  /// The fewest frames of a recording.
  private static let fewestFrames = 10
  /// A step back by so many usual steps or fewer is a mistake of a few frames, not another start.
  private static let smallStep = 5.0

  init(count: Int) { ranges = [0..<count] }

  init(_ times: [Double], source: String, place: (Int) -> String) throws {
    let origin = times.first ?? 0
    let rounded = times.map { roundedToMicroseconds($0 - origin) }
    let breaks = times.indices.dropFirst().filter { !(rounded[$0] > rounded[$0 - 1]) }
    var ranges: [Range<Int>] = []
    var start = 0
    for end in breaks + [times.count] {
      ranges.append(start..<end)
      start = end
    }
    self.ranges = ranges
    guard let first = breaks.first else { return }
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 0 }
    let step = steps.median ?? 0
    func refuse(_ index: Int, _ what: String) -> PoseSourceError {
      .unexpectedValue(
        file: place(index), path: source,
        found: "\(times[index]) s in frame \(index) after \(times[index - 1]) s in frame "
          + "\(index - 1): \(what)",
        allowed: "times that increase from frame to frame")
    }
    for index in breaks {
      let back = times[index - 1] - times[index]
      if rounded[index] == rounded[index - 1] {
        throw refuse(index, "it looks like a repeated frame")
      }
      if back <= Self.smallStep * step {
        let isExchange = index + 1 == times.count || times[index + 1] > times[index - 1]
        throw refuse(
          index,
          isExchange
            ? "it looks like two frames exchanged" : "it looks like frames that were saved twice")
      }
    }
    if ranges.contains(where: { $0.count < Self.fewestFrames }) {
      throw refuse(first, "the clock goes back \(CountText.of(breaks.count, "time"))")
    }
    for (before, next) in zip(ranges, ranges.dropFirst())
    where times[next.upperBound - 1] < times[before.lowerBound] {
      throw refuse(
        next.lowerBound,
        "frames \(next.lowerBound) to \(next.upperBound - 1) are earlier than all of the "
          + "\(before.count) before them, like parts in the wrong order")
    }
  }
}
