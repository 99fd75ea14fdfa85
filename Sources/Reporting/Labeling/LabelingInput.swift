package import PoseModel

/// What a labeling page shows and where its labels go.
package struct LabelingInput: Sendable {
  /// The ending of uncompressed recordings.
  private static let endings = [".poses.jsonl.gz", ".poses.jsonl"]

  /// The recording's name: the page's title, and the key under which a browser keeps labels.
  package var name: String
  /// The file name that a download gets.
  package var labelsFileName: String
  /// What else is worth knowing, in order: subject, tags.
  package var facts: [LabelingFact]
  /// The poses, as readers give them: a flipped image already undone.
  package var recording: Recording
  /// The measurements that are drawn over time, from top to bottom.
  package var strips: [LabelingStrip]
  /// The labels to start from, where there are some.
  package var labels: LabelTrack?

  /// Makes the input of a page.
  ///
  /// - Parameters:
  ///   - name: the recording's file name.
  ///   - labelsFileName: where nil, the name with `.labels.csv` in place of `.poses.jsonl`.
  ///   - facts: where empty, the header's subject.
  package init(
    name: String, recording: Recording, strips: [LabelingStrip] = [], labels: LabelTrack? = nil,
    facts: [LabelingFact] = [], labelsFileName: String? = nil
  ) {
    self.name = name
    self.recording = recording
    self.strips = strips
    self.labels = labels
    let subject = recording.header.subject.map { [LabelingFact(name: "subject", value: $0)] }
    self.facts = facts.isEmpty ? subject ?? [] : facts
    self.labelsFileName = labelsFileName ?? Self.labelsFileName(of: name)
  }

  /// The name of the labels that belong to a recording.
  private static func labelsFileName(of name: String) -> String {
    let ending = endings.first { name.hasSuffix($0) } ?? ""
    return name.dropLast(ending.count) + ".labels.csv"
  }
}
