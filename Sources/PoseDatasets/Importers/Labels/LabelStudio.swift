import PoseModel
import PoseRecording

/// Reads Label Studio's tasks: `timelinelabels` in frames, and regions of audio, video and time
/// series.
extension LabelJSON {
  private static let labelKeys = [
    "timelinelabels", "labels", "timeserieslabels", "videolabels", "choices",
  ]

  mutating func readLabelStudio(
    _ node: JSONNode, _ context: Context, _ place: SourcePlace
  ) throws -> Bool {
    if case .object? = node["data"]?.content,
      let annotations = (node["annotations"] ?? node["completions"])?.elements
    {
      let done = annotations.filter { annotation in
        annotation["was_cancelled"]?.content != .boolean(true)
      }
      guard done.count <= 1 else {
        throw place.unusable(
          "this task has \(CountText.of(done.count, "annotation"))",
          "keep only one, and export again")
      }
      for annotation in done { try read(annotation, context) }
      return true
    }
    guard let labels = Self.labels(node) else { return false }
    if let list = node["ranges"]?.elements {
      isLabelStudio = true
      for range in list {
        guard let start = range["start"]?.number, let end = range["end"]?.number else {
          throw place.unexpected(
            "a range of `\(labels[0].prefix(40))`", range.summary, "numbers for `start` and `end`")
        }
        append(labels, .number(start), .number(end), .frames, context, place)
      }
      return true
    }
    if let list = node["sequence"]?.elements {
      readSequence(list, labels, until: node["duration"]?.number, context, place)
      return true
    }
    let times = ["start", "end"].map { node[$0] }
    guard times.contains(where: { $0 != nil }) else { return false }
    guard let start = times[0].flatMap(Self.time), let end = times[1].flatMap(Self.time) else {
      let isStart = times[0].flatMap(Self.time) == nil
      throw place.unexpected(
        "`\(isStart ? "start" : "end")` of `\(labels[0].prefix(40))`",
        times[isStart ? 0 : 1]?.summary ?? "missing", "seconds, or times such as 0:12.5")
    }
    append(labels, start, end, node["timeserieslabels"] == nil ? .seconds : nil, context, place)
    return true
  }

  private static func labels(_ node: JSONNode) -> [String]? {
    for key in labelKeys {
      guard let list = node[key]?.elements else { continue }
      let labels = list.compactMap(\.text)
      let isKnown = key != "choices" || labels.allSatisfy { LabelWords.form($0) != nil }
      if labels.count == list.count, !labels.isEmpty, isKnown { return labels }
    }
    return nil
  }

  private mutating func readSequence(
    _ list: [JSONNode], _ labels: [String], until end: Double?, _ context: Context,
    _ place: SourcePlace
  ) {
    var start: Double?
    for frame in list {
      guard let time = frame["time"]?.number else { continue }
      let isEnabled = frame["enabled"]?.content != .boolean(false)
      if isEnabled {
        start = start ?? time
      } else if let first = start {
        append(labels, .number(first), .number(time), .seconds, context, place)
        start = nil
      }
    }
    if let first = start, let end {
      append(labels, .number(first), .number(end), .seconds, context, place)
    }
  }
}
