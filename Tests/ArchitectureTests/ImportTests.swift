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
      "AVFoundation", "CoreGraphics", "CoreMedia", "CoreVideo", "ImageIO", "CryptoKit",
      "CLibcrypto",
    ]
    var guarded = 0
    for (file, line, depth) in try Self.linesWithDepth() {
      guard let module = Sources.module(imported: line), partial.contains(module) else { continue }
      #expect(depth > 0, "\(file): import \(module) without #if canImport(\(module))")
      guarded += 1
    }
    #expect(guarded > 10)
  }

  @Test("A name that only Linux has is used only behind a condition")
  func namesOfLinuxAreGuarded() throws {
    let names = Set(Self.namesOfLinux)
    var guarded = 0
    for (file, line, depth) in try Self.linesWithDepth() where !file.hasSuffix("ImportTests.swift")
    {
      let code = line.components(separatedBy: "//")[0]
      let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
      let found = words.filter(names.contains) + (code.contains("\"/proc/") ? ["/proc"] : [])
      for name in found {
        #expect(depth > 0, "\(file): \(name) without #if: macOS has none")
        guarded += 1
      }
    }
    #expect(guarded >= 3)
  }

  /// Names of Glibc and of the kernel that Apple's headers lack.
  private static let namesOfLinux = [
    "O_TMPFILE", "O_PATH", "MAP_ANONYMOUS", "MAP_POPULATE", "RENAME_NOREPLACE", "renameat2",
    "st_atim", "st_mtim", "st_ctim", "epoll_create1", "epoll_ctl", "epoll_wait", "eventfd",
    "inotify_init1", "signalfd", "timerfd_create", "pipe2", "accept4", "gettid", "getrandom",
    "sched_getaffinity", "prctl", "memfd_create", "copy_file_range", "splice",
    "program_invocation_name", "get_nprocs", "malloc_trim", "mallinfo2", "SOCK_CLOEXEC",
    "rawmemchr", "mempcpy", "strchrnul", "secure_getenv", "EBADE", "EREMOTEIO", "clock_nanosleep",
  ]

  /// Every line of every Swift file, with the number of conditions around it.
  private static func linesWithDepth() throws -> [(file: String, line: Substring, depth: Int)] {
    try Sources.allSwiftFiles().flatMap { file in
      var depth = 0
      return try Sources.text(file).split(separator: "\n").map { line in
        let line = line.drop { $0 == " " }
        if line.hasPrefix("#if ") { depth += 1 }
        if line.hasPrefix("#endif") { depth -= 1 }
        return (file, line, depth)
      }
    }
  }

  @Test("The manifest does not treat warnings as errors, which Xcode refuses in an app")
  func manifestIsClean() throws {
    #expect(try !Sources.text("Package.swift").contains("treatAllWarnings"))
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
