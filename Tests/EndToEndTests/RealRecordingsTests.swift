import Foundation
import Testing

/// Real recordings, imported and evaluated from the command line.
///
/// Needs the folder in PLANKLAB_RECORDINGS; visibly skipped without it.
@Suite("Real recordings", .enabled(if: Program.recordings != nil, "set PLANKLAB_RECORDINGS"))
struct RealRecordingsTests {
  private let workspace: Workspace
  private let recordings: String

  init() throws {
    workspace = try Workspace()
    recordings = try #require(Program.recordings)
  }

  private func files(_ folder: String, _ ending: String) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: recordings + "/" + folder)
    return names.filter { $0.hasSuffix(ending) }.sorted().map { "\(recordings)/\(folder)/\($0)" }
  }

  @Test("On labeled planks another pair of thresholds beats the published one by far")
  func planks() throws {
    let folder = workspace.path("planks")
    let tables = try files("exercise-correction/history", ".csv")
    try Program.run(
      ["import"] + tables + [
        "--map", Program.root.path + "/datasets/exercise-correction/clips.map.yaml", "--output",
        folder,
      ]
    ).expect(0)
    let published = try EvaluationJSON(folder, "--detector", "article")
    let better = try EvaluationJSON(
      folder, "--detector", "article", "--set", "sag=1cm", "--set", "pike=11cm")
    let before = try #require(published.metric("form.balanced_accuracy"))
    let after = try #require(better.metric("form.balanced_accuracy"))
    #expect(before < 0.85 && after > 0.95, "\(before) -> \(after)")
    let determined =
      published["streams", "plank", "counts", "determined_by_frames", "overall"] as? Double
    #expect(determined == 1)
    let rows = try tables.map { path in
      try Program.text(path).split(whereSeparator: \.isNewline).count - 1
    }
    #expect(published["data", "counts", "frames"] as? Int == rows.reduce(0, +))
  }

  @Test(
    "Motion capture gives the same false planks from any camera and in a mirror",
    arguments: [[], ["--rotate", "1,1,0=50"], ["--rotate", "z=-90"], ["--reflect"]])
  func motionCapture(options: [String]) throws {
    let folder = workspace.path("motion")
    let motions = try files("deepmimic", ".txt")
    try Program.run(["import", "deepmimic"] + motions + ["--output", folder] + options).expect(0)
    let confusion = try EvaluationJSON(folder, "--detector", "gravity").confusion("plank")
    // none, forearm, high, sideLeft, sideRight, reverse, over crawl, getup and walk.
    #expect(confusion[0] == [68 + 39, 177 + 17, 47, 0, 0, 51])
  }
}

@Suite("Files from the wild", .enabled(if: Program.wild != nil, "set PLANKLAB_RECORDINGS"))
struct WildFilesTests {
  struct Poses: Sendable, CustomTestStringConvertible {
    let folder: String
    let file: String
    var options: [String] = []
    let frames: [Int]
    var accuracy: Double?

    var testDescription: String { folder }
  }

  private static let size = ["--image-size", "1280x720"]

