import ArgumentParser
import Foundation
import PlankDetection
import PoseDatasets
import TestSupport
import Testing
import Tuning

@testable import PlankBench
@testable import Reports

@Suite("Help") struct HelpTextTests {
  private static func commands(
    under command: any ParsableCommand.Type = PlankLab.self
  ) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap { commands(under: $0) }
  }

  @Test("The help of every command fits 80 columns")
  func width() {
    #expect(Self.commands().count > 35)
    for command in Self.commands() {
      let help = HelpText.wrapped(PlankLab.helpMessage(for: command, columns: 80))
      for line in help.split(separator: "\n") where line.count > 80 {
        Issue.record("\(command): \(line)")
      }
    }
  }

  @Test("A synopsis breaks between options, and an option keeps its value")
  func synopsis() {
    let options = (1...9).map { "[--option-\($0) <VALUE> ...]" }.joined(separator: " ")
    let lines = HelpText.wrapped("USAGE: planklab do <it> --needed <FILE> \(options)")
      .split(separator: "\n")
    #expect(lines.count == 5 && lines.allSatisfy { $0.count <= 80 })
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("       [--option-") })
    #expect(lines[0].contains("--needed <FILE>"))
  }

  @Test(
    "Every mistake on the command line is told in one way",
    arguments: [["compare"], ["evaluate", "x", "--at", "3"], ["explain", "x", "--at", "1:75"]])
  func errors(arguments: [String]) throws {
    let error = try #require(throws: (any Error).self) { try PlankLab.parseAsRoot(arguments) }
    let text = HelpText.wrapped(PlankLab.fullMessage(for: error))
    #expect(text.hasPrefix("error: "), "\(text)")
  }
}

@Suite("Misspelled names") struct MisspelledNameTests {
  private static let dataset = Repository.file("datasets/scripted").path

  /// A command line with `DATASET` for the scripted one, and the name that was meant.
  static let commands = [
    ("evaluate DATASET --detector gravty", "gravity"),
    ("detectors artcle", "article"),
    ("evaluate DATASET --detector gravity --set elbow_splitt=150deg", "elbow_split"),
    ("evaluate DATASET --smoothing medain", "median"),
    ("evaluate DATASET --smoothing ema:cutof=1Hz", "cutoff"),
    ("evaluate DATASET --debounce dwel", "dwell"),
    ("evaluate DATASET --split tst", "test"),
    ("evaluate DATASETS", "scripted"),
    ("dataset show DATASET --sequence s01-flor", "s01-floor"),
    ("explain DATASET s01-flor --at 3", "s01-floor"),
    ("replay DATASET/s01-floor.poses.jsonl --session session_deadlne=3s", "session_deadline"),
    ("synthesize --preset clen --output nowhere", "clean"),
    ("smoothers list one-eruo", "one-euro"),
    (
      "import DATASET/s01-floor.labels.csv --map mlkit --label L=forearm/sga --output x",
      "forearm/sag"
    ),
  ]

  /// The message of a command line that fails.
  private static func message(_ line: String) async throws -> String {
    let words = line.replacing("DATASET", with: dataset).split(separator: " ").map(String.init)
    let command = try #require(PlankLab.parseAsRoot(words) as? any BenchCommand)
    let error = try await #require(throws: (any Error).self) { try await command.outcome() }
    return WorkflowFailure(translating: error).message
  }

  /// The question of a message about the intended name; empty if there is none.
  private static func suggestion(in message: String) -> Substring {
    message.firstMatch(of: /did you mean [^?]*\?/)?.output ?? ""
  }

  @Test("A misspelled name is answered with the nearest one", arguments: commands)
  func nearest(line: String, meant: String) async throws {
    let message = try await Self.message(line)
    #expect(Self.suggestion(in: message).contains("`\(meant)`"), "\(message)")
  }

  @Test(
    "What is in the place of a recording or of a format is named, with what to write instead",
    arguments: [
      ("replay DATASET/s01-floor.labels.csv", "give the recording beside it"),
      ("evaluate DATASET/s01-floor.labels.csv", "give the recording beside it"),
      ("explain recordings/s06-0029-high --at 6.73", "DATASET recordings/s06-0029-high"),
    ])
  func misplaced(line: String, remedy: String) async throws {
    #expect(try await Self.message(line).contains(remedy))
    #expect(CommandLineTool.unknownCommand(["import", "tables/map.json"]) == nil)
  }

  @Test("A recording in the place of a dataset is reported as one")
  func recording() throws {
    let command = try DatasetShow.parse([Self.dataset + "/s01-floor.poses.jsonl"])
    let failure = #expect(throws: WorkflowFailure.self) { try command.outcome() }
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains("is a recording; give its dataset") == true)
  }

  @Test(
    "A misspelled command is answered with the nearest ones, at every level",
    arguments: [
      (
        ["evalaute", "x"],
        "no command `evalaute`; did you mean `evaluate`? the commands are baseline,"
      ),
      (
        ["baseline", "updaet"],
        "no command `baseline updaet`; did you mean `update`? the commands are"
      ),
      (["import", "deepmimi", "x", "--output", "q"], "did you mean `deepmimic`?"),
      (["help", "evalaute"], "no command `evalaute`; did you mean `evaluate`? the commands are"),
      (["help", "label", "agreemnt"], "no command `label agreemnt`; did you mean `agreement`?"),
      (["smoothers", "comapre", "x"], "no command `smoothers comapre`; did you mean `compare`?"),
    ])
  func command(arguments: [String], words: String) throws {
    let failure = try #require(CommandLineTool.unknownCommand(arguments))
    #expect(failure.status == .usage)
    #expect(failure.message.contains(words), "\(failure.message)")
  }

  @Test(
    "What is a command, an option, help or an argument is left to the parser",
    arguments: [
      ["evaluate", "evalaute"], ["label", "agreement", "x"], ["--version"], ["help", "evaluate"],
      ["label", "--help"], ["label", "my-data"], ["smoothers", "one-euro"], ["gate", "x"], [],
      ["help"], ["help", "smoothers", "compare"], ["smoothers", "compare", "comapre"],
      ["smoothers", "ema"],
    ])
  func known(arguments: [String]) { #expect(CommandLineTool.unknownCommand(arguments) == nil) }

  @Test(
    "No filter or debounce rule is taken for a misspelled command",
    arguments: (StrategyCatalogue.smoothing + StrategyCatalogue.debounce).map(\.name))
  func strategy(name: String) {
    #expect(CommandLineTool.unknownCommand(["smoothers", name]) == nil)
  }
}

