/// What each of our targets may import: this table is the authority on the walls.
enum ImportTable {
  /// Modules of the platform that math, files or time need; no Foundation.
  ///
  /// `EmbeddedMath` stands for C's math where the library is compiled as Embedded Swift.
  static let platform: Set<String> = [
    "Glibc", "Musl", "Darwin", "EmbeddedMath", "Synchronization",
  ]
  /// The imports allowed where text, dates or files are handled.
  static let foundation: Set<String> = ["Foundation", "FoundationEssentials"]

  /// Every Swift target under Sources with the modules that it may import.
  static let allowed: [String: Set<String>] = [
    "PoseModel": platform,
    "PlankDetection": platform.union(["PoseModel"]),
    "PageDetector": ["PlankDetection", "PoseModel"],
    "PoseRecording": platform.union(["PoseModel"]),
    "PoseDatasets": platform.union(foundation).union([
      "PoseModel", "PoseRecording", "Yams", "CSimdjson", "CZlib", "CLibcrypto",
    ]),
    "Statistics": ["CGSL"],
    "Evaluation": ["PoseModel", "Statistics"],
    "PoseSynthesis": platform.union(["PoseModel", "Statistics"]),
    "ParameterTuning": platform.union([
      "PlankDetection", "Evaluation", "PoseModel", "Statistics", "CSweepKernels",
    ]),
    "RunStore": ["FoundationEssentials", "ParameterTuning", "Evaluation", "PoseModel", "GRDB"],
    "PlankBench": platform.union(foundation).union([
      "PoseModel", "PlankDetection", "PoseRecording", "PoseDatasets",
      "PoseSynthesis", "Evaluation", "Statistics", "ParameterTuning", "RunStore",
      "PageDetector", "CPages",
      "ArgumentParser",
    ]),
    "planklab": ["PlankBench"],
    "planklab-benchmarks": platform.union(foundation).union([
      "PoseModel", "PlankDetection", "PoseDatasets", "Evaluation", "ParameterTuning",
      "ArgumentParser",
    ]),
  ]

  /// Folders under Sources that hold C or C++ and no Swift.
  static let doorsToC: Set<String> = [
    "CGSL", "CZlib", "CLibcrypto", "CSimdjson", "CSimdjsonLibrary", "CSweepKernels",
    "CPages",
  ]
}
