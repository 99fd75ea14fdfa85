import Foundation
import Testing

/// Vision's 2D body poses, from a dump to a picture, from the command line.
@Suite("Vision's 2D poses")
struct Vision2DTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private static let header =
    #"{"format":"vision2d-dump","version":1,"imageWidth":1080,"imageHeight":1920,"subject":"s01"}"#

  /// Someone who lies along x, and a bystander, in ten images; the person jumps in the seventh.
  private static let dump: String = {
    let body = [
      ("head_joint", 0.9, 0.26), ("neck_1_joint", 0.8, 0.25), ("root", 0.5, 0.2),
      ("left_foot_joint", 0.1, 0.1), ("right_foot_joint", 0.1, 0.1), ("leftKnee", 0.3, 0.15),
      ("rightKnee", 0.3, 0.15), ("leftElbow", 0.8, 0.1), ("left_hand_joint", 0.9, 0.1),
      ("left_shoulder_1_joint", 0.8, 0.24), ("left_upLeg_joint", 0.5, 0.2),
    ]
    let frames = (0..<10).map { image in
      let rise = image < 6 ? 0 : 0.2
      let points = body.map { #""\#($0)":[\#($1),\#($2 + rise),0.8]"# }.joined(separator: ",")
      let other =
        #"{"joints":{"root":[0.05,0.8,0.9],"neck":[0.05,0.9,0.9],"leftKnee":[0.06,0.7,1]}}"#
      return #"{"timestamp":\#(100 + Double(image) / 10),"observations":[\#(other),{"joints":{"#
        + points + "}}]}"
    }
    return ([header] + frames).joined(separator: "\n") + "\n"
  }()

  @Test("A dump becomes the recording of the most prominent person, which lint and show understand")
  func whole() throws {
    try workspace.write(Self.dump, to: "floor.jsonl")
    let folder = workspace.path("floor")
    let imported = try Program.run(
      "import", "vision2d", workspace.path("floor.jsonl"), "-o", folder)
    #expect(imported.status == 0)
    #expect(imported.errors.contains("2 people seen; the most prominent one"))
    #expect(imported.errors.contains("first at 0.6 s: it may be someone else"))

    let lint = try Program.run("dataset", "lint", folder)
    #expect(lint.status == 0)
    #expect(lint.words.contains("floor.poses.jsonl:8: warning (person-jumps)"), "\(lint.output)")
    #expect(!lint.output.contains("small-body") && !lint.output.contains("missing-regions"))

    let picture = workspace.path("floor.svg")
    let shown = try Program.run(
      "dataset", "show", folder, "--sequence", "floor", "--joints", "--at", "0.25", "--picture",
      picture)
    #expect(shown.status == 0)
    let row = try #require(
      shown.output.split(separator: "\n").first { $0.contains("leftWrist") })
    #expect(row.contains("leftArm") && row.contains("0.900 0.100") && row.contains("972.0 192.0"))
    let svg = try String(contentsOfFile: picture, encoding: .utf8)
    // The wrist is at the right, near the bottom of a picture of 360 by 640.
    #expect(svg.contains("cx=\"324\" cy=\"576\""))
    #expect(svg.components(separatedBy: "<circle").count - 1 == 11)
  }

  @Test("Everyone can be imported, and a size on the command line replaces the header's")
  func everyone() throws {
    try workspace.write(Self.dump, to: "floor.jsonl")
    let folder = workspace.path("all")
    let run = try Program.run(
      "import", "vision2d", workspace.path("floor.jsonl"), "--everyone", "--image-size",
      "1000x1000",
      "-o", folder)
    #expect(run.output.contains("2 sequences, 20 frames"), "\(run.output) \(run.errors)")
    let shown = try Program.run(
      "dataset", "show", folder, "--sequence", "floor-2", "--joints", "--at", "0")
    #expect(shown.output.contains("1000x1000") && shown.output.contains("50.0 900.0"))
  }

  @Test("Without an image size, with pixels or cut off, a dump is refused with its line")
  func refused() throws {
    for (name, dump, words) in [
      ("size", Self.dump.split(separator: "\n")[1...].joined(separator: "\n"), "imageHeight"),
      ("pixels", Self.dump.replacing("[0.5,0.2,0.8]", with: "[540,384,0.8]"), "divide pixels"),
      ("cut", String(Self.dump.dropLast(40)), "cut.jsonl:11: "),
    ] {
      try workspace.write(dump, to: "\(name).jsonl")
      let run = try Program.run(
        "import", "vision2d", workspace.path("\(name).jsonl"), "-o", workspace.path(name))
      #expect(run.status == 65 && run.errors.contains(words), "\(name): \(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: workspace.path(name)))
    }
    let focal = try Program.run("import", "vision2d", "no.jsonl", "-o", workspace.path("none"))
    #expect(focal.status == 66)
  }
}
