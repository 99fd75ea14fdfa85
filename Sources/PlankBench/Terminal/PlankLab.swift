internal import ArgumentParser

/// The command line: flags in, exit code out.
struct PlankLab: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "planklab",
    abstract: "A bench for plank detectors: evaluate them on labeled pose recordings.",
    discussion: """
      Start with `planklab evaluate DATASET`. A dataset is a folder with a dataset.yaml, pose \
      recordings and labels; `planklab import` makes one from other formats and `planklab dataset \
      init` from recordings of your own.

      Exit codes: 0 done, 1 unexpected, 2 a gate failed, 3 not comparable, 64 usage, 65 bad data, \
      66 no such input, 73 cannot create output. Results go to stdout, all else to stderr.
      """,
    version: Provenance.version,
    subcommands: [
      Evaluate.self, Compare.self, Gate.self, BaselineCommand.self,
      Sweep.self, Tune.self, Export.self, RunsCommand.self, Explain.self,
      Measure.self, Replay.self, Smoothers.self, Detectors.self, DatasetCommand.self,
      ImportCommand.self, LabelCommand.self, LabelsCommand.self, Synthesize.self,
    ])
}

/// How a result came to be.
enum Provenance {
  /// The program's version.
  static let version = "0.1.0"
}

/// The way in for the executable.
package enum CommandLineTool {
  /// Runs the command that the process's arguments name, and ends the process with its exit code.
  package static func main() async { await PlankLab.main() }
}
