/// A small dataset of two sequences on disk.
enum SampleDataset {
  static let manifest = """
    name: sample
    sequences:
      - {poses: a.poses.jsonl, labels: a.labels.csv, subject: s1, split: tune}
      - {poses: sub/b.poses.jsonl, labels: a.labels.csv, subject: s2, split: test, starts: mid}

    """
  static let labels = "start,end,plank,form\n0,2,high,sag\n"
  static let firstPoses = SampleText.text(
    SampleText.header, SampleText.frame("0"), SampleText.frame("1"), SampleText.frame("2", "null"))
  static let secondPoses = SampleText.text(
    SampleText.header(["subject": "\"s2\""]), SampleText.frame("0", "[0,0,0,9,9,8]"),
    SampleText.frame("1", "null"))

  /// Writes the dataset into a new folder.
  static func make(manifest: String = manifest) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(manifest, to: "dataset.yaml")
    try folder.write(firstPoses, to: "a.poses.jsonl")
    try folder.write(secondPoses, to: "sub/b.poses.jsonl")
    try folder.write(labels, to: "a.labels.csv")
    return folder
  }
}
