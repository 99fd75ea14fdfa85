internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Tuning

struct ExperimentData: Sendable {
  let collection: DatasetCollection
  let identity: Evaluation.DatasetIdentity

  init(_ experiment: Experiment, progress: @escaping ProgressReport) throws {
    let parts = try experiment.datasets.map { path in
      try Self.part(path, experiment)
    }
    do {
      collection = try DatasetCollection(parts, sourceTag: experiment.sourceTag)
    } catch let error as WorkflowFailure {
      throw WorkflowFailure(
        error.status, experiment.places.message(["source_tag", "dataset"], error.message))
    }
    identity = try collection.identity(progress: progress)
  }

  private static func part(
    _ path: String, _ experiment: Experiment
  ) throws -> DatasetCollection.Part {
    guard !experiment.flags.datasets.isEmpty || FileManager.default.fileExists(atPath: path) else {
      throw WorkflowFailure(
        .noInput,
        experiment.places.message(
          ["dataset"],
          "\(path): no such dataset; write its path relative to the folder of this file"))
    }
    let reader = try DatasetAccess.open(path)
    do {
      return try DatasetCollection.Part(reader, split: experiment.split)
    } catch DatasetError.unknownSplit(let file, let found, let known)
      where experiment.flags.split == nil
    {
      let error = DatasetError.unknownSplit(file: file, found: found, known: known)
      throw WorkflowFailure(.badData, experiment.places.message(["split"], "\(error)"))
    }
  }

  var labeled: [DatasetCollection.Entry] {
    collection.entries.filter { $0.entry.labelsPath != nil }
  }

  var unlabeledCount: Int { collection.entries.count - labeled.count }

  var hasSources: Bool { collection.entries.contains { $0.source != nil } }

  func tuning(_ sequence: DatasetSequence, _ entry: DatasetCollection.Entry) -> TuningSequence {
    TuningSequence(
      name: sequence.name, subject: sequence.subject, source: entry.source,
      recording: sequence.recording, truth: sequence.truth(), startsMid: sequence.startsMid)
  }
}
