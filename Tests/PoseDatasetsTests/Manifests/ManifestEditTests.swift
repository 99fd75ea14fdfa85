import PoseDatasets
import Testing

@Suite("Manifests that are added to")
struct ManifestEditTests {
  private static let text = """
    # Sundays
    name: planks
    sequences:
      - poses: a.poses.jsonl  # Anna
        tags: {light: dim}
      - {poses: b.poses.jsonl, subject: ben}
      - poses: c.poses.jsonl
    """

  private func edit(_ text: String = text) throws -> ManifestEdit {
    try ManifestEdit(text: text, file: "dataset.yaml")
  }

  @Test("Missing labels and subjects are added, and comments stay")
  func missing() throws {
    var edit = try edit()
    let values = ["a": "anna", "b": "anna", "none": "anna"]
    #expect(try edit.setMissing(.subject, values) == ["a"])
    #expect(
      try edit.setMissing(.labels, ["b": "b: 1.labels.csv", "c": "c.labels.csv"]) == ["b", "c"])
    #expect(
      edit.text == """
        # Sundays
        name: planks
        sequences:
          - poses: a.poses.jsonl  # Anna
            subject: anna
            tags: {light: dim}
          - {poses: b.poses.jsonl, subject: ben, labels: "b: 1.labels.csv"}
          - poses: c.poses.jsonl
            labels: c.labels.csv
        """)
  }

  @Test("New sequences come last, laid out as the others are", arguments: ["", "  ", "    "])
  func append(indent: String) throws {
    let text = "sequences:\n\(indent)- poses: a.poses.jsonl\n"
    var edit = try edit(text)
    try edit.append([
      SequenceEntry(posesPath: "sub/b.poses.jsonl", labelsPath: "sub/b.labels.csv", subject: "ben")
    ])
    #expect(
      edit.text == text + "\(indent)- poses: sub/b.poses.jsonl\n"
        + "\(indent)  labels: sub/b.labels.csv\n\(indent)  subject: ben\n")
  }

  @Test(
    "Every line break that YAML knows ends a line, and lines are added with the file's own",
    arguments: ["\n", "\r\n", "\r", "\u{85}", "\u{2028}"])
  func lineBreaks(lineBreak: String) throws {
    let lines = ["sequences:", "- poses: a.poses.jsonl", "- {poses: b.poses.jsonl}"]
    var edit = try edit(lines.joined(separator: lineBreak))
    #expect(try edit.setMissing(.subject, ["a": "anna", "b": "ben"]) == ["a", "b"])
    try edit.append([SequenceEntry(posesPath: "c.poses.jsonl")])
    let expected = [
      lines[0], lines[1], "  subject: anna", "- {poses: b.poses.jsonl, subject: ben}",
      "- poses: c.poses.jsonl", "",
    ]
    #expect(edit.text == expected.joined(separator: lineBreak))
  }

  @Test(
    "A layout that cannot be added to is refused and left as it is",
    arguments: [
      "sequences:\n  - poses: a.poses.jsonl\nname: behind\n",
      "{sequences: [{poses: a.poses.jsonl}]}", "sequences: [\n  {poses: a.poses.jsonl},\n]\n",
    ])
  func refused(text: String) throws {
    var edit = try edit(text)
    #expect(throws: FieldError.self) {
      try edit.append([SequenceEntry(posesPath: "b.poses.jsonl")])
    }
    #expect(edit.text == text)
  }
}
