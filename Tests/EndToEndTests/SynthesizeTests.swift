import Foundation
import Testing

/// `synthesize`, the committed sample, and pictures.
@Suite("Synthesis of datasets")
struct SynthesizeTests {
  private static let folder = Program.root.appendingPathComponent("datasets/studio")
  /// A few sessions of a studio, seen by slow cameras.
  private static let script = """
    studio: {preset: phone, subjects: 4, seed: 5, only: [0, 1, 2, 3, 4, 5, 6, 7]}
    clock: {rate_hz: 8}
    """

  private func files(_ folder: String) throws -> [String: Data] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
    var files: [String: Data] = [:]
    for path in paths { files[path] = FileManager.default.contents(atPath: folder + "/" + path) }
    return files
  }

  @Test("Two runs, and one thread or many, give identical bytes")
  func bytes() throws {
    let workspace = try Workspace()
    try workspace.write(Self.script, to: "studio.yaml")
    for (name, environment) in [
      ("one", "LIBDISPATCH_COOPERATIVE_POOL_STRICT=1"), ("many", "ANY=1"), ("again", "ANY=1"),
    ] {
      let run = try Program.shell(
        "\(environment) planklab synthesize studio.yaml --output \(name)", in: workspace.folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    // The name of a dataset is its folder's unless the script gives one.
    var made = try ["one", "many", "again"].map { try files(workspace.path($0)) }
    for index in made.indices { made[index]["dataset.yaml"] = nil }
    #expect(made[0].count >= 16)
    #expect(made[0] == made[1] && made[1] == made[2])
  }

  @Test("A fresh studio lints and evaluates, every class in its truth")
  func fresh() throws {
    let workspace = try Workspace()
    let output = workspace.path("fresh")
    let made = try Program.run(
      "synthesize", "--preset", "phone", "--subjects", "3", "--seed", "2", "--frames", "1000",
      "--output", output)
    #expect(made.status == 0, "\(made.errors)")
    let lint = try Program.run("dataset", "lint", output, "--strict")
    #expect(lint.status == 0, "\(lint.output)")
    let truth = try counts(evaluating: output, "trunk")
    #expect(truth.count == 6 && truth.allSatisfy { $0 > 0 })
  }

  @Test(
    "The committed sample lints and evaluates with every detector",
    arguments: [
      "article", "gravity", "scaled", "trunk", "coach",
    ])
  func sample(detector: String) throws {
    let lint = try Program.run("dataset", "lint", Self.folder.path, "--strict")
    #expect(lint.status == 0, "\(lint.output)")
    let truth = try counts(evaluating: Self.folder.path, detector)
    #expect(truth.count == 6 && truth.allSatisfy { $0 > 0 }, "\(truth)")
  }

  @Test(
    "The committed sample is what its script makes: labels and onsets exact, positions to 0.1 mm")
  func sampleIsCurrent() throws {
    let workspace = try Workspace()
    let output = workspace.path("sample")
    let made = try Program.run(
      "synthesize", Self.folder.appendingPathComponent("sample.yaml").path, "--output", output)
    #expect(made.status == 0, "\(made.errors)")
    let unpacked = try Program.shell(
      "for f in recordings/*.gz; do gzip -dc \"$f\" > \(workspace.folder.path)/$(basename $f .gz);"
        + " done", in: Self.folder)
    #expect(unpacked.status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: output + "/recordings")
    #expect(!names.isEmpty)
    for name in names.sorted() {
      let fresh = output + "/recordings/" + name
      if name.hasSuffix(".csv") {
        let path = Self.folder.appendingPathComponent("recordings/" + name).path
        #expect(FileManager.default.contentsEqual(atPath: path, andPath: fresh), "\(name)")
      } else {
        #expect(try numbers(fresh).isClose(to: numbers(workspace.path(name))), "\(name)")
      }
    }
  }

  @Test("A picture of a sequence is an SVG with its labels; bad requests are refused")
  func picture() throws {
    let workspace = try Workspace()
    let path = workspace.path("a.svg")
    func show(_ arguments: String...) throws -> Program.Run {
      try Program.run(["dataset", "show", Program.scripted] + arguments)
    }
    let run = try show("--sequence", "s01-floor", "--picture", path)
    #expect(run.status == 0, "\(run.errors)")
    let svg = try String(contentsOfFile: path, encoding: .utf8)
    #expect(svg.hasPrefix("<svg") && svg.contains("forearm, sag") && svg.contains("high, aligned"))
    #expect(try show("--picture", path).status == 64)
    #expect(try show("--sequence", "s01-floor", "--at", "3").status == 64)
    let late = try show("--sequence", "s01-floor", "--picture", path, "--at", "999")
    #expect(late.status == 64 && late.errors.contains("999"))
  }

  @Test("A wrong script is bad data with file and line; wrong options are a wrong command line")
  func mistakes() throws {
    let workspace = try Workspace()
    let script = try workspace.write("studio:\n  preset: phone\n  frames: -1\n", to: "bad.yaml")
    let bad = try Program.run("synthesize", script, "--output", workspace.path("a"))
    #expect(bad.status == 65 && bad.errors.contains("bad.yaml:3"), "\(bad.errors)")
    for arguments in [
      ["--output", "a"], ["--preset", "loud", "--output", "a"], ["--preset", "clean"],
      ["--preset", "clean", "--subjects", "0", "--output", "a"],
      [script, "--preset", "clean", "--output", "a"],
    ] {
      #expect(try Program.run(["synthesize"] + arguments).status == 64)
    }
    #expect(try Program.run("synthesize", "none.yaml", "--output", "a").status == 66)
    let list = try Program.run("synthesize", "--list")
    #expect(list.status == 0)
    for word in ["white_across_m", "free_arm", "harsh", "pushUpBottom", "hip_offset_m"] {
      #expect(list.output.contains(word), "\(word)")
    }
  }

  /// How many frames of each class the truth has.
  private func counts(evaluating dataset: String, _ detector: String) throws -> [Int] {
    try EvaluationJSON(dataset, "--detector", detector).confusion("plank").map { $0.reduce(0, +) }
  }

  /// Every number of a recording, in order; nil poses count as one.
  private func numbers(_ path: String) throws -> Numbers {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let separators = Set("{}[]:, \n\"")
    return Numbers(text.split(whereSeparator: separators.contains).map { Double($0) ?? .nan })
  }

  private struct Numbers {
    let values: [Double]

    init(_ values: [Double]) { self.values = values }

    func isClose(to other: Numbers) -> Bool {
      values.count == other.values.count
        && zip(values, other.values).allSatisfy { a, b in
          a.isNaN == b.isNaN && (a.isNaN || abs(a - b) < 1.5e-4)
        }
    }
  }
}
