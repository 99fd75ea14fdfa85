import Foundation
import TestSupport
import Testing

/// A folder in which the example lines of the help can run: everything that they use exists.
struct HelpWorld {
  private let workspace: Workspace

  /// The line, with a stored run's id in place of the one that the help invents.
  private(set) var line: String

  var folder: URL { workspace.folder }

  init(for line: String) throws {
    workspace = try Workspace()
    self.line = line
    try copy("datasets/scripted", to: "datasets/scripted")
    try copy("datasets/scripted/s01-floor.poses.jsonl", to: "my-recordings/a.poses.jsonl")
    for name in ["my-data", "my-phone", "my-planks"] {
      try copy("datasets/scripted", to: name)
    }
    try copy(
      "datasets/scripted/s01-floor.poses.jsonl", to: "my-recordings/s01-floor.poses.jsonl")
    try copy("experiments", to: "experiments")
    for file in ["studio.yaml", "sample.yaml"] {
      try copy("datasets/studio/" + file, to: "datasets/studio/" + file)
    }
    if !line.hasPrefix("planklab synthesize") {
      // The committed sample replaces the whole studio, which takes seconds to make.
      try copy("datasets/studio/dataset.yaml", to: "datasets/studio/generated/dataset.yaml")
      try copy("datasets/studio/recordings", to: "datasets/studio/generated/recordings")
    }
    try copy("experiments/wishes/scaled-side.yaml", to: "mine.yaml")
    try copy("Tests/FuzzTests/Corpora/vision2d/two-people.jsonl", to: "image-points.jsonl")
    try copy("Tests/FuzzTests/Corpora/tensors/two-images.npz", to: "session.npz")
    try copy("Tests/FuzzTests/Corpora/bodies/joints.npz", to: "plank.npz")
    try copy("Tests/FuzzTests/Corpora/arrays/rest.npy", to: "rest.npy")
    try copy("datasets/scripted/s01-floor.poses.jsonl", to: "session.poses.jsonl")
    try copy("Tests/AppSnippetsTests/Thresholds/PlankThresholds.json", to: "thresholds.json")
    try workspace.makeFolder("Sources/App")
    try workspace.makeFolder("MyApp")
    try writeTexts()
    try prepare(for: line)
  }

  private mutating func prepare(for line: String) throws {
    if line.hasPrefix("planklab record ") {
      try workspace.write("pictures", to: "movie.mp4")
      self.line += " --python '\(try PretendedPython.working(in: workspace))'"
    }
    if line.contains("answers/") { try run("planklab measure my-data --output answers") }
    if line.hasPrefix("planklab gate ") { try writeGate() }
    if line.hasPrefix("planklab report ") {
      for name in ["result", "before", "after"] {
        try run("planklab evaluate my-data --format json --output \(name).json")
      }
      try run(
        "planklab compare my-data article gravity --resamples 100 --format json "
          + "--output compare.json")
    }
    if line.contains("--check ") {
      try run("planklab export thresholds.json --format swift > Sources/App/PlankThresholds.swift")
    }
    if line.contains("--resume") || line.contains(" runs ") {
      try run("planklab sweep experiments/first-steps")
    }
    if let place = line.firstMatch(of: /planklab tune (?<experiment>.+) --from-store (?<store>.+)/)
    {
      try run("planklab sweep \(place.experiment) --store \(place.store)")
    }
    if line.hasPrefix("planklab runs ") {
      try run("planklab sweep experiments/first-steps")
      let list = try Program.shell("planklab runs list", in: folder).output
      let stored = list.firstMatch(of: /[0-9]{8}T[0-9]{6}Z-[0-9a-f]+/).map { String($0.output) }
      self.line = line.replacing(/[0-9]{8}T[0-9]{6}Z(-[0-9a-f]+)?/, with: stored ?? "none")
    }
    if line.contains("tune ") {
      try FileManager.default.removeItem(atPath: workspace.path("thresholds.json"))
    }
  }

  private func writeGate() throws {
    try workspace.makeFolder("planklab")
    try workspace.write(
      """
      dataset: ../my-data
      detector: gravity
      baseline: baseline.json
      rules:
        - metric: plank.f1_macro
          largest_drop: 0.10

      """, to: "planklab/gate.yaml")
    try run("planklab baseline update planklab/gate.yaml --reason first --allow-dirty")
  }

