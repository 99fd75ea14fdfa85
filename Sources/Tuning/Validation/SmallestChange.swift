internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseModel
internal import Synchronization

struct TunedSettings {
  var parameters: ParameterValues
  var objective: Double
}

/// The smallest change of a detector that does as well as the whole change found.
///
/// If the whole change is not worth taking, only thresholds that separate a class that these people
/// lack go back to their starting values. Otherwise, a single change of a parameter that no medians
/// place is preferred, if nobody would notice how much less it gains. Without such a change, values
/// go back one after another, the least useful first, as long as the expected gain does not fall.
struct SmallestChange: Sendable {
  let constraints: [AxisConstraint]
  let goal: TuningGoal
  let tables: ConfigurationTables
  let detector: DetectorVariant
  let variant: Int
  let people: [Int]
  let jobs: Int

  private struct Part {
    let kept: [ParameterKey]
    let counts: PairedCounts
    let unit: Advice.Unit
    let settings: TunedSettings
    let expected: Double

    var isTaken: Bool { Advice(counts, settings: kept.count, in: unit)?.step.takes ?? false }
  }

  /// Nil if all of `found` is needed; `lacking` are the classes that these people lack.
  func settings(
    of found: ParameterValues, lacking: Set<UInt8>,
    singleChanges: (_ startObjective: Double) -> [(key: ParameterKey, value: Double)]
  ) async throws -> TunedSettings? {
    let keys = detector.keys(goal.stream)
    let open = keys.filter { key in
      !detector.definition.list(goal.stream).rules.contains { rule in
        lacking.contains(rule.label.code) && rule.predicates.contains { $0.parameter == key }
      }
    }
    func isChanged(_ key: ParameterKey) -> Bool { found[key] != detector.base[key] }
    let whole = open.filter(isChanged)
    let start = try await tables.table(detector, variant: variant, jobs: jobs)
    guard !whole.isEmpty, let all = try await part(whole, of: found, start) else { return nil }
    let isTaken = all.isTaken
    if isTaken, let before = start.value(goal.objective, at: 0, people),
      let single = try await best(
        of: singleChanges(before).filter { open.contains($0.key) }, start),
      single.expected > all.expected - all.unit.tolerance
    {
      return single.settings
    }
    guard whole.count > 1 || keys.count(where: isChanged) > whole.count else { return nil }
    return isTaken ? try await reduced(all, of: found, start).settings : all.settings
  }

  private func part(
    _ kept: [ParameterKey], of changed: ParameterValues, _ start: SubjectTable
  ) async throws -> Part? {
    var parameters = changed
    for key in detector.keys(goal.stream) where !kept.contains(key) {
      if let own = detector.base[key] { try parameters.set(key, to: own) }
    }
    guard constraints.allSatisfy({ $0.holds { parameters[$0] } }) else { return nil }
    let table = try await tables.table(detector.with(parameters), variant: variant, jobs: jobs)
    guard goal.isKept(table, people), let objective = table.value(goal.objective, at: 0, people)
    else { return nil }
    let (counts, unit) = start.paired(with: table, goal.objective, people)
    return Part(
      kept: kept, counts: counts, unit: unit,
      settings: TunedSettings(parameters: parameters, objective: objective),
      expected: counts.expectedGain(in: unit))
  }

  private func best(
    of changes: [(key: ParameterKey, value: Double)], _ start: SubjectTable
  ) async throws -> Part? {
    var best: Part?
    for change in changes {
      var parameters = detector.base
      try parameters.set(change.key, to: change.value)
      if let part = try await part([change.key], of: parameters, start), part.isTaken,
        part.expected > best?.expected ?? 0
      {
        best = part
      }
    }
    return best
  }

  private func reduced(
    _ all: Part, of found: ParameterValues, _ start: SubjectTable
  ) async throws -> Part {
    let enough = all.expected - 1e-12
    func best(of parts: [[ParameterKey]]) async throws -> Part? {
      var best: Part?
      for kept in parts {
        guard let part = try await part(kept, of: found, start),
          part.expected > best?.expected ?? enough
        else { continue }
        best = part
      }
      return best
    }
    var least = all
    if all.kept.count > 2, let alone = try await best(of: all.kept.map { [$0] }) { least = alone }
    while least.kept.count > 1,
      let part = try await best(of: least.kept.map { key in least.kept.filter { $0 != key } })
    {
      least = part
    }
    return least.isTaken ? least : all
  }
}

final class ConfigurationTables: Sendable {
  private struct Configuration: Hashable {
    let variant: Int
    let parameters: ParameterValues
  }

  private let data: MeasuredData
  private let stream: AnswerStream
  private let options: TuningOptions
  private let tables = Mutex<[Configuration: SubjectTable]>([:])

  init(_ data: MeasuredData, _ stream: AnswerStream, _ options: TuningOptions) {
    self.data = data
    self.stream = stream
    self.options = options
  }

  func table(_ detector: DetectorVariant, variant: Int, jobs: Int) async throws -> SubjectTable {
    let configuration = Configuration(variant: variant, parameters: detector.base)
    if let known = tables.withLock({ $0[configuration] }) { return known }
    let table = try await SubjectTable(
      detector, variant: variant, stream, data, options, jobs: jobs)
    tables.withLock { $0[configuration] = table }
    return table
  }
}

extension SubjectTable {
  init(
    _ detector: DetectorVariant, variant: Int, _ stream: AnswerStream, _ data: MeasuredData,
    _ options: TuningOptions, jobs: Int
  ) async throws {
    let sequences = try MeasuredData(variants: [data.variants[variant]])
    let grid = try GridDefinition([detector], axes: []).grid(stream, sequences)
    let cells = try await StreamSweep(grid, sequences, engine: options.engine, jobs: jobs)
      .evaluate(0..<1)
    try self.init(cells, allowsUngrouped: options.allowsUngrouped)
  }
}

extension TuningGoal {
  func isKept(_ table: SubjectTable, _ people: [Int], at position: Int = 0) -> Bool {
    constraints.allSatisfy { $0.violation(table.value($0.metric, at: position, people)) == 0 }
  }
}
