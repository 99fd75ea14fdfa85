import Foundation
import PoseModel
import TestSupport
import Testing

@testable import PoseDatasets

/// An import makes recordings of the frames that were read to examine the file.
@Suite("Examined frames")
struct ExaminedFramesTests {
  private static let files = [
    "csv_wide.csv", "csv_long.csv", "arkit.jsonl", "arrays.npz", "coco_results.json",
    "keyed_by_time.json", "mediapipe_ios.jsonl", "vision_matrices.jsonl",
  ]

  private func file(_ name: String) throws -> NamedBytes {
    let url = Repository.file("Tests/FuzzTests/Corpora/table/\(name)")
    return NamedBytes(name: name, bytes: Array(try Data(contentsOf: url)))
  }

  @Test("They give what reading the file again gives, with any option", arguments: files)
  func equal(name: String) throws {
    let file = try file(name)
    let diagnosis = PoseDoctor.diagnose(file, imageSize: ImageSize(width: 1080, height: 1920))
    let map = try #require(diagnosis.map)
    var mirrored = map
    mirrored.isMirrored.toggle()
    var taller = map
    taller.bodyHeight = 1.9
    for map in [map, mirrored, taller] {
      for everyone in [false, true] {
        let options = TableOptions(
          map: map, subject: "anna", keepsClock: everyone, isEveryone: everyone)
        let examined = try #require(try diagnosis.sequences(options))
        let read = try TableSource(options: options).sequences(from: [file])
        #expect(examined.map(\.name) == read.map(\.name))
        #expect(examined.map(\.notes) == read.map(\.notes))
        #expect(examined.map(\.tags) == read.map(\.tags))
        #expect(examined.map(\.labels) == read.map(\.labels))
        for (one, other) in zip(examined.map(\.recording), read.map(\.recording)) {
          #expect(one.header == other.header)
          #expect(one.times == other.times)
          #expect(one.positions.map(\.bitPattern) == other.positions.map(\.bitPattern))
          #expect(one.confidences.map(\.bitPattern) == other.confidences.map(\.bitPattern))
        }
      }
    }
  }

  @Test("Where a map reads other frames, and once they are let go, the file is read again")
  func other() throws {
    var diagnosis = PoseDoctor.diagnose(try file("csv_wide.csv"))
    let map = try #require(diagnosis.map)
    var larger = map
    larger.units = .cm
    #expect(try diagnosis.sequences(TableOptions(map: larger)) == nil)
    #expect(try diagnosis.sequences(TableOptions(map: map))?.count == 1)
    diagnosis.forgetFrames()
    #expect(try diagnosis.sequences(TableOptions(map: map)) == nil)
  }
}
