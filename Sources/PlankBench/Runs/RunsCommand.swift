internal import ArgumentParser
internal import PoseDatasets
internal import Tuning

struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "List, show, export, merge and delete the runs that `planklab sweep` stored.",
    discussion: """
      A store is an SQLite file; docs/store.md has its tables and queries to start from.
      """,
    subcommands: [RunsList.self, RunsShow.self, RunsExport.self, RunsMerge.self, RunsDelete.self])
}

struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store of runs.",
      valueName: "FILE"))
  var store = RunAccess.defaultStore
}

/// What a command found in a store: not an evaluation of data, so its JSON has no envelope.
protocol StoreResult: Codable, Hashable, Sendable {
  var document: Document { get }
}

extension ResultOptions {
  func outcome(
    _ result: some StoreResult, remarks: [String] = [], status: ExitStatus = .success
  ) throws -> Outcome {
    let formats = Formats(
      json: { JSONText.of(result) }, document: { result.document }, name: "runs")
    return try deliver(
      Outcome(
        formats.text(in: format, usesColor: usesColor), remarks: remarks, status: status))
  }
}

enum RunAccess {
  static let defaultStore = "planklab-runs.sqlite"

  static func read(_ path: String) throws -> RunDatabase {
    try FilesRead.current?.note(path: path)
    do {
      return try RunDatabase(reading: path)
    } catch RunStoreError.inaccessible(let path, let reason) {
      throw WorkflowFailure(
        .noInput, "\(RunStoreError.inaccessible(path: path, reason: reason))")
    }
  }
}

extension WorkflowFailure {
  init(_ error: RunStoreError) {
    let status: ExitStatus =
      switch error {
      case .noStore, .noRun, .noPart, .noWhole: .noInput
      case .ambiguousRun: .usage
      case .foreign, .newerSchema, .corrupt, .corruptCell, .unfinished, .missingShards, .unequal,
        .foreignPart, .corruptRun, .beyondLimits:
        .badData
      case .changed, .otherSweep, .outdated: .notComparable
      case .inaccessible, .replaced, .full, .busy, .refused, .alreadyStored, .takenOver:
        .cannotCreate
      case .unexpected: .unexpected
      }
    self.init(status, "\(error)")
  }
}
