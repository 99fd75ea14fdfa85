import Foundation
import TestSupport
import Testing

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

/// The project's own files, as the walls' tests read them.
enum Sources {
  struct ImportLine {
    let file: String
    let number: Int
    let module: String
  }

  static let root = Repository.root

  /// The targets that are not doors to C.
  static let swiftTargets: [String] = {
    let path = root.appendingPathComponent("Sources").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { !$0.hasPrefix(".") && !ImportTable.doorsToC.contains($0) }.sorted()
  }()

  static func text(_ path: String) throws -> String {
    try Repository.text(path)
  }

  static func swiftFiles(of target: String) throws -> [String] {
    try swiftFiles(below: "Sources/\(target)")
  }

  /// Every Swift file of the project, tests included, as paths from the root.
  static func allSwiftFiles() throws -> [String] {
    try ["Sources", "Tests"].flatMap(swiftFiles(below:))
  }

  private static func swiftFiles(below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path)
      .filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Every import line of a target, whatever its access level or attribute.
  static func imports(of target: String) throws -> [ImportLine] {
    try swiftFiles(of: target).flatMap { file in
      try text(file).split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .compactMap { index, line in
          module(imported: line).map { ImportLine(file: file, number: index + 1, module: $0) }
        }
    }
  }

  /// The module that a line imports, or nil for any other line.
  static func module(imported line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let position = words.firstIndex(of: "import"), position + 1 < words.count else {
      return nil
    }
    let before = words[..<position]
    let modifiers: Set<Substring> = ["public", "package", "internal", "private", "fileprivate"]
    guard before.allSatisfy({ modifiers.contains($0) || $0.hasPrefix("@") }) else { return nil }
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let"]
    let rest = words[(position + 1)...].drop { kinds.contains($0) }
    return rest.first?.split(separator: ".").first.map(String.init)
  }
}

/// What each of our targets may import: this table is the authority on the walls.
enum ImportTable {
  /// The C library of each platform, which the libraries import by its own name.
  ///
  /// `EmbeddedMath` stands for C's math where the library is compiled as Embedded Swift. What an app
  /// expects of its platform stands in `platformFiles` alone.
  static let libraries = appPlatform.union(["Glibc", "Musl", "Darwin", "EmbeddedMath"])
  /// What the libraries take from an app's platform, if it is there.
  static let appPlatform: Set<String> = ["Foundation", "FoundationEssentials", "Vision"]
  /// The files of the libraries that may import it: errors for alerts, file URLs, observations.
  static let platformFiles: Set<String> = [
    "Sources/PoseModel/Foundation/LocalizedErrors.swift",
    "Sources/PlankDetection/Foundation/LocalizedErrors.swift",
    "Sources/PoseRecording/FoundationInterface.swift",
    "Sources/PoseModel/Observations/VisionFrames.swift",
  ]
  /// What one file of `record` takes from Apple's systems; tests compile it with stand-ins, beside
  /// the rest of the target.
  static let movies: Set<String> = [
    "AVFoundation", "CoreGraphics", "CoreMedia", "CoreVideo", "ImageIO", "PlankBench", "Vision",
  ]
  /// What math, files, time and threads need in the bench.
  static let platform: Set<String> = ["Platform", "Synchronization"]

  /// Every Swift target with the modules that it may import.
  static let allowed: [String: Set<String>] = [
    "PoseModel": libraries.union(["PoseModel"]),
    "PlankDetection": libraries.union(["PoseModel"]),
    "PoseRecording": libraries.union(["PoseModel"]),
    "Platform": [
      "Glibc", "Musl", "Darwin", "Foundation", "FoundationEssentials", "Synchronization",
    ],
    "PageDetector": ["PlankDetection", "PoseModel"],
    "PoseDatasets": platform.union([
      "Foundation", "PoseModel", "PoseRecording", "CYaml", "CZlib", "CLibcrypto", "CryptoKit",
    ]),
    "Statistics": ["CGSL"],
    "Evaluation": ["PoseModel", "Statistics"],
    "PoseSynthesis": platform.union(["PoseModel", "Statistics"]),
    "Tuning": platform.union([
      "PlankDetection", "Evaluation", "PoseModel", "Statistics", "CSweepKernels", "GRDB",
    ]),
    "Reports": platform.union([
      "Foundation", "PoseModel", "PlankDetection", "PoseDatasets", "PoseSynthesis", "Evaluation",
      "Statistics", "Tuning", "CPages",
    ]),
    "PlankBench": platform.union([
      "Foundation", "PoseModel", "PlankDetection", "PoseRecording", "PoseDatasets", "PoseSynthesis",
      "Evaluation", "Statistics", "Tuning", "Reports", "PageDetector", "CPages", "ArgumentParser",
    ]).union(movies),
    "planklab": ["PlankBench"],
    "planklab-benchmarks": platform.union([
      "Foundation", "PoseModel", "PlankDetection", "PoseDatasets", "Evaluation", "Tuning",
      "ArgumentParser",
    ]),
  ]

  /// Targets that hold C or C++ and no Swift.
  static let doorsToC: Set<String> = [
    "CGSL", "CZlib", "CLibcrypto", "CSweepKernels",
    "CPages",
  ]
}
