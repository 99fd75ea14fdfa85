internal import ArgumentParser
internal import Workflows

/// Which store of runs is meant.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store of runs (\(RunAccess.defaultStore) in the current folder).", valueName: "FILE"))
  var store = RunAccess.defaultStore
}
