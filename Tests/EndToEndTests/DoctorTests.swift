import Foundation
import TestSupport
import Testing

@Suite("Doctor and imports by a map")
struct DoctorTests {
  private static let corpus = Repository.file(
    "Tests/FuzzTests/Corpora/table")

  private func workspace(_ names: String...) throws -> Workspace {
    let workspace = try Workspace()
    for name in names {
      try workspace.write(
        try Data(contentsOf: Self.corpus.appendingPathComponent(name)), to: name)
    }
    return workspace
  }

  private func commands(in output: String) -> [String] {
    output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("planklab ") }
  }

  @Test(
    "The commands that doctor prints import the file, typed literally",
    arguments: [
      "csv_wide.csv", "csv_long.csv", "keyed_by_time.json", "session_with_metadata.json",
      "unity.jsonl", "lists_beside_each_other.json", "arrays.npz", "vision_matrices.jsonl",
    ])
  func imports(name: String) throws {
    let workspace = try workspace(name)
    let told = try workspace.shell("planklab doctor \(name)").expect(0)
    let commands = commands(in: told.output)
    #expect(!commands.isEmpty, "\(told.output)")
    for command in commands {
      let run = try workspace.shell(command)
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    let stem = String(name.prefix { $0 != "." })
    try workspace.shell("planklab dataset hash \(stem)").expect(0)
  }

  @Test("What cannot be imported ends with 65 and the way out; a missing file with 66")
  func refused() throws {
    let workspace = try workspace("coco_results.json")
    try workspace.shell("planklab doctor coco_results.json").expect(
      65, words: "--image-size")
    try workspace.shell(
      "planklab doctor coco_results.json --image-size 1080x1920 --write-map m.yaml"
    ).expect(0)
    try workspace.shell(
      "planklab import coco_results.json --map m.yaml --output points"
    ).expect(0)
    try Program.run("doctor", workspace.path("none.json")).expect(66)
  }

  @Test("Poses without times need a frame rate, stills do not")
  func stills() throws {
    let workspace = try workspace("csv_wide.csv")
    try workspace.shell("cut -d, -f2- csv_wide.csv > stills.csv").expect(0)
    for (option, status) in [("", 65), ("--rate 30", 0), ("--stills", 0)] {
      let run = try workspace.shell(
        "planklab import stills.csv \(option) --output out\(option.count)")
      #expect(run.status == status, "\(option): \(run.errors)")
    }
  }

  @Test("Built-in maps are listed, printed, and read back")
  func maps() throws {
    let workspace = try Workspace()
    try Program.run("import", "maps").expect(0, output: "mediapipe-tasks")
    let map = try Program.run("import", "maps", "arkit")
    #expect(map.output.contains("anchor_matrix: transform"))
    try workspace.write(map.output, to: "mine.yaml")
    try workspace.write("{\"timestamp\":0,\"joints\":{}}\n", to: "a.json")
    let run = try workspace.shell(
      "planklab import a.json --map mine.yaml --output a")
    #expect(run.status == 65 || run.status == 0, "\(run.errors)")
    try Program.run("import", "maps", "mediapipe-task").expect(
      64, errors: "did you mean `mediapipe-tasks`")
  }

  @Test("Doctor replaces no input with its map")
  func overwrite() throws {
    let workspace = try workspace("csv_wide.csv")
    try workspace.shell(
      "planklab doctor csv_wide.csv --write-map csv_wide.csv"
    ).expect(73)
    let text = try workspace.text("csv_wide.csv")
    #expect(text.hasPrefix("time,"))
  }

  @Test("Names of files and keys that would move the terminal or the shell do neither")
  func hostile() throws {
    let workspace = try workspace("keyed_by_time.json")
    let text = try workspace.text("keyed_by_time.json")
    let evil = #"\u001b[31mred\n$(touch broken)`touch broken`"#
    try workspace.write(
      text.replacing("\"poses\"", with: "\"\(evil)\""), to: "$(touch broken);'a.json")
    let told = try Program.run("doctor", workspace.path("$(touch broken);'a.json")).expect(0)
    #expect(!told.output.contains("\u{1B}") && told.output.contains("u001b"))
    for command in commands(in: told.output) {
      let run = try workspace.shell(command)
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: workspace.path("broken")))
  }

  @Test("A folder with one file per frame is one recording, also beside other files")
  func folderOfFrames() throws {
    let workspace = try Workspace()
    for index in 0..<4 {
      let name = "openpose_00000000000\(index)_keypoints.json"
      let data = try Data(contentsOf: Self.corpus.appendingPathComponent(name))
      for folder in ["plain", "with notes"] {
        try FileManager.default.createDirectory(
          at: workspace.folder.appendingPathComponent(folder), withIntermediateDirectories: true)
        try workspace.write(data, to: "\(folder)/\(name)")
      }
    }
    try workspace.write("filmed at home\n", to: "with notes/notes.txt")
    for folder in ["plain", "with notes"] {
      let told = try workspace.shell(
        "planklab doctor '\(folder)' --image-size 1080x1920"
      ).expect(0)
      #expect(told.words.contains("one file per frame, 4 frames"), "\(told.output)")
      let commands = commands(in: told.output)
      #expect(
        commands.count == 1 && commands[0].contains("--image-size 1080x1920"), "\(told.output)")
      for command in commands {
        try workspace.shell(command).expect(0, output: "1 sequence, 4 frames")
      }
    }
  }

  @Test("A folder of mixed files has a line per kind of file, with the way out")
  func mixedFolder() throws {
    let workspace = try workspace("csv_wide.csv", "csv_long.csv")
    for index in 0..<30 {
      try workspace.write(Data([0x89, 0x50, 0x4E, 0x47]), to: "p\(index).png")
    }
    try workspace.write("", to: "empty.json")
    let told = try workspace.shell("planklab doctor .")
    // As `import` does: of a folder, what holds no poses is left out and named.
    let imported = try workspace.shell("planklab import . --output out")
    #expect(told.status == 0 && imported.status == 0, "\(imported.errors)")
    #expect(told.words.contains("p0.png and 29"), "\(told.output)")
    #expect(told.words.contains("the file is empty; record again"))
    #expect(told.output.split(separator: "\n").count { $0.contains(".png") } == 1, "\(told.output)")
  }
}

