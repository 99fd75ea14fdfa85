import Foundation
import Testing

/// The walls between targets, read off every import line.
@Suite("Imports")
struct ImportTests {
  @Test("Every target imports only what the table allows", arguments: Sources.swiftTargets)
  func importsAreAllowed(target: String) throws {
    let allowed = try #require(
      ImportTable.allowed[target], "\(target) is not in the import table; add its walls")
    for line in try Sources.imports(of: target) {
      #expect(
        allowed.contains(line.module), "\(line.file):\(line.number) imports \(line.module)")
    }
  }

  @Test("Every target of the table exists")
  func tableIsCurrent() {
    #expect(Set(ImportTable.allowed.keys).isSubset(of: Set(Sources.swiftTargets)))
  }

  @Test("Folders of C hold no Swift", arguments: ImportTable.doorsToC)
  func doorsHoldNoSwift(target: String) throws {
    #expect(try Sources.swiftFiles(of: target).isEmpty)
  }

  @Test("What an app links carries no unsafe flags and no Foundation")
  func appTargetsAreClean() throws {
    let manifest = try Sources.text("Package.swift")
    #expect(!manifest.contains("unsafeFlags"))
    for target in ["PoseModel", "PlankDetection", "PoseRecording"] {
      let modules = try Sources.imports(of: target).map(\.module)
      #expect(!modules.contains { $0.hasPrefix("Foundation") }, "\(target)")
    }
  }
}
