internal import PoseModel

/// The scores by source, subject and tag: all values of a key if there are few, otherwise the
/// worst.
///
/// A sequence with several tags is in several slices. Values without a scored frame are left out.
package struct ScoreSlices: Codable, Hashable, Sendable {
  package static let fullLimit = 50

  /// The listed slices: by source if there are several, by subject with the unnamed one last, and
  /// by tag.
  package let full: [ScoreSlice]
  package let summaries: [SliceSummary]

  private enum CodingKeys: String, CodingKey {
    case full = "listed"
    case summaries = "summarized"
  }

  init() {
    full = []
    summaries = []
  }

  init(_ sequences: [SequenceScores], _ stream: AnswerStream) {
    let scored = sequences.filter { $0[stream].frames.scored > 0 }
    let tags = Set(scored.flatMap(\.tags.keys)).sorted()
    var full: [ScoreSlice] = []
    var summaries: [SliceSummary] = []
    let sources = scored.contains { $0.source != nil } ? [SliceKey.source] : []
    for key in sources + [.subject] + tags.map(SliceKey.tag) {
      var groups = SliceGroup.groups(of: scored, by: key, stream)
      if groups.count > Self.fullLimit {
        let ranked = groups.sorted(by: SliceGroup.isWorse)
        summaries.append(SliceSummary(key, ranked.dropFirst(Self.fullLimit)))
        let worst = Set(ranked.prefix(Self.fullLimit).map(\.value))
        groups.removeAll { !worst.contains($0.value) }
      }
      full += groups.map { ScoreSlice(key, $0, stream) }
    }
    self.full = full
    self.summaries = summaries
  }
}

package enum SliceKey: Hashable, Sendable {
  case source
  case subject
  case tag(String)
}

extension SliceKey: Codable {
  private static let tagPrefix = "tag:"

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    switch name {
    case "source": self = .source
    case "subject": self = .subject
    default:
      guard name.hasPrefix(Self.tagPrefix) else {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription: "found `\(name)`; allowed: source, subject, or tag: and a tag's name")
      }
      self = .tag(String(name.dropFirst(Self.tagPrefix.count)))
    }
  }

  package func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }

  package var name: String {
    switch self {
    case .source: "source"
    case .subject: "subject"
    case .tag(let tag): Self.tagPrefix + tag
    }
  }
}

package struct ScoreSlice: Codable, Hashable, Sendable {
  package let key: SliceKey
  package let value: String?
  package let sequenceCount: Int
  package let noEvidence: [String]
  package let view: ScoreView

  private enum CodingKeys: String, SnakeCaseKey {
    case key = "by"
    case value
    case sequenceCount = "sequences"
    case noEvidence
    case view = "scores"
  }

  fileprivate init(_ key: SliceKey, _ group: SliceGroup, _ stream: AnswerStream) {
    self.key = key
    value = group.value
    sequenceCount = group.sequences.count
    noEvidence = group.sequences.filter { $0[stream].frames.isNoEvidence }.map(\.name)
    view = ScoreView(group.sequences, stream)
  }
}

/// A summary of a key's values that are not listed, all at least as accurate as the listed ones.
package struct SliceSummary: Codable, Hashable, Sendable {
  package let key: SliceKey
  package let valueCount: Int
  package let sequenceCount: Int
  package let scoredFrames: Int
  package let leastAccuracy: Double
  package let medianAccuracy: Double
  package let greatestAccuracy: Double

  private enum CodingKeys: String, SnakeCaseKey {
    case key = "by"
    case valueCount = "values"
    case sequenceCount = "sequences"
    case scoredFrames, leastAccuracy, medianAccuracy, greatestAccuracy
  }

  fileprivate init(_ key: SliceKey, _ ranked: ArraySlice<SliceGroup>) {
    let accuracies = ranked.map(\.accuracy)
    self.key = key
    valueCount = ranked.count
    sequenceCount = ranked.reduce(0) { $0 + $1.sequences.count }
    scoredFrames = ranked.reduce(0) { $0 + $1.scoredFrames }
    leastAccuracy = accuracies.first ?? 0
    greatestAccuracy = accuracies.last ?? 0
    let middle = accuracies.count / 2
    medianAccuracy =
      accuracies.count.isMultiple(of: 2)
      ? (accuracies[middle - 1] + accuracies[middle]) / 2 : accuracies[middle]
  }
}

private struct SliceGroup {
  let value: String?
  let sequences: [SequenceScores]
  let accuracy: Double
  let scoredFrames: Int

  private init(_ value: String?, _ sequences: [SequenceScores], _ stream: AnswerStream) {
    self.value = value
    self.sequences = sequences
    var (right, all) = (0.0, 0.0)
    for sequence in sequences {
      let matrix = sequence[stream].confusion
      right += Double(matrix.right) * sequence.frameWeight.value
      all += Double(matrix.total) * sequence.frameWeight.value
    }
    accuracy = right / all
    scoredFrames = sequences.reduce(0) { $0 + $1[stream].frames.scored }
  }

  static func groups(
    of sequences: [SequenceScores], by key: SliceKey, _ stream: AnswerStream
  ) -> [SliceGroup] {
    func named(_ name: (SequenceScores) -> String?) -> [SliceGroup] {
      let known = sequences.filter { name($0) != nil }
      return Dictionary(grouping: known) { name($0) ?? "" }.sorted { $0.key < $1.key }
        .map { SliceGroup($0.key, $0.value, stream) }
    }
    switch key {
    case .source: return named(\.source)
    case .tag(let tag): return named { $0.tags[tag] }
    case .subject:
      let bySubject = Dictionary(grouping: sequences, by: \.subject)
      let names = bySubject.keys.compactMap(\.self).sorted().map(Optional.some)
      return (names + [nil]).compactMap { name in
        bySubject[name].map { SliceGroup(name, $0, stream) }
      }
    }
  }

  static func isWorse(_ one: SliceGroup, _ other: SliceGroup) -> Bool {
    if one.accuracy != other.accuracy { return one.accuracy < other.accuracy }
    if one.scoredFrames != other.scoredFrames { return one.scoredFrames > other.scoredFrames }
    guard let left = one.value, let right = other.value else { return one.value != nil }
    return left < right
  }
}
