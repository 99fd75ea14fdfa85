internal import ArgumentParser
internal import Platform
internal import Tuning

struct RunsMerge: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Put the parts of a divided sweep together into one run.",
    discussion: """
      Every part of the sweep (`planklab sweep --shard i/n`) must be there and complete, with the \
      same data, grid, program and seed. A part may have been swept twice, as engines do after a \
      machine was lost; its numbers must then be the same. The merged run has the same cells as \
      a sweep that was never divided, so exports have the same bytes. Merging again changes nothing.

      Examples:
        planklab sweep experiments/first-steps --shard 1/2 --store part-1.sqlite
        planklab sweep experiments/first-steps --shard 2/2 --store part-2.sqlite
        planklab runs merge part-1.sqlite part-2.sqlite --store whole.sqlite
        planklab tune experiments/first-steps --from-store whole.sqlite
      """)

  @Argument(help: ArgumentHelp("The stores with the parts.", valueName: "part"))
  var parts: [String]

  @Option(
    help: ArgumentHelp(
      "Only runs of this experiment, if stores hold others, too.", valueName: "NAME"))
  var experiment: String?

  @OptionGroup var store: StoreOptions

  func outcome() throws -> Outcome {
    try OutputFile.checkStore(store.store)
    var runs: [RunReader] = []
    for part in parts { runs += try readers(part) }
    let progress = LongWork(["cells"]).report
    let merge = try RunMerge(runs)
    Interruption.say(
      "\(store.store) holds nothing of this merge; \(Leftovers.again(CommandLine.arguments))")
    let total = merge.cellCount
    var done = 0
    let result = try merge.write(toStore: store.store, at: Date()) { count in
      done += count
      progress(done, total, "cells")
    }
    Interruption.say("run \(result.run) is complete in \(store.store)")
    return .sentence(text(merge, result), remarks: ["next: \(next(result))"])
  }

  private func readers(_ path: String) throws -> [RunReader] {
    let database = try RunAccess.read(path)
    var readers: [RunReader] = []
    let (runs, damaged) = try database.listing()
    for run in damaged {
      Terminal.say("note: \(path): run \(run.id) is left out, it is damaged (\(run.reason))")
    }
    for facts in runs where experiment == nil || facts.identity.experiment == experiment {
      readers.append(try database.run(facts.id))
    }
    guard !readers.isEmpty else {
      throw RunStoreError.noPart(path: path, experiment: experiment)
    }
    // Parts may be in the store that receives the whole, which is then not a part itself.
    let parts = readers.filter { $0.facts.identity.shard != .whole }
    let isTarget = OutputFile.place(of: path) == OutputFile.place(of: store.store)
    return isTarget && !parts.isEmpty ? parts : readers
  }

  private func text(_ merge: RunMerge, _ result: RunMerge.Result) -> String {
    let parts = NumberText.count(merge.shardCount, "part")
    let cells = NumberText.count(merge.cellCount, "cell")
    let repeated =
      merge.repetitionCount == 0
      ? "" : "; \(NumberText.count(merge.repetitionCount, "repeated part")) agreed"
    return result.isKnown
      ? "run \(result.run) in \(store.store) already has the \(cells) of \(parts)\(repeated)"
      : "merged \(parts) into run \(result.run) in \(store.store): \(cells)\(repeated)"
  }

  private func next(_ result: RunMerge.Result) -> String {
    "planklab runs show \(result.run) --store \(ShellWord.quoted(store.store))"
  }
}