  private static let files = [
    Poses(folder: "01-web-visibility-0", file: "web.json", frames: [108], accuracy: 0.973),
    Poses(
      folder: "02-score-as-depth", file: "movenet-xy.json", options: size, frames: [180],
      accuracy: 0.975),
    Poses(
      folder: "04-turned-video-2d", file: "rotated.json", options: size, frames: [180],
      accuracy: 0.975),
    Poses(
      folder: "05-frames-without-zeros-in-names", file: "frames", options: ["--rate", "6"],
      frames: [108], accuracy: 0.973),
    Poses(
      folder: "06-openpose-second-person", file: "json", options: size + ["--rate", "6"],
      frames: [108], accuracy: 0.97),
    Poses(
      folder: "08-images-without-a-row", file: "alphapose-results.json",
      options: size + ["--rate", "10"], frames: [98], accuracy: 1),
    Poses(folder: "09-two-poses-of-mediapipe", file: "tasks.json", frames: [108], accuracy: 0.973),
    Poses(folder: "11-missing-as-9999", file: "*", frames: [180], accuracy: 0.934),
    Poses(
      folder: "12-zeros-of-named-2d-points", file: "*", options: size, frames: [180],
      accuracy: 0.975),
    Poses(folder: "14-cmtime", file: "*", frames: [211], accuracy: 0.986),
    Poses(folder: "15-timecodes", file: "*", frames: [211], accuracy: 0.986),
    Poses(folder: "16-arkit-rows", file: "arkit-rows.json", frames: [304], accuracy: 0.981),
    Poses(
      folder: "18-x1-y1-z1-v1", file: "coords.csv", options: size + ["--rate", "5.6"],
      frames: [101], accuracy: 0.985),
    Poses(
      folder: "19-no-header", file: "poses.csv", options: size + ["--rate", "10"], frames: [169],
      accuracy: 1),
    Poses(
      folder: "21-header-of-three-rows", file: "clipDLC.csv", options: size + ["--rate", "10"],
      frames: [180], accuracy: 0.975),
    Poses(
      folder: "23-lists-of-x-and-y", file: "lists.json", options: size + ["--rate", "10"],
      frames: [180], accuracy: 0.975),
    Poses(
      folder: "24-orientation-left-mirrored", file: "session.ndjson", frames: [333], accuracy: 1),
    Poses(
      folder: "26-keyed-by-frame-names", file: "keyed.json", options: ["--rate", "6"],
      frames: [108], accuracy: 0.973),
    Poses(folder: "27-two-sessions-in-one-file", file: "restart.json", frames: [90, 90]),
    Poses(folder: "28-gzip-under-json", file: "session.json", frames: [180]),
    Poses(
      folder: "36-height-measured-and-forgotten", file: "vision.json", frames: [304],
      accuracy: 0.981),
  ]

  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func input(_ folder: String, _ file: String) throws -> String {
    let folder = try #require(Program.wild) + "/" + folder
    guard file == "*" else { return folder + "/" + file }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let others = ["README.md", "result.txt", "truth.labels.csv"]
    return folder + "/" + (try #require(names.first { !others.contains($0) }))
  }

  @Test("A file is read right, without a map", arguments: files)
  func reads(_ one: Poses) throws {
    let output = workspace.path("data")
    try Program.run(
      ["import", input(one.folder, one.file), "--subject", "s", "--output", output] + one.options
    ).expect(0)
    let recordings = try FileManager.default.contentsOfDirectory(atPath: output + "/recordings")
      .filter { $0.hasSuffix(".poses.jsonl") }.sorted()
    let lines = try recordings.map { name in
      try Program.text("\(output)/recordings/\(name)")
        .split(separator: "\n")
    }
    #expect(lines.map { $0.count - 1 } == one.frames)
    guard let accuracy = one.accuracy, let first = recordings.first else { return }
    let labels = first.replacing(".poses.jsonl", with: ".labels.csv")
    // Some files have a column of labels of their own.
    try? FileManager.default.removeItem(atPath: "\(output)/recordings/\(labels)")
    try FileManager.default.copyItem(
      atPath: try #require(Program.wild) + "/\(one.folder)/truth.labels.csv",
      toPath: "\(output)/recordings/\(labels)")
    let isFlat = !(lines[0].first?.contains("vision3d") ?? true)
    let found = try EvaluationJSON(
      [output, "--no-next"] + (isFlat ? ["--detector", "profile"] : []))
    let right = try #require(found.metric("plank.accuracy"))
    #expect(abs(right - accuracy) <= 0.02)
  }

  @Test("Positions fixed to the pelvis without a matrix are refused, and no map is written")
  func refused() throws {
    let file = try input("37-blocked-but-mapped", "no-matrix.json")
    let output = workspace.path("data")
    try Program.run("import", file, "--output", output).expect(
      65, errors: "cameraOriginMatrix")
    let map = workspace.path("a.map.yaml")
    try Program.run("doctor", file, "--write-map", map).expect(65)
    #expect(!FileManager.default.fileExists(atPath: map))
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test(
    "Label files of four programs say the same",
    arguments: [
      ("30-labels-in-frames/frames.csv", ["--rate", "30"]), ("32-labels-tab-table/boris.tsv", []),
      ("34-labels-label-studio/label-studio.json", ["--rate", "30"]),
      ("35-labels-decimal-comma/audacity.txt", []),
    ])
  func labels(_ path: String, _ options: [String]) throws {
    let output = workspace.path("a.labels.csv")
    let classes = [
      "high plank=high", "forearm plank=forearm", "sagging=forearm/sag", "piking=forearm/pike",
    ]
    try Program.run(
      [
        "label", "import",
        input(String(path.split(separator: "/")[0]), String(path.split(separator: "/")[1])),
      ]
        + classes.flatMap { ["--label", $0] } + options + ["--output", output]
    ).expect(0)
    #expect(
      try Program.text(output) == """
        start,end,plank,form
        0.0,1.0,none,
        2.2,3.7,none,
        4.5,7.0,high,
        8.0,10.0,forearm,
        10.6,12.2,forearm,sag
        12.6,14.2,forearm,sag
        14.8,16.2,forearm,pike
        17.4,18.0,none,

        """)
  }
}

extension Program {
  fileprivate static let wild: String? = recordings.flatMap { recordings in
    let folder = recordings + "/wild"
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
  }
}
