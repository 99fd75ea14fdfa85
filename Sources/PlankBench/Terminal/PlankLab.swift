internal import ArgumentParser
internal import Platform
internal import PoseModel
internal import Synchronization

struct PlankLab: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "planklab",
    abstract: "A bench for plank detectors: evaluate them on labeled pose recordings.",
    discussion: """
      Begin with these four:

        planklab evaluate DATASET        how good a detector is, where it is wrong
        planklab explain DATASET ...     why it answered as it did at one moment
        planklab tune DATASET            whether other thresholds are better
        planklab compare DATASET A B     which of two detectors is better

      A dataset is a folder with a dataset.yaml, pose recordings and labels. `planklab dataset \
      init` makes one of your own recordings, `planklab record` of movies, `planklab import` of what \
      other programs wrote, and `planklab label` a page to label them on. In an app's repository, \
      `planklab init` sets up all of this, with a gate for pull requests.

      Exit codes: 0 done, 1 unexpected, 2 a gate failed, 3 not comparable, 64 usage, 65 bad data, \
      66 no such input, 73 cannot create output. Results go to stdout, everything else to stderr.
      """,
    version: version,
    subcommands: [Evaluate.self, Explain.self, Tune.self, Compare.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Data",
        subcommands: [
          Init.self, DoctorCommand.self, DatasetCommand.self, RecordCommand.self,
          ImportCommand.self, LabelCommand.self, LabelsCommand.self,
          Synthesize.self,
        ]),
      CommandGroup(
        name: "Detector",
        subcommands: [
          Detectors.self, Suggest.self, Smoothers.self, StudioCommand.self, Measure.self,
          Replay.self,
        ]),
      CommandGroup(
        name: "Threshold", subcommands: [Sweep.self, RunsCommand.self, Export.self]),
      CommandGroup(
        name: "Result", subcommands: [Gate.self, BaselineCommand.self, ReportCommand.self]),
    ])

  /// Every message of a mistake begins in the same way, whoever finds it.
  static let _errorPrefix = "error: "
}

package enum CommandLineTool {
  /// Runs the command of the process's arguments, and ends the process with its exit code.
  package static func main() {
    Terminal.occupyClosedDescriptors()
    Interruption.prepare()
    let code = Mutex(ExitCode.success)
    WorkerThreads.run(most: max(1, ProcessInfo.processInfo.activeProcessorCount)) {
      let end = await run()
      code.withLock { $0 = end }
    }
    PlankLab.exit(withError: code.withLock { $0 })
  }

  private static func run() async -> ExitCode {
    if let failure = unknownCommand(CommandLine.arguments.dropFirst()) {
      Terminal.say("error: \(failure.message)")
      return ExitCode(failure.status.rawValue)
    }
    do {
      var command = try PlankLab.parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return .success
    } catch {
      return end(error)
    }
  }

  /// ArgumentParser takes a misspelled command for an argument of its parent and only counts it.
  ///
  /// If the parent has a default subcommand, the word may really be an argument, so it is reported
  /// only if it is near a command.
  static func unknownCommand(_ arguments: some Sequence<String>) -> WorkflowFailure? {
    var command: any ParsableCommand.Type = PlankLab.self
    var path = ""
    for word in arguments {
      if path.isEmpty, word == "help" { continue }
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
      if let match = subcommands.first(where: { names(of: $0).contains(word) }) {
        command = match
        path += word + " "
        continue
      }
      let known = subcommands.flatMap(names).sorted()
      let mayBeArgument = command.configuration.defaultSubcommand != nil
      let isMisspelled =
        !word.contains("/") && !word.contains(".")
        && NearestNames.suggestion(word, among: known) != nil
      guard !mayBeArgument || isMisspelled else { return nil }
      return WorkflowFailure(
        .usage, "no command `\(path)\(word)`; " + NearestNames.choice(word, of: "commands", known))
    }
    return nil
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    [command.configuration.commandName ?? "\(command)".lowercased()]
      + command.configuration.aliases
  }

  private static func end(_ error: any Error) -> ExitCode {
    let code = PlankLab.exitCode(for: error)
    var text = HelpText.wrapped(PlankLab.fullMessage(for: error))
    if code != .success {
      // The parser quotes an argument, its name before "=", or its value.
      let words = CommandLine.arguments.flatMap {
        [$0] + $0.split(separator: "=", maxSplits: 1).map(String.init)
      }
      for word in words where PrintableText.line(word) != word {
        text = text.replacing(word, with: PrintableText.line(word))
      }
      text = PrintableText.of(text, keepsLines: true)
    }
    guard code == .success, !text.isEmpty else {
      if !text.isEmpty { Terminal.write(text + "\n", to: STDERR_FILENO) }
      return code
    }
    do {
      try Terminal.writeResult(text + "\n")
      return code
    } catch {
      return Terminal.exitCode(of: error)
    }
  }
}