  private func writeTexts() throws {
    try workspace.write("0\t1.5\tnone\n1.5\t3\tforearm/sag\n", to: "track.txt")
    try workspace.write(
      "measurements:\n  reach: distance(wrists, shoulders) / bodyHeight\n", to: "candidates.yaml")
    try workspace.write("from,to,what\n0,1.5,none\n1.5,3,down\n", to: "table.csv")
    try workspace.write(
      "Start (s)\tStop (s)\tBehavior\n0\t1.5\tnone\n1.5\t3\tdown\n", to: "events.tsv")
    try workspace.write(
      """
      studio: {preset: clean, program: everyday, subjects: 2, seed: 5, only: [0, 1, 2, 3]}
      """, to: "my-studio.yaml")
    try workspace.write(
      """
      seed: 3
      camera: {distance_m: 2, orientation: landscapeLeft, buffer: upright}
      noise: {preset: article}
      holds:
        - {posture: standing, duration_s: 1}
        - {posture: forearm, duration_s: 2, form: {hip_offset_m: -0.06}}

      """, to: "my-session.yaml")
    try workspace.write(ImportSamples.visionDump, to: "session.jsonl")
    for name in ["a.csv", "b.csv"] { try workspace.write(ImportSamples.landmarks, to: name) }
    try workspace.write(ImportSamples.timedLandmarks, to: "film.csv")
    _ = try Program.shell("gzip film.csv", in: workspace.folder)
    try workspace.write(ImportSamples.skeleton, to: "skeleton.txt")
    for name in ["crawl.txt", "walk.txt"] { try workspace.write(ImportSamples.motion, to: name) }
    if ["dump", "landmarks.json", "frames/"].contains(where: line.contains) { try writeDumps() }
  }

  private func writeDumps() throws {
    let corpus = "Tests/FuzzTests/Corpora/table/"
    try copy(corpus + "session_with_metadata.json", to: "dump.json")
    try copy(corpus + "csv_wide.csv", to: "dumps/anna.csv")
    try copy(corpus + "mediapipe.json", to: "landmarks.json")
    for index in 0..<4 {
      let name = "openpose_00000000000\(index)_keypoints.json"
      try copy(corpus + name, to: "frames/" + name)
    }
    if line.contains("import dump.json") {
      try run("planklab doctor dump.json --write-map dump.map.yaml")
    }
  }

  private func copy(_ source: String, to target: String) throws {
    let place = workspace.folder.appendingPathComponent(target)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Repository.file(source), to: place)
  }

  private func run(_ line: String) throws {
    let run = try Program.shell(line, in: folder)
    guard run.status == 0 else { throw HelpWorldError(line: line, errors: run.errors) }
  }
}

struct HelpWorldError: Error {
  let line: String
  let errors: String
}

@Suite("Examples of the help")
struct HelpExamplesTests {
  /// The example lines of every command, those on several lines joined.
  static let lines: [String] = {
    commandPaths().flatMap { command -> [String] in
      let help = wideHelp(of: command)
      var examples: [String] = []
      var isOpen = false
      for line in help.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
        if isOpen {
          examples[examples.count - 1] += line.last == "\\" ? line.dropLast() : line
        } else if line.hasPrefix("planklab ") {
          examples.append(String(line.last == "\\" ? line.dropLast() : line))
        } else {
          continue
        }
        isOpen = line.last == "\\"
      }
      return examples
    }
  }()

  @Test("There are example lines for most commands")
  func linesExist() {
    #expect(Self.lines.count >= 30)
    let commands = Set(Self.lines.map { $0.split(separator: " ").dropFirst().first })
    #expect(commands.count >= 12)
  }

  @Test("An example line works as it stands where its files are", arguments: lines)
  func lineWorks(line: String) throws {
    let world = try HelpWorld(for: line)
    let run = try Program.shell(world.line, in: world.folder).expect(0)
    // The status of a pipe is its last command's.
    #expect(!run.errors.contains("error:"), "\(run.errors)")
  }

  /// Every command with its subcommands, as words after the program's name.
  private static func commandPaths() -> [String] {
    subcommands(in: wideHelp(of: "")).flatMap { name in
      [name] + subcommands(in: wideHelp(of: name)).map { name + " " + $0 }
    }
  }

  /// A help whose lines are not wrapped.
  private static func wideHelp(of command: String) -> String {
    (try? Program.shell("COLUMNS=400 planklab \(command) --help"))?.output ?? ""
  }

  private static func subcommands(in help: String) -> [String] {
    var commands: [String] = []
    var isList = false
    for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasSuffix("SUBCOMMANDS:") {
        isList = true
      } else if !line.hasPrefix("  ") {
        isList = false
      } else if isList, !line.hasPrefix("   "), let name = line.split(separator: " ").first {
        commands.append(String(name))
      }
    }
    return commands
  }
}

enum ImportSamples {
  static let visionDump = text("FuzzTests/Corpora/vision/dump.jsonl")
  static let landmarks = text("FuzzTests/Corpora/landmarks/table.csv")

  static let timedLandmarks = landmarks.split(separator: "\n").enumerated()
    .map { "\($0 == 0 ? "seconds" : "\(Double($0) / 8)"),\($1)\n" }.joined()

  static let skeleton = text("EndToEndTests/Goldens/world/skeleton.txt")
  static let motion = text("EndToEndTests/Goldens/world/motion.txt")

  private static func text(_ path: String) -> String {
    let file = Repository.file("Tests/" + path)
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }
}
