internal import Evaluation
internal import FoundationEssentials
internal import ParameterTuning
internal import PoseModel
internal import Reporting
internal import RunStore
internal import Specifications

/// Evaluates every cell of an experiment and keeps the numbers in a store.
package enum SweepExperiment {
  /// About how many numbers one transaction writes: it bounds memory and what a kill can cost.
  private static let numbersPerChunk = 2_000_000

  /// Sweeps, or continues a sweep.
  ///
  /// - Parameter say: takes what must be said before the work starts.
  /// - Throws: `WorkflowFailure`; `notComparable` where a run to be continued is of other data,
  ///   another grid or another program.
  package static func run(
    _ request: SweepRequest, progress: @escaping ProgressReport, say: (String) -> Void
  ) async throws(WorkflowFailure) -> Outcome {
    try OutputFile.checkStore(request.store)
    let shard = try shard(request.shard)
    let prepared = try await PreparedExperiment.load(request.experiment, progress: progress)
    let grids = try grids(prepared)
    say(
      "sweeping "
        + (try prepared.checkedStore(
          grids.map { SweepSize($0, prepared.data, range: shard.range(of: $0.cellCount)) })))
    let sweeps = grids.map {
      StreamSweep($0, prepared.data, engine: prepared.options.engine)
    }
    let plan = RunPlan(
      identity: RunIdentity(
        experiment: ExperimentFile.title(request.experiment),
        dataset: RunIdentity.Dataset(
          name: prepared.identity.name, hash: prepared.identity.hash,
          split: prepared.identity.split),
        program: try ProgramIdentity.text(), seed: prepared.options.seed, shard: shard),
      streams: sweeps.map { RunPlan.Stream($0) })
    let (reader, remark) = try await fill(plan, sweeps, prepared, request, progress)
    let summary = try SweepSummary.make(reader, sweeps, prepared, shard: shard, top: request.top)
    return Outcome(
      request.format, usesColor: request.usesColor,
      remarks: [
        remark,
        "next: planklab runs show \(summary.run) --store \(ShellWord.quoted(request.store))",
      ],
      json: summary.json, document: summary.document)
  }

  private static func shard(_ text: String?) throws(WorkflowFailure) -> Shard {
    guard let text else { return .whole }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1] else {
      throw WorkflowFailure(
        .usage, "--shard \(text): give part and count, for example 1/4 to 4/4")
    }
    guard count >= 1, (1...count).contains(index), let shard = try? Shard(index - 1, of: count)
    else {
      throw WorkflowFailure(
        .usage,
        "--shard \(text): there is no such part; give 1/\(max(count, 1)) to "
          + "\(max(count, 1))/\(max(count, 1))")
    }
    return shard
  }

  /// The cells of both streams; nothing is stored a cell.
  private static func grids(
    _ prepared: PreparedExperiment
  ) throws(WorkflowFailure) -> [StreamGrid] {
    do {
      var grids: [StreamGrid] = []
      for stream in AnswerStream.allCases {
        grids.append(try prepared.experiment.grid.grid(stream, prepared.data))
      }
      return grids
    } catch {
      throw prepared.failure(error)
    }
  }

  /// Evaluates what the store lacks, a transaction a chunk.
  private static func fill(
    _ plan: RunPlan, _ sweeps: [StreamSweep], _ prepared: PreparedExperiment,
    _ request: SweepRequest, _ progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> (reader: RunReader, remark: String) {
    do {
      let database = try RunDatabase(writing: request.store)
      let writer =
        request.resumes
        ? try database.resume(plan, at: Date()) : try database.begin(plan, at: Date())
      let total = sweeps.reduce(0) { $0 + plan.identity.shard.range(of: $1.grid.cellCount).count }
      let counter = ProgressCounter(total: total, what: "cells", report: progress)
      var evaluated = 0
      for sweep in sweeps {
        let chunk = max(1, numbersPerChunk / max(1, sweep.layout.stride))
        let missing = try writer.missing(sweep.grid.stream, atMost: chunk)
        let count = missing.reduce(0) { $0 + $1.count }
        counter.add(plan.identity.shard.range(of: sweep.grid.cellCount).count - count)
        for range in missing {
          let table = try await sweep.evaluate(
            range, jobs: prepared.options.jobs, progress: counter.add)
          try writer.write(sweep.grid.stream, table, at: Date())
          evaluated += table.ids.count
          counter.add(range.count - table.ids.count)
        }
      }
      try writer.finish(at: Date())
      let words =
        writer.opened > 1
        ? "continued" : request.resumes ? "found nothing to continue and stored" : "stored"
      return (
        reader: try database.run(writer.id),
        remark: "\(words) run \(writer.id) in \(request.store): \(evaluated) cells evaluated by "
          + "the \(prepared.engineRemark)"
      )
    } catch let error as RunStoreError {
      throw WorkflowFailure(error)
    } catch let error as TuningError {
      throw prepared.failure(error)
    } catch {
      throw WorkflowFailure(.unexpected, "\(error)")
    }
  }
}
