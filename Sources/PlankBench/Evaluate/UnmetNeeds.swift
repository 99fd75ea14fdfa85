internal import Evaluation
internal import PlankDetection
internal import PoseModel

extension UnmetNeed {
  /// A joint that some frame has is no need.
  ///
  /// Joints are looked up only where a list of rules decided no frame: one that is missing
  /// throughout lets it decide none. O(frames) per missing joint.
  static func find(
    _ definition: DetectorDefinition, in recording: Recording, _ answers: DetectionColumns
  ) -> [UnmetNeed] {
    let frames = 0..<recording.frameCount
    guard !frames.isEmpty, definition.mismatch(with: recording.header) == nil else { return [] }
    guard frames.contains(where: { !recording.isMissing(at: $0) }) else {
      let rules = AnswerStream.allCases.flatMap { definition.list($0).rules }
      return [UnmetNeed(.pose, rules: rules.count { !$0.predicates.isEmpty }, recordings: 1)]
    }
    let blind = AnswerStream.allCases.filter { isBlind(answers[$0]) }
    let joints = Joint.allCases.map { joint in
      need(.joint, joint, in: blind, of: definition, { $0.needs(joint) }) {
        frames.contains { recording.position(of: joint, at: $0) != nil }
      }
    }
    return ([height(definition, in: recording)] + joints).compactMap(\.self)
  }

  /// Nil for points in an image, whose detectors need no height.
  static func height(_ definition: DetectorDefinition, in recording: Recording) -> UnmetNeed? {
    guard recording.layout.dimension == 3 else { return nil }
    return need(.bodyHeight, nil, in: AnswerStream.allCases, of: definition, \.needsBodyHeight) {
      !(0..<recording.frameCount).contains {
        !recording.isMissing(at: $0) && recording.bodyHeight(at: $0) == nil
      }
    }
  }

  private static func need(
    _ fact: Fact, _ joint: Joint?, in streams: [AnswerStream], of definition: DetectorDefinition,
    _ isNeeded: (Measurement) -> Bool, _ isThere: () -> Bool
  ) -> UnmetNeed? {
    let rules = streams.flatMap { definition.list($0).rules }
      .map { $0.predicates.map(\.measurement).filter(isNeeded) }.filter { !$0.isEmpty }
    guard !rules.isEmpty, !isThere() else { return nil }
    var names: [String] = []
    for name in rules.joined().map(\.name) where !names.contains(name) { names.append(name) }
    return UnmetNeed(fact, joint: joint?.name, of: names, rules: rules.count, recordings: 1)
  }

  private static func isBlind(_ answers: StreamColumns) -> Bool {
    !answers.answers.indices.contains(where: answers.isDetermined)
  }

  static func sentences(_ needs: [UnmetNeed], of detector: String, in count: Int) -> [String] {
    let joints = needs.compactMap { need in
      need.joint.map { (name: $0, need: need) }
    }
    let others = needs.compactMap { need -> String? in
      switch need.fact {
      case .pose:
        need.recordings == count
          ? "No frame has a pose."
          : "\(need.recordings) of \(count) recordings have no frame with a pose."
      case .bodyHeight:
        "`body_height_m` is missing in \(need.place(among: count)): \(need.ruleText) of "
          + "`\(detector)` \(need.rules == 1 ? "takes" : "take") Vision's "
          + "\(NumberText.fixed(HeightEstimation.referenceHeight.value, 1)) m instead "
          + "(\(need.measurements.map { "`\($0)`" }.joined(separator: ", "))). Add it to the first "
          + "line of each recording if you know it."
      case .joint: nil
      }
    }
    guard let first = joints.first else { return others }
    let names = joints.map { "`\($0.name)`" }.joined(separator: ", ")
    return others + [
      "\(names) \(joints.count == 1 ? "is" : "are") in no frame of "
        + "\(first.need.place(among: count)), and rules of `\(detector)` need "
        + "\(joints.count == 1 ? "it" : "them"). Record \(joints.count == 1 ? "it" : "them"), or "
        + "take a detector that does without."
    ]
  }

  private var ruleText: String { NumberText.count(rules, "rule") }

  private func place(among count: Int) -> String {
    recordings == count && count > 1
      ? "all \(NumberText.count(count)) recordings"
      : count == 1 ? "the recording" : "\(recordings) of \(NumberText.count(count)) recordings"
  }
}
