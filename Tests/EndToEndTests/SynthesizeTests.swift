import Foundation
import TestSupport
import Testing

@Suite("Synthesis of datasets")
struct SynthesizeTests {
  private static let folder = Repository.file("datasets/studio")
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
      try workspace.shell(
        "\(environment) planklab synthesize studio.yaml --output \(name)"
      ).expect(0)
    }
    // The name of a dataset is its folder's unless the script gives one.
    var made = try ["one", "many", "again"].map { try files(workspace.path($0)) }
    for index in made.indices { made[index]["dataset.yaml"] = nil }
    #expect(made[0].count >= 16)
    #expect(made[0] == made[1] && made[1] == made[2])
  }

  @Test(
    "The committed sample is what its script makes: labels and onsets exact, positions to 0.1 mm")
  func sampleIsCurrent() throws {
    let workspace = try Workspace()
    let output = workspace.path("sample")
    try Program.run(
      "synthesize", Self.folder.appendingPathComponent("sample.yaml").path, "--output", output
    ).expect(0)
    try Program.shell(
      "for f in recordings/*.gz; do gzip -dc \"$f\" > \(workspace.folder.path)/$(basename $f .gz);"
        + " done", in: Self.folder
    ).expect(0)
    let names = try FileManager.default.contentsOfDirectory(atPath: output + "/recordings")
    #expect(!names.isEmpty)
    for name in names.sorted() {
      let fresh = output + "/recordings/" + name
      if name.hasSuffix(".csv") {
        let path = Self.folder.appendingPathComponent("recordings/" + name).path
        #expect(FileManager.default.contentsEqual(atPath: path, andPath: fresh), "\(name)")
      } else {
        #expect(try areClose(numbers(fresh), numbers(workspace.path(name))), "\(name)")
      }
    }
  }

  @Test("A wrong script is bad data with file and line; wrong options are a wrong command line")
  func mistakes() throws {
    let workspace = try Workspace()
    let script = try workspace.write("studio:\n  preset: phone\n  frames: -1\n", to: "bad.yaml")
    try Program.run("synthesize", script, "--output", workspace.path("a")).expect(
      65, errors: "bad.yaml:3")
    for arguments in [
      ["--output", "a"], ["--preset", "loud", "--output", "a"], ["--preset", "clean"],
      ["--preset", "clean", "--subjects", "0", "--output", "a"],
      [script, "--preset", "clean", "--output", "a"],
    ] {
      try Program.run(["synthesize"] + arguments).expect(64)
    }
    try Program.run("synthesize", "none.yaml", "--output", "a").expect(66)
    let list = try Program.run("synthesize", "--list").expect(0)
    for word in ["white_across_m", "free_arm", "harsh", "pushUpBottom", "hip_offset_m"] {
      #expect(list.output.contains(word), "\(word)")
    }
  }

  /// Every number of a recording, in order; nil poses count as one.
  private func numbers(_ path: String) throws -> [Double] {
    let separators = Set("{}[]:, \n\"")
    return try Program.text(path).split(whereSeparator: separators.contains)
      .map { Double($0) ?? .nan }
  }

  private func areClose(_ one: [Double], _ other: [Double]) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { a, b in
        a.isNaN == b.isNaN && (a.isNaN || abs(a - b) < 1.5e-4)
      }
  }
}
