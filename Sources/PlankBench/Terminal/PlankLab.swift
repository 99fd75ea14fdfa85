internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Synchronization
internal import Tuning

struct PlankLab: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "planklab",
    abstract: "A test bench for plank detectors: evaluate them on labeled pose recordings.",
    discussion: """
      Begin with these four commands:

        planklab evaluate DATASET        how good a detector is and where it is wrong
        planklab explain DATASET ...     why a detector gave an answer at one moment
        planklab tune DATASET            whether other thresholds are better
        planklab compare DATASET A B     which of two detectors is better

      A detector's answer is its prediction for one frame: the class of plank, if any, and its \
      form. A dataset is a folder with a dataset.yaml, pose recordings and labels. Make a \
      dataset from your own recordings with `planklab dataset update`, from movies with `planklab record`, or \
      from other programs' files with `planklab import`; then label it with `planklab label`. In \
      an app's repository, `planklab init` sets up a folder for recordings and a gate for pull \
      requests.

      The exit code is 0 for success, 1 for an unexpected error, 2 for a failed gate or check, 3 \
      for a comparison that is impossible or inconclusive, 64 for wrong usage, 65 for bad data, \
      66 for missing input and 73 for output that cannot be created. Results go to stdout; \
      everything else goes to stderr.
      """,
    version: Program.version, subcommands: [Evaluate.self, Explain.self, Tune.self, Compare.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Data",
        subcommands: [
          Init.self, DoctorCommand.self, DatasetCommand.self, RecordCommand.self,
          ImportCommand.self, LabelCommand.self, Synthesize.self,
        ]),
      CommandGroup(
        name: "Detector",
        subcommands: [
          Detectors.self, Suggest.self, Smoothers.self, Measure.self, Replay.self,
        ]),
      CommandGroup(
        name: "Threshold",
        subcommands: [ThresholdsCommand.self, Sweep.self, RunsCommand.self, Export.self]),
      CommandGroup(
        name: "Result", subcommands: [Gate.self, BaselineCommand.self, ReportCommand.self]),
    ])

  static let _errorPrefix = "error: "
}

package enum CommandLineTool {
  package static func main() {
    Terminal.occupyClosedDescriptors()
    Interruption.prepare()
    let code = Mutex(ExitCode.success)
    WorkerThreads.run(most: ConcurrentMap.cores) {
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
    } catch { return end(error) }
  }

  /// ArgumentParser reports a misspelled command only as an unexpected argument.
  ///
  /// If the parent command has a default subcommand, the word may really be an argument. It is
  /// therefore reported only if it resembles a command and names no file.
  static func unknownCommand(_ arguments: some Sequence<String>) -> WorkflowFailure? {
    var command: any ParsableCommand.Type = PlankLab.self
    var path = ""
    for word in arguments {
      if path.isEmpty, word == "help" { continue }
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
      if let match = subcommands.first(where: { name(of: $0) == word }) {
        command = match
        path += word + " "
        continue
      }
      let known = subcommands.map(name).sorted()
      let mayBeArgument = command.configuration.defaultSubcommand != nil
      let isMisspelled =
        !word.contains("/") && !word.contains(".") && !FileManager.default.fileExists(atPath: word)
        && NearestNames.suggestion(word, among: known) != nil
      guard !mayBeArgument || isMisspelled else { return nil }
      return WorkflowFailure(
        .usage, "no command `\(path)\(word)`; " + NearestNames.choice(word, of: "commands", known))
    }
    return nil
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? "\(command)".lowercased()
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
    } catch { return Terminal.exitCode(of: error) }
  }
}

extension CompletionKind {
  static var folder: CompletionKind { .directory }

  static var recording: CompletionKind { .file(extensions: ["jsonl", "gz"]) }

  static var detector: CompletionKind {
    .custom { _, _, prefix in
      DetectorDefinition.builtIn.map(\.name) + Completions.paths(prefix, ["yaml", "yml"])
    }
  }

  static var smoothing: CompletionKind { .custom { _, _, _ in Completions.smoothing } }

  static var debounce: CompletionKind { .custom { _, _, _ in Completions.debounce } }

  static var strategy: CompletionKind {
    .custom { _, _, _ in Completions.smoothing + Completions.debounce }
  }

  static var assignment: CompletionKind {
    .custom { words, _, _ in
      Completions.parameters(of: words).map {
        "\($0.key.rawValue)=\(NumberText.shortest($0.defaultValue))"
      }
    }
  }

  static var map: CompletionKind {
    .custom { _, _, prefix in
      TableMap.ready.map(\.name) + Completions.paths(prefix, ["yaml", "yml"])
    }
  }
}

enum Completions {
  static let smoothing = SmoothingKind.allCases.map(\.rawValue)
  static let debounce = StrategyCatalogue.debounce.map(\.name)

  static func parameters(of words: [String]) -> [ParameterDefinition] {
    let flag = "--detector"
    let joined = words.last { $0.hasPrefix(flag + "=") }?.dropFirst(flag.count + 1)
    let separate = words.lastIndex(of: flag).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    let name = joined.map(String.init) ?? separate
    return name.flatMap(DetectorDefinition.builtIn(named:))?.parameters
      ?? ParameterCatalogue.definitions
  }

  /// Offers only names that no shell changes, because bash expands completions and would run the
  /// command in a name such as `$(command)`.
  static func paths(_ prefix: String, _ extensions: [String]) -> [String] {
    let end = prefix.lastIndex(of: "/").map { prefix.index(after: $0) } ?? prefix.startIndex
    let folder = String(prefix[..<end])
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.filter { $0.hasPrefix(prefix[end...]) && !$0.hasPrefix(".") }.sorted().compactMap {
      let path = folder + $0
      guard ShellWord.quoted(path) == path else { return nil }
      var isFolder = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
      if isFolder { return path + "/" }
      return extensions.contains { path.hasSuffix("." + $0) } ? path : nil
    }
  }
}

/// The parser wraps everything except the synopsis of a command, which it writes on one line.
enum HelpText {
  static func wrapped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let title = titles.first(where: line.hasPrefix) else { return String(line) }
      return synopsis(String(line), indent: title.count)
    }.joined(separator: "\n")
  }

  private static let titles = ["USAGE: ", "Usage: "]

  private static func synopsis(_ line: String, indent: Int) -> String {
    var (lines, current, open) = ([String](), "", 0)
    var piece = ""
    for word in line.split(separator: " ") {
      piece += (piece.isEmpty ? "" : " ") + word
      open += word.count { $0 == "[" } - word.count { $0 == "]" }
      guard open <= 0, !word.hasPrefix("--") else { continue }
      if !current.isEmpty, current.count + 1 + piece.count > TextRenderer.standardWidth {
        lines.append(current)
        current = String(repeating: " ", count: indent) + piece
      } else {
        current += (current.isEmpty ? "" : " ") + piece
      }
      piece = ""
    }
    return (lines + [piece.isEmpty ? current : current + " " + piece]).joined(separator: "\n")
  }
}