@Suite("2D poses from the command line")
struct ImagePosesTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  /// A session seen from the side, as a dataset of 2D poses.
  private func dataset(_ kind: String) throws -> String {
    let script = try workspace.write(
      """
      seed: 3
      output: {recording: \(kind)}
      camera: {distance_m: 2.2}
      noise: {preset: clean}
      holds:
        - {posture: standing, duration_s: 3}
        - {posture: forearm, duration_s: 5}
        - {posture: high, duration_s: 5, form: {hip_offset_m: -0.12}}
        - {posture: sideLeftHand, duration_s: 5}
        - {posture: reverse, duration_s: 5}
      """, to: "\(kind).yaml")
    let folder = workspace.path(kind)
    try Program.run("synthesize", script, "--output", folder).expect(0)
    return folder
  }

  @Test(
    "profile judges a body seen from the side in either skeleton",
    arguments: ["vision2d", "coco17"])
  func evaluate(kind: String) throws {
    let found = try EvaluationJSON(
      try dataset(kind), "--detector", "profile", "--set", "plank_frames=5")
    for stream in ["plank", "form"] {
      #expect(try #require(found.metric(stream + ".balanced_accuracy")) > 0.9)
    }
  }

  @Test("A detector of positions says why it decides nothing, and cannot be tuned there")
  func mismatch() throws {
    let data = try dataset("vision2d")
    let evaluated = try Program.run("evaluate", data)
    #expect(evaluated.output.contains("the poses are points"), "\(evaluated.output)")
    let measured = try Program.run("measure", data, "--output", workspace.path("empty"))
    #expect(measured.errors.contains("`axes: image`"), "\(measured.errors)")
    let explained = try Program.run(
      "explain", Program.scripted, "--worst", "1", "--detector", "profile")
    #expect(explained.output.contains("the poses are 3D positions"), "\(explained.errors)")
    let experiment = try workspace.write(
      "question: Can it?\ndataset: vision2d\ndetector: gravity\n"
        + "axes:\n  sag: [3cm, 5cm]\nobjective: form.balanced_accuracy\nseed: 1\n",
      to: "experiment.yaml")
    try Program.run("tune", experiment).expect(65, errors: "points in an image")
  }
}
