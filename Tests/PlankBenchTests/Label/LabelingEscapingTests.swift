import PoseModel
import Testing

@testable import PlankBench

@Suite("Names on the labeling page")
struct LabelingEscapingTests {
  private static func page(name: String, subject: String, other: String) throws -> String {
    var header = LabelingSample.header()
    header.subject = subject
    let strip = LabelingStrip(
      name: other, unit: other, values: [], thresholds: [.init(name: other, value: 1)])
    return try LabelingSample.html(
      [
        LabelingInput(
          name: name, recording: Recording(header: header), strips: [strip],
          labelsFileName: other + ".csv")
      ], dataset: other)
  }

  @Test("No name leaves the data blocks or becomes markup")
  func namesStayInside() throws {
    let hostile = LabelingSample.hostile
    let html = try Self.page(name: hostile, subject: hostile, other: hostile)
    let plain = try Self.page(name: "a", subject: "b", other: "c")
    var (rest, plainRest) = (html, plain)
    for id in ["queue", "recording-0"] {
      let block = try LabelingSample.block(of: html, id: id)
      for sign in ["<", ">", "&", "\u{2028}", "\u{2029}", "\0"] { #expect(!block.contains(sign)) }
      rest = rest.replacing(block, with: "")
      plainRest = plainRest.replacing(try LabelingSample.block(of: plain, id: id), with: "")
    }
    #expect(rest == plainRest && rest.count > 1000)
  }

  @Test("Every name reads back as it was")
  func namesReadBack() throws {
    let hostile = LabelingSample.hostile
    let html = try Self.page(name: hostile, subject: hostile, other: hostile)
    let data = try LabelingSample.data(of: html)
    #expect(data["name"] as? String == hostile)
    #expect(data["labels_file"] as? String == hostile + ".csv")
    #expect(data["facts"] as? [[String]] == [["subject", hostile]])
    let strip = try #require((data["strips"] as? [[String: Any]])?.first)
    #expect(strip["name"] as? String == hostile)
    #expect(strip["unit"] as? String == hostile)
    let threshold = try #require((strip["thresholds"] as? [[String: Any]])?.first)
    #expect(threshold["name"] as? String == hostile)
  }

  @Test(
    "The labels file is named after the recording",
    arguments: [
      ("s01.poses.jsonl", "s01.labels.csv"), ("s01.poses.jsonl.gz", "s01.labels.csv"),
      ("s01", "s01.labels.csv"), (".poses.jsonl", ".labels.csv"),
    ])
  func labelsAreNamed(recording: String, labels: String) {
    let input = LabelingInput(
      name: recording, recording: Recording(header: LabelingSample.header()))
    #expect(input.labelsFileName == labels)
  }

  @Test("Facts that are given replace the header's subject")
  func factsReplaceTheSubject() {
    var header = LabelingSample.header()
    header.subject = "s01"
    let facts = [LabelingFact(name: "subject", value: "s02"), .init(name: "light", value: "dim")]
    let input = LabelingInput(name: "a", recording: Recording(header: header), facts: facts)
    #expect(input.facts == facts)
  }
}
