import TestSupport

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

  static func make(manifest: String = manifest) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(manifest, to: "dataset.yaml")
    try folder.write(firstPoses, to: "a.poses.jsonl")
    try folder.write(secondPoses, to: "sub/b.poses.jsonl")
    try folder.write(labels, to: "a.labels.csv")
    return folder
  }
}

/// Recordings of two joints as text, short enough to be read in a test.
enum SampleText {
  /// A header without anything optional.
  static let header = header()

  /// A header with fields replaced or added.
  ///
  /// - Parameter fields: JSON by key; an empty text takes the key out.
  static func header(_ fields: KeyValuePairs<String, String> = [:]) -> String {
    var members = [
      ("format", "\"planklab-poses\""), ("version", "1"), ("skeleton", "\"vision3d\""),
      ("joints", #"["root","leftHip"]"#), ("frame", "\"camera\""),
    ]
    for (key, value) in fields {
      members.removeAll { $0.0 == key }
      if !value.isEmpty { members.append((key, value)) }
    }
    return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// A frame line of two joints.
  static func frame(_ time: String, _ pose: String = "[0,1,2,3,4,5]", _ more: String = "")
    -> String
  {
    "{\"t\":\(time),\"p\":\(pose)\(more)}"
  }

  static func text(_ lines: String...) -> String { lines.map { $0 + "\n" }.joined() }
}