@Suite("Exit codes of errors") struct ExitStatusTests {
  private static let field = FieldError(file: "a.yaml", line: 2, problem: "wrong")

  @Test(
    "Every error that reaches the terminal has an exit code and keeps its message",
    arguments: [
      (DatasetError.invalidManifest(field), .badData),
      (DatasetError.unknownSplit(file: "dataset.yaml", found: "x", known: ["y"]), .usage),
      (RunStoreError.noStore(path: "runs.sqlite"), .noInput),
      (RunStoreError.outdated(run: "r", []), .notComparable),
      (RunStoreError.busy(path: "runs.sqlite"), .cannotCreate),
      (PoseSourceError.invalidOption("--rate", found: "0", allowed: "above 0"), .usage),
      (PoseSourceError.repeatedName("x"), .badData),
      (field, .badData),
      (WorkflowFailure(.gateFailed, "no"), .gateFailed),
      (CancellationError(), .unexpected),
    ] as [(any Error, Reports.ExitStatus)])
  func translated(error: any Error, status: Reports.ExitStatus) {
    let failure = WorkflowFailure(translating: error)
    #expect(failure.status == status)
    #expect(failure.message == "\(error)")
  }

  @Test("A missing file is no input, and its message names a file that is there")
  func missing() throws {
    let folder = ScriptedDatasetFiles.folder.path
    let failure = WorkflowFailure(
      translating: DatasetError.missingFile(path: folder + "/dataset.yml"))
    #expect(failure.status == .noInput)
    #expect(failure.message.contains("dataset.yaml"), "\(failure.message)")
  }
}

@Suite("Completions") struct CompletionsTests {
  @Test(
    "Parameters are those of the detector that the line names, else of all",
    arguments: [
      (
        ["planklab", "evaluate", "--detector", "gravity", "--set"], "side_rise",
        "side_rise_fraction"
      ),
      (["planklab", "evaluate", "--detector=scaled", "--set"], "side_rise_fraction", "side_rise"),
    ])
  func ownParameters(words: [String], offered: String, other: String) {
    let keys = Completions.parameters(of: words).map(\.key.rawValue)
    #expect(keys.contains(offered) && !keys.contains(other))
    for line in [["planklab", "evaluate", "--detector"], ["--detector", "mine.yaml"]] {
      #expect(Completions.parameters(of: line) == ParameterCatalogue.definitions)
    }
  }

  @Test("A path goes on to folders and to files of the kind, never to hidden ones")
  func paths() throws {
    let folder = try TemporaryFolder()
    for name in ["mine.yaml", "mean.yml", "model.json", ".hidden.yaml", "more/inner.yaml"] {
      try folder.write("", to: name)
    }
    let root = folder.path("")
    let kinds = ["yaml", "yml"]
    #expect(
      Completions.paths(root, kinds) == ["mean.yml", "mine.yaml", "more/"].map { root + $0 })
    #expect(Completions.paths(root + "mi", kinds) == [root + "mine.yaml"])
    #expect(Completions.paths(root + "nothing/", kinds).isEmpty)
  }

  @Test(
    "A name that a shell would expand or divide is not offered",
    arguments: [
      "$(touch run).yaml", "`touch run`.yaml", "a b.yaml", "a;b.yaml", "'a.yaml", "a\nb.yaml",
    ])
  func hostilePaths(name: String) throws {
    let folder = try TemporaryFolder()
    for name in [name + "-folder/inner", name, "z.yaml"] { try folder.write("", to: name) }
    let root = folder.path("")
    #expect(Completions.paths(root, ["yaml"]) == [root + "z.yaml"])
  }
}

@Suite("Moments") struct MomentTests {
  @Test(
    "Seconds, minutes and hours are understood",
    arguments: [
      ("6.73", 6.73), ("80", 80), ("-2", -2), ("1e-3", 0.001), ("1:20", 80), ("0:03.50", 3.5),
      ("90:00", 5400), ("1:02:03.5", 3723.5), ("0:00:00", 0), ("-1:20", -80),
      ("-10:00:00", -36_000), ("-0:00:01.5", -1.5),
    ])
  func understood(text: String, seconds: Double) {
    #expect(Moment(argument: text)?.seconds == seconds)
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "", ":", "1:", ":20", "1:75", "1:60", "1:60:00", "1:2:3:4", "1:-20", "--1:20", "-1:-20",
      "1:2-0", "-:20", "-1:60", "1.5:20", "nan",
      "inf", "0x1p3", "1e999", "1:20 s", "٣", "99999999999999999999:00",
    ])
  func refused(text: String) { #expect(Moment(argument: text) == nil) }

  @Test("A printed moment is read back", arguments: [0, 2.9, 80, 3723.5, -0.25])
  func roundTrip(seconds: Double) throws {
    let moment = try #require(Moment(argument: NumberText.shortest(seconds)))
    #expect(Moment(argument: moment.description) == moment)
  }
}
