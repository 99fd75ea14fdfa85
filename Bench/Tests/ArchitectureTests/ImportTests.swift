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

  @Test("A module that one platform lacks is imported only behind a condition")
  func platformImportsAreGuarded() throws {
    let partial: Set<String> = [
      "Glibc", "Musl", "Darwin", "EmbeddedMath", "FoundationEssentials", "FoundationXML", "Vision",
    ]
    var guarded = 0
    for file in try Sources.allSwiftFiles() {
      var depth = 0
      for line in try Sources.text(file).split(separator: "\n").map({ $0.drop { $0 == " " } }) {
        if line.hasPrefix("#if ") { depth += 1 }
        if line.hasPrefix("#endif") { depth -= 1 }
        guard let module = Sources.module(imported: line), partial.contains(module) else {
          continue
        }
        #expect(depth > 0, "\(file): import \(module) without #if canImport(\(module))")
        guarded += 1
      }
    }
    #expect(guarded > 10)
  }

  @Test("No manifest has unsafe flags or treats warnings as errors, which Xcode refuses in an app")
  func manifestsAreClean() throws {
    for file in ["Package.swift", "Bench/Package.swift"] {
      let manifest = try Sources.text(file)
      #expect(!manifest.contains("unsafeFlags"))
      #expect(!manifest.contains("treatAllWarnings"))
    }
  }

  @Test("What an app links takes its platform's frameworks in a few files only")
  func appTargetsAreClean() throws {
    for target in ["PoseModel", "PlankDetection", "PoseRecording"] {
      for line in try Sources.imports(of: target)
      where ImportTable.appPlatform.contains(line.module) || line.module == target {
        #expect(ImportTable.platformFiles.contains(line.file), "\(line.file): \(line.module)")
      }
    }
  }
}
