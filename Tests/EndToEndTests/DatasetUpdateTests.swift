import Foundation
import Testing

/// `dataset update` among others that write, and names that no manifest can hold.
@Suite("Updating a dataset")
struct DatasetUpdateTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    let frame = #"{"t":0,"p":[0,0,0]}"#
    _ = try workspace.dataset(poses: BadInputTests.Case.good + "\n" + frame + "\n")
  }

  private func copy(to name: String) throws {
    try FileManager.default.copyItem(
      atPath: workspace.path("data/a.poses.jsonl"), toPath: workspace.path("data/" + name))
  }

  @Test("Eight updates at the same moment all succeed, and every recording is there once")
  func concurrent() throws {
    for number in 0..<40 { try copy(to: "b\(number).poses.jsonl") }
    // The end of the pipe, and not `wait`, says that all have ended: a shell of a thread that blocks
    // signals would wait forever.
    let line = """
      for i in 1 2 3 4 5 6 7 8; do { planklab dataset update data > $i.out 2> $i.err; \
      echo $?; } & done | cat; cat *.err | grep error
      """
    let run = try Program.shell(line, in: workspace.folder)
    #expect(run.output == String(repeating: "0\n", count: 8), "\(run.output)")
    let manifest = try String(contentsOfFile: workspace.path("data/dataset.yaml"), encoding: .utf8)
    for number in 0..<40 {
      #expect(manifest.components(separatedBy: "b\(number).poses.jsonl").count == 2)
    }
  }

  @Test("A recording whose name is not UTF-8 is named byte by byte, with what to do")
  func rawName() throws {
    let source = workspace.path("data/a.poses.jsonl")
    let data = workspace.path("data")
    let raw = Array((data + "/b").utf8) + [0xFF] + Array("'.poses.jsonl".utf8) + [0]
    guard link(source, raw.map { CChar(bitPattern: $0) }) == 0 else {
      // Volumes of macOS have no such names.
      #expect(errno == EILSEQ)
      return
    }
    for command in ["update", "init"] {
      if command == "init" { unlink(data + "/dataset.yaml") }
      let run = try Program.run("dataset", command, data)
      #expect(run.status == 65 && run.errors.contains("is not UTF-8"), "\(run.errors)")
      #expect(run.errors.contains(#"/b\xff\x27.poses.jsonl' NAME.poses.jsonl"#), "\(run.errors)")
    }
  }
}
