import ArgumentParser
import Foundation
import TestSupport

@testable import PlankBench

/// A folder with an experiment on simulated people who alternate between `none` and `high`.
///
/// A detector tells them apart by the height of an ankle. `none` is 10 cm below the middle and
/// `high` 10 cm above it, with frames that differ by 10 cm and people who differ by 4 cm; on noise,
/// the class moves the ankle by nothing but each person's own habit.
struct SimulatedExperiment {
  /// The experiment's folder.
  let folder: URL
  private static let stretches = 6
  private static let stretchFrames = 25

  /// Writes recordings, a detector and an experiment.
  ///
  /// - Parameters:
  ///   - people: how many there are, one recording each.
  ///   - start: the threshold from which tuning starts, in meters.
  ///   - isNoise: whether heights say nothing about classes.
  ///   - classes: the classes of the stretches in turn.
  ///   - areNamed: whether the manifest has subjects.
  ///   - offsets: of all heights of a source, in meters; people take turns, the tag is `source`.
  ///   - more: further lines of the experiment.
  init(
    people: Int, seed: Int, start: Double = 0, isNoise: Bool = false,
    classes: [String] = ["none", "high"], areNamed: Bool = true, offsets: [Double] = [0],
    more: String = ""
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try writeRecordings(
      people: people, seed: seed, isNoise: isNoise, classes: classes, areNamed: areNamed,
      offsets: offsets)
    try write(
      """
      name: simulated
      parameters:
        limit: {unit: m, default: \(start), range: [-1, 1], meaning: height of an ankle}
        other: {unit: m, default: 0.9, range: [-1, 1], meaning: a height that nobody reaches}
      measurements:
        rise: height(leftAnkle) - height(root)
      plank:
        - none: rise < limit
        - reverse: rise > other
        - high
      form: [aligned]
      """, to: "detector.yaml")
    try write(
      """
      dataset: dataset.yaml
      detector: detector.yaml
      parameters: {plank_frames: 1}
      axes: {limit: {from: -0.3, to: 0.3, step: 0.02}, other: [0.8, 0.9]}
      objective: plank.balanced_accuracy
      resamples: 0
      """ + "\n" + more, to: "experiment.yaml")
  }

  private func writeRecordings(
    people: Int, seed: Int, isNoise: Bool, classes: [String], areNamed: Bool, offsets: [Double]
  ) throws {
    var random = SplitMix64(spread: seed)
    var manifest = "name: simulated\nsequences:\n"
    for person in 0..<people {
      let source = person % offsets.count
      let bias = 0.04 * random.normal() + offsets[source]
      let side = isNoise ? 0.04 * random.normal() : 0.1
      var poses =
        #"{"format":"planklab-poses","version":1,"skeleton":"vision3d","#
        + #""joints":["root","leftAnkle"],"frame":"world"}"# + "\n"
      var labels = "start,end,plank,form\n"
      for part in 0..<Self.stretches {
        let label = classes[part % classes.count]
        let (from, to) = (part * Self.stretchFrames, (part + 1) * Self.stretchFrames)
        labels += "\(Double(from) / 10),\(Double(to) / 10),\(label),\n"
        for frame in from..<to {
          let height = (label == "none" ? -side : side) + bias + 0.1 * random.normal()
          poses += "{\"t\":\(Double(frame) / 10),\"p\":[0,0,0,0,\(Float(height)),0]}\n"
        }
      }
      try write(poses, to: "p\(person).poses.jsonl")
      try write(labels, to: "p\(person).labels.csv")
      manifest +=
        "  - {poses: p\(person).poses.jsonl, labels: p\(person).labels.csv"
        + (areNamed ? ", subject: s\(person)" : "")
        + (offsets.count > 1 ? ", tags: {source: s\(source)}" : "") + "}\n"
    }
    try write(manifest, to: "dataset.yaml")
  }

  private func write(_ text: String, to name: String) throws {
    try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
  }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// What `tune` says with some options.
  func tune(_ options: String...) async throws -> Outcome {
    try await Tune.parse([folder.path] + options).outcome()
  }

  /// Removes the folder.
  func remove() { try? FileManager.default.removeItem(at: folder) }
}

extension SplitMix64 {
  /// A standard normal number, near enough: the sum of twelve uniform ones.
  fileprivate mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
}
