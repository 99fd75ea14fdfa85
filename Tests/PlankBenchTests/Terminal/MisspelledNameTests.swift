import ArgumentParser
import Foundation
import PoseDatasets
import TestSupport
import Testing
import Tuning

@testable import PlankBench

/// Names that do not exist, of every kind.
@Suite("Misspelled names")
struct MisspelledNameTests {
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
      "import mediapipe DATASET/s01-floor.labels.csv --label L=forearm/sga --output x",
      "forearm/sag"
    ),
  ]

  /// The question of a message about the intended name; empty if there is none.
  private static func suggestion(in message: String) -> Substring {
    message.firstMatch(of: /did you mean [^?]*\?/)?.output ?? ""
  }

  @Test("A misspelled name is answered with the nearest one", arguments: commands)
  func nearest(line: String, meant: String) async throws {
    let words = line.replacing("DATASET", with: Self.dataset).split(separator: " ").map(String.init)
    let command = try #require(PlankLab.parseAsRoot(words) as? any BenchCommand)
    let error = try await #require(throws: (any Error).self) { try await command.outcome() }
    let message = WorkflowFailure(translating: error).message
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
    let words = line.replacing("DATASET/", with: Self.dataset + "/").split(separator: " ")
    let command = try #require(PlankLab.parseAsRoot(words.map(String.init)) as? any BenchCommand)
    let error = try await #require(throws: (any Error).self) { try await command.outcome() }
    #expect(WorkflowFailure(translating: error).message.contains(remedy))
    #expect(CommandLineTool.unknownCommand(["import", "tables/map.json"]) == nil)
  }

  @Test("A recording in the place of a dataset is reported as one")
  func recording() throws {
    let command = try DatasetShow.parse([Self.dataset + "/s01-floor.poses.jsonl"])
    let failure = #expect(throws: WorkflowFailure.self) { try command.outcome() }
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains("is a recording; give the folder") == true)
  }

  @Test(
    "A misspelled command is answered with the nearest ones, at every level",
    arguments: [
      (
        ["evalaute", "x"], "no command `evalaute`; did you mean `evaluate`? commands are baseline,"
      ),
      (["labels", "comapre"], "no command `labels comapre`; did you mean `compare`? commands are"),
      (["import", "mediapip", "x", "--output", "q"], "did you mean `mediapipe`?"),
      (["help", "evalaute"], "no command `evalaute`; did you mean `evaluate`? commands are"),
      (["help", "labels", "comapre"], "no command `labels comapre`; did you mean `compare`?"),
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
      ["evaluate", "evalaute"], ["labels", "compare", "x"], ["--version"], ["help", "evaluate"],
      ["labels", "--help"], ["smoothers", "one-euro"], ["gate", "x"], [], ["help"],
      ["help", "smoothers", "compare"], ["smoothers", "compare", "comapre"], ["smoothers", "ema"],
    ])
  func known(arguments: [String]) {
    #expect(CommandLineTool.unknownCommand(arguments) == nil)
  }

  @Test(
    "No filter or debounce rule is taken for a misspelled command",
    arguments: (StrategyCatalogue.smoothing + StrategyCatalogue.debounce).map(\.name))
  func strategy(name: String) {
    #expect(CommandLineTool.unknownCommand(["smoothers", name]) == nil)
  }

  @Test("Every command's own name calls it")
  func names() throws {
    var commands: [(type: any ParsableCommand.Type, path: [String])] = [(PlankLab.self, [])]
    while let (type, path) = commands.popLast() {
      #expect(CommandLineTool.unknownCommand(path) == nil, "\(path)")
      let text = path.isEmpty ? PlankLab.helpMessage() : PlankLab.helpMessage(for: type)
      #expect(text.contains((["planklab"] + path).joined(separator: " ")), "\(path)")
      commands += type.configuration.subcommands.map {
        ($0, path + [$0.configuration.commandName ?? "\($0)".lowercased()])
      }
    }
  }

  @Test(
    "A misspelled key or word of a file is answered with the nearest one",
    arguments: [
      ("name: x\nmeasurments: {}\n", "measurements"),
      ("name: x\nplank: [froearm]\nform: [aligned]\n", "forearm"),
      ("name: x\naxes: gravty\nplank: [none]\nform: [aligned]\n", "gravity"),
      (
        "name: x\nplank: [none]\nform: [aligned]\nconditions: {a: elbowAnlge > sag}\n", "elbowAngle"
      ),
      ("name: x\nplank: [none]\nform: [aligned]\nmeasurements: {a: heigth(root)}\n", "height"),
      ("name: x\nplank: [{high: bodyAngle > elbow_splt}, none]\nform: [aligned]\n", "elbow_split"),
    ])
  func fileWords(text: String, meant: String) throws {
    let error = #expect(throws: FieldError.self) {
      try DetectorSpecification.parse(text, file: "mine.yaml")
    }
    let message = "\(try #require(error))"
    #expect(Self.suggestion(in: message).contains("`\(meant)`"), "\(message)")
  }
}
