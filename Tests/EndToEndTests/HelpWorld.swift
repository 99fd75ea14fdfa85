import Foundation

/// A folder in which the example lines of the help can run: everything that they use exists.
struct HelpWorld {
  private let workspace: Workspace

  /// The line, with a stored run's id in place of the one that the help invents.
  private(set) var line: String

  /// Where lines run.
  var folder: URL { workspace.folder }

  /// Makes the files of a line.
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
    try FileManager.default.createDirectory(
      atPath: workspace.path("Sources/App"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: workspace.path("MyApp"), withIntermediateDirectories: true)
    try writeTexts()
    try prepare(for: line)
  }

  /// Files that other commands make.
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
    if line.hasPrefix("planklab runs merge ") {
      for part in 1...2 {
        try run(
          "planklab sweep experiments/first-steps --shard \(part)/2 --store part-\(part).sqlite")
      }
      return
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

  /// A gate on the dataset, with its baseline.
  private func writeGate() throws {
    try FileManager.default.createDirectory(
      atPath: workspace.path("planklab"), withIntermediateDirectories: true)
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

  /// Dumps of other programs with the map of one of them.
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
      at: Program.root.appendingPathComponent(source), to: place)
  }

  private func run(_ line: String) throws {
    let run = try Program.shell(line, in: folder)
    guard run.status == 0 else { throw HelpWorldError(line: line, errors: run.errors) }
  }
}

/// A line that prepares the folder failed.
struct HelpWorldError: Error {
  let line: String
  let errors: String
}
