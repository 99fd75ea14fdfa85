import Foundation
import Testing

@Suite("Defaults of a repository")
struct DefaultsTests {
  private static func repository(_ defaults: String) throws -> Workspace {
    let workspace = try Workspace()
    try workspace.makeFolder(".git")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.path("data"), withDestinationPath: Program.scripted)
    try workspace.write(defaults, to: "planklab.yaml")
    try workspace.write("", to: "app/src/empty")
    return workspace
  }

  private static func shell(_ line: String, in workspace: Workspace) throws -> Program.Run {
    try workspace.shell("unset PLANKLAB_DEFAULTS; " + line)
  }

  private static func provenance(_ run: Program.Run) throws -> [String: String] {
    try #require(try run.json()["provenance"] as? [String: String], "\(run.errors)")
  }

  @Test("A command takes detector, debounce and dataset from the file, from folders below it too")
  func taken() throws {
    let workspace = try Self.repository(
      "dataset: data\ndetector: article\ndebounce: dwell:enter=0.2s\n")
    for folder in [".", "app/src"] {
      let run = try Self.shell(
        "cd \(folder) && planklab evaluate --no-next --format json", in: workspace)
      let settings = try Self.provenance(run)
      #expect(settings["detector"] == "article")
      #expect(settings["debounce"]?.contains("enter=0.2") == true)
      let place = folder == "." ? "" : "../../"
      #expect(
        settings["defaults"]
          == "\(place)planklab.yaml: detector article, debounce dwell:enter=0.2s, dataset \(place)data"
      )
      #expect(run.errors.contains("defaults from \(place)planklab.yaml: detector article"))
    }
  }

  @Test("tune starts from the thresholds in the file, and its draft leaves the detector to them")
  func shipped() throws {
    let workspace = try Self.repository("dataset: data\nparameters: app.json\n")
    try workspace.writeThresholds(["sag": 0.09], to: "app.json")
    let run = try Self.shell("planklab tune --experiment exp.yaml", in: workspace)
    #expect(run.status == 0 && run.output.hasPrefix("Change `"), "\(run.errors)")
    #expect(run.output.contains("`sag` from 0.09 to "), "\(run.output)")
    #expect(run.errors.contains("parameters app.json"), "\(run.errors)")
    let draft = try workspace.text("exp.yaml")
    #expect(!draft.contains("detector:"), "\(draft)")
    try Self.shell(
      "planklab tune exp.yaml --parameters app.json --detector coach", in: workspace
    ).expect(64, errors: "remove one of the two")
  }

  @Test("Where the current folder was removed, defaults are not passed over in silence")
  func removedFolder() throws {
    let workspace = try Self.repository("detector: article\n")
    let command = "planklab evaluate '\(Program.scripted)' --no-next"
    let there = "mkdir app/gone && cd app/gone && rmdir ../gone && "
    try Self.shell(there + command, in: workspace).expect(73, errors: "or give --no-defaults")
    try Self.shell(there + command + " --no-defaults", in: workspace).expect(0)
  }

  @Test(
    "Where the system does not tell whether there is such a file, none is passed over in silence",
    .enabled(if: FailingCalls.canBe, "not on this system: needs Linux, cc and Python 3.10"))
  func untold() throws {
    let workspace = try Self.repository("detector: article\n")
    let line =
      "cd app/src; unset PLANKLAB_DEFAULTS; "
      + "planklab explain '\(Program.scripted)/s01-floor.poses.jsonl' --at 2.9"
    let whole = try workspace.shell(line).expect(0)
    var unknown: Set<String> = []
    try FailingCalls.eachStat(upTo: 24, line, in: workspace) { run, number in
      if run.status == 0 {
        #expect(run.output == whole.output, "stat \(number): \(run.errors)")
      } else {
        #expect(run.status == 66, "stat \(number): \(run.errors)")
      }
      for file in [".git", "planklab.yaml"] {
        let message = "../../\(file): cannot be opened (Input/output error)"
        if run.errors.contains(message) { unknown.insert(file) }
      }
    }
    #expect(unknown == [".git", "planklab.yaml"])
  }

  @Test(
    "explain and replay take a recording of the repository's dataset by its name alone",
    arguments: [
      "explain s01-floor --at 2.9", "explain --worst 1", "replay s01-floor",
    ])
  func recordings(command: String) throws {
    let workspace = try Self.repository("dataset: data\ndetector: article\n")
    let run = try Self.shell("planklab \(command)", in: workspace).expect(
      0, errors: "planklab.yaml: detector article, dataset data")
    let typed = command.replacing("s01-floor", with: "data s01-floor").replacing(
      "--worst", with: "data --worst")
    #expect(try Self.shell("planklab \(typed)", in: workspace).output == run.output)
  }

  @Test("A name that the repository's dataset does not have is a missing recording")
  func noRecording() throws {
    let workspace = try Self.repository("dataset: data\n")
    try Self.shell("planklab explain s99 --at 1", in: workspace).expect(66, errors: "s99")
  }

  @Test(
    "The command line wins, a thresholds file gives everything, and --no-defaults ignores the file")
  func precedence() throws {
    let workspace = try Self.repository("detector: article\ndebounce: dwell:enter=0.2s\n")
    try workspace.writeThresholds([:], detector: "trunk", to: "own.json")
    let cases: [(options: String, detector: String, dwells: Bool)] = [
      ("--detector scaled", "scaled", true), ("--debounce parameters", "article", false),
      ("--parameters own.json", "own.json", false), ("--no-defaults", "coach", false),
    ]
    for (options, detector, dwells) in cases {
      let settings = try Self.provenance(
        Self.shell("planklab evaluate data --no-next --format json \(options)", in: workspace))
      #expect(settings["detector"] == detector, "\(options)")
      #expect((settings["debounce"]?.contains("dwell") == true) == dwells, "\(options)")
    }
    let off = try workspace.shell(
      "PLANKLAB_DEFAULTS=none planklab evaluate data --no-next --format json")
    #expect(try Self.provenance(off)["detector"] == "coach")
  }

  @Test(
    "The next command ignores the file if the command did",
    arguments: [
      ("evaluate data --no-next", ["explain", "options"]),
      ("suggest data", ["commands", "again"]), ("suggest data", ["commands", "data"]),
      ("compare data gravity coach", ["commands", "again"]),
      ("smoothers compare data --only --candidate median:frames=3", ["commands", "again"]),
    ])
  func next(command: String, place: [String]) throws {
    let workspace = try Self.repository("detector: gravity\nsmoothing: ema:cutoff=1Hz\n")
    for option in ["", " --no-defaults"] {
      let run = try Self.shell("planklab \(command) --format json\(option)", in: workspace)
      let found = try (["result"] + place).reduce(try run.json() as Any) { object, key in
        try #require((object as? [String: Any])?[key], "\(key): \(run.errors)")
      }
      #expect("\(found)".contains("--no-defaults") == !option.isEmpty, "\(found)")
    }
  }

  @Test("A file above the repository, or above a folder that is in none, changes nothing")
  func stray() throws {
    let workspace = try Workspace()
    try workspace.write("detector: article\n", to: "planklab.yaml")
    try workspace.write("", to: "below/.git/HEAD")
    try workspace.write("", to: "plain/file")
    for folder in ["below", "plain"] {
      let run = try Self.shell(
        "cd \(folder) && planklab evaluate \(Program.scripted) --no-next --format json",
        in: workspace)
      #expect(try Self.provenance(run)["detector"] == "coach", "\(folder)")
    }
  }

  @Test(
    "A mistake names the line and what to do",
    arguments: [
      ("dataset: data\ndetector: coahc\n", 65, "planklab.yaml:2: `detector`"),
      ("detektor: coach\n", 65, "planklab.yaml:1: found the key `detektor`"),
      ("smoothing: none\ndebounce: dwell:enter=x\n", 65, "planklab.yaml:2: `debounce`"),
      ("parameters: gone.json\n", 66, "planklab.yaml:1: `parameters`: gone.json: no such file"),
      ("detector: coach\nparameters: a.json\n", 65, "`detector` or `parameters`, not both"),
    ])
  func mistakes(text: String, status: Int, message: String) throws {
    try Self.shell("planklab evaluate data", in: Self.repository(text)).expect(
      Int32(status), errors: message)
  }

  @Test("Without a dataset anywhere, a command asks for one")
  func noDataset() throws {
    try Self.shell("planklab evaluate", in: Self.repository("detector: coach\n")).expect(
      64, errors: "no dataset given")
  }

  @Test(
    "A side of a comparison takes the strategies that it does not name, and says so in its name")
  func sides() throws {
    let workspace = try Self.repository("detector: trunk\ndebounce: dwell:enter=0.2s\n")
    let run = try Self.shell(
      "planklab compare data gravity \"coach debounce=parameters\" --format json", in: workspace)
    let settings = try Self.provenance(run)
    #expect(settings["sides"] == "gravity debounce=dwell:enter=0.2s; coach debounce=parameters")
  }

  @Test("An experiment's own settings win over the defaults, which win over the built-in ones")
  func experiment() throws {
    let workspace = try Self.repository("detector: article\n")
    let question =
      "dataset: data\naxes: {sag: [4cm, 5cm]}\nobjective: form.accuracy\nvalidation: none\nresamples: 0\n"
    try workspace.write(question, to: "open.yaml")
    try workspace.write(question + "detector: gravity\n", to: "named.yaml")
    for (file, taken) in [("open.yaml", "detector article" as String?), ("named.yaml", nil)] {
      let settings = try Self.provenance(
        Self.shell("planklab tune \(file) --format json", in: workspace))
      #expect(settings["defaults"] == taken.map { "planklab.yaml: " + $0 }, "\(file)")
    }
  }
}
