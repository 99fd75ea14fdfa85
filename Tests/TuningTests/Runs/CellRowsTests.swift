import Evaluation
import Foundation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

@Suite("Cell rows") struct CellRowsTests {
  private static func text(_ row: CellRow) -> String {
    "\(row.cell) \(row.stream) \(row.detector) \(row.smoothing) \(row.parameters) \(row.counts) "
      + "\(row.metrics) \(row.subjects)"
  }

  static func text(_ reader: RunReader) throws -> [String] {
    var lines: [String] = []
    for stream in AnswerStream.allCases {
      var rows = reader.rows(stream)
      while let batch = try rows.next() { lines += batch.map(text) }
    }
    return lines
  }

  @Test(
    "Rows are the same in whatever order chunks came and however often the run was continued",
    arguments: 1...4)
  func order(seed: Int) async throws {
    let sweep = try SweepCase()
    let straight = try await StoredRun(sweep, length: 1000)
    let expected = try Self.text(
      RunDatabase(reading: straight.store.path).run(straight.writer.id))
    let broken = try TemporaryStore()
    var random = SplitMix64(spread: seed)
    var id = ""
    for _ in 0..<50 {
      let database = try RunDatabase(writing: broken.path)
      let writer = try database.resume(sweep.plan, at: Moments.start)
      id = writer.id
      try await sweep.run(
        writer, length: 1 + random.index(below: 9), chunks: 1 + random.index(below: 3)
      ) { random.shuffled($0) }
      guard try writer.missing(.plank).isEmpty, try writer.missing(.form).isEmpty else { continue }
      break
    }
    let found = try Self.text(RunDatabase(reading: broken.path).run(id))
    #expect(found == expected)
    #expect(
      found.count
        == sweep.sweeps.reduce(0) { $0 + $1.grid.accepted(in: 0..<$1.grid.cellCount).count })
  }

  @Test("A row's metrics are the mean over sources; each source has its own, which add up")
  func sources() async throws {
    let run = try await StoredRun(
      SweepCase(sequences: 6, sources: ["web", "gym"]), length: 1000)
    let reader = try run.reader()
    #expect(reader.sources == ["gym", "web"])
    for stream in AnswerStream.allCases {
      var rows = reader.rows(stream)
      for row in try #require(try rows.next()) {
        #expect(row.sources.map(\.name) == ["gym", "web"])
        for (place, count) in row.counts.enumerated() {
          #expect(row.sources.reduce(0) { $0 + $1.counts[place] } == count)
        }
        for (place, metric) in row.metrics.enumerated() {
          let values = row.sources.compactMap { $0.metrics[place].value }
          let mean = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
          #expect(metric.value == mean, "\(metric.name)")
        }
        #expect(Set(row.subjects.map(\.source)) == ["gym", "web"])
      }
    }
  }

  @Test("A row's parameters are those of the grid, its metrics those of tuning")
  func values() async throws {
    let run = try await StoredRun(length: 1000)
    let reader = try run.reader()
    for stream in AnswerStream.allCases {
      let grid = run.sweep.sweep(stream).grid
      let table = try SubjectTable(try #require(try reader.allCells(stream)), allowsUngrouped: true)
      let metrics = MetricKey.tunable.filter { $0.stream == stream }
      var rows = reader.rows(stream)
      var position = 0
      while let batch = try rows.next() {
        for row in batch {
          let values = try grid.parameters(of: row.cell)
          for parameter in row.parameters {
            #expect(
              values.entries.first { $0.definition.key.rawValue == parameter.name }?.value
                == parameter.value)
          }
          #expect(row.detector == values.detectorName)
          let subjects = Array(table.subjects.indices)
          #expect(
            row.metrics.map(\.value) == metrics.map { table.value($0, at: position, subjects) })
          #expect(row.metrics.allSatisfy { ($0.value == nil) == ($0.reason != nil) })
          position += 1
        }
      }
    }
  }

  @Test("Subjects add up to the cell, and their events to the latencies that were stored")
  func subjects() async throws {
    let run = try await StoredRun(SweepCase(), length: 1000)
    let reader = try run.reader()
    let facts = try #require(reader.layouts[.plank]).facts.sequences
    var rows = reader.rows(.plank)
    let row = try #require(try rows.next()?.last)
    #expect(row.subjects.map(\.subject) == ["q0", "s0", "s1"])
    #expect(row.counts[0] == facts.reduce(0) { $0 + $1.rows.reduce(0) { $0 + $1.frames } })
    #expect(row.counts[4] == facts.reduce(0) { $0 + $1.onsets.count })
    #expect(row.counts[2] == row.subjects.reduce(0) { $0 + $1.transitions })
    for subject in row.subjects {
      #expect(subject.events.allSatisfy { ($0.latency == nil) == ($0.latencyFrames == nil) })
    }
  }
}

/// A place for a store that disappears with the test.
final class TemporaryStore {
  let folder: String
  var path: String { folder + "/runs.sqlite" }

  init() throws {
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("run-store-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
  }

  /// The bytes of the store's file.
  func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}
