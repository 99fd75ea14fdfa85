import Foundation
import Testing

/// The need of a grid is reported before anything is evaluated, and too large a need is refused.
@Suite("Large grids")
struct LargeGridTests {
  private static let experiment = "experiments/first-steps"
  private static let large = ["--axis", "sag=0:9cm:0.01mm", "--axis", "pike=0:9cm:0.01mm"]

  @Test("The size of an ordinary grid is said, and it runs")
  func ordinary() throws {
    let workspace = try Workspace()
    let store = workspace.path("runs.sqlite")
    let sweep = try Program.run("sweep", Self.experiment, "--store", store)
    #expect(sweep.status == 0, "\(sweep.errors)")
    #expect(sweep.errors.contains("75 plank cells of about"), "\(sweep.errors)")
    #expect(sweep.errors.contains("1,445 form cells of about"), "\(sweep.errors)")
    #expect(sweep.errors.contains(/in the store, \d+ kB of memory/), "\(sweep.errors)")
    let tune = try Program.run("tune", Self.experiment)
    #expect(tune.status == 0, "\(tune.errors)")
    #expect(tune.errors.contains("choosing from 75 plank cells, about"), "\(tune.errors)")
    #expect(tune.errors.contains(/; the 2,437 measured frames take about \d+ kB/), "\(tune.errors)")
  }

  @Test("What is said of a store is within a factor of two of the file")
  func estimate() throws {
    let workspace = try Workspace()
    let store = workspace.path("runs.sqlite")
    let axes = ["--axis", "sag=1cm:9cm:1mm", "--axis", "pike=1cm:9cm:1mm"]
    let run = try Program.run(["sweep", Self.experiment, "--store", store] + axes)
    try #require(run.status == 0, "\(run.errors)")
    let words = run.errors.split(separator: " ")
    let place = try #require(words.firstIndex(of: "MB"), "\(run.errors)")
    let said = try #require(Double(words[place - 1])) * 1e6
    let size = try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int ?? 0
    #expect((0.5...2).contains(said / Double(size)), "\(said) \(size)")
  }

  @Test("Too large a store is refused before it is made, with line and remedy")
  func store() throws {
    let workspace = try Workspace()
    let store = workspace.path("runs.sqlite")
    let run = try Program.run(["sweep", Self.experiment, "--store", store] + Self.large)
    #expect(run.status == 64 && run.output.isEmpty, "\(run.errors)")
    for words in ["experiment.yaml:6: `axes`", "405,090,005 form cells", "--allow-large"] {
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: store))
    let shard = try Program.run(
      ["sweep", Self.experiment, "--store", store, "--shard", "1/100000"] + Self.large)
    #expect(shard.status == 0, "a shard of it is not too large: \(shard.errors)")
  }

  @Test("Too many cells for memory are refused, with line and remedy")
  func memory() throws {
    let run = try Program.run(["tune", Self.experiment] + Self.large)
    #expect(run.status == 64 && run.output.isEmpty, "\(run.errors)")
    for words in [
      "experiment.yaml:6: `axes`", "of memory, and 8.0 GB is the limit", "--allow-large",
    ] {
      #expect(run.errors.contains(words), "\(run.errors)")
    }
  }
}
