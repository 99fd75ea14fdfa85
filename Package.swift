// swift-tools-version: 6.2
import PackageDescription

// What the program needs of other packages. An app says `traits: []` and resolves this package alone; without it
// three more are resolved and none of them is compiled.
let bench: TargetDependencyCondition? = .when(traits: ["Bench"])
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: bench)
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: bench)
let yams: Target.Dependency = .product(name: "Yams", package: "Yams", condition: bench)

/// Apple's systems have SHA-256 in CryptoKit.
let libcrypto: Target.Dependency = .target(
  name: "CLibcrypto", condition: .when(platforms: [.linux]))

// Homebrew's folders on Apple silicon lie outside the compiler's path. No product that an app may link reaches a target
// with these flags, so that SwiftPM accepts them in a dependency.
#if os(macOS)
  let homebrewHeaders: [CSetting] = [.unsafeFlags(["-I/opt/homebrew/include"])]
  let homebrewImports: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-I/opt/homebrew/include"])]
  /// `scripts/release` names a folder with static libraries alone.
  let librariesFolder = Context.environment["PLANKLAB_LIBRARIES"] ?? "/opt/homebrew/lib"
  let homebrewLibraries: [LinkerSetting] = [.unsafeFlags(["-L\(librariesFolder)"])]
#else
  let homebrewHeaders: [CSetting] = []
  let homebrewImports: [SwiftSetting] = []
  let homebrewLibraries: [LinkerSetting] = []
#endif

/// A fuzzer needs a runtime that a plain build does not link; `scripts/fuzz` asks for it.
let buildsFuzzer = Context.environment["PLANKLAB_FUZZ"] != nil

let package = Package(
  name: "PlankLab",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .library(name: "PoseModel", targets: ["PoseModel"]),
    .library(name: "PlankDetection", targets: ["PlankDetection"]),
    .library(name: "PoseRecording", targets: ["PoseRecording"]),
    .executable(name: "planklab", targets: ["planklab"]),
    .executable(name: "planklab-benchmarks", targets: ["planklab-benchmarks"]),
  ],
  traits: [
    .default(enabledTraits: ["Bench"]),
    .trait(
      name: "Bench",
      description: "The program, its tests and the packages that they need. Apps say traits: []."),
  ],
  dependencies: [
    .package(
      url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.2")),
    .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
  ],
  targets: [
    // What an app links: no other package, no native library
    .target(name: "PoseModel"),
    .target(name: "PlankDetection", dependencies: ["PoseModel"]),
    .target(name: "PoseRecording", dependencies: ["PoseModel"]),

    // The doors to the system and to C
    .target(name: "Platform"),
    .target(
      name: "CGSL", cSettings: homebrewHeaders,
      linkerSettings: [.linkedLibrary("gsl"), .linkedLibrary("gslcblas")] + homebrewLibraries),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CLibcrypto", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CSweepKernels"),

    // What the bench reads
    .target(
      name: "PoseDatasets",
      dependencies: ["Platform", "PoseModel", "PoseRecording", "CZlib", libcrypto, yams]),

    // Numbers and made poses
    .target(name: "Statistics", dependencies: ["CGSL"], swiftSettings: homebrewImports),
    .target(name: "Evaluation", dependencies: ["PoseModel", "Statistics"]),
    .target(name: "PoseSynthesis", dependencies: ["Platform", "PoseModel", "Statistics"]),

    // What runs in a page: `scripts/build-page-detector` compiles it to WebAssembly
    .target(name: "PageDetector", dependencies: ["PlankDetection", "PoseModel"]),
    .target(name: "CPages", exclude: ["detector.wasm"]),

    // Grids, the sweep, the choice, and the runs that it keeps
    .target(
      name: "Tuning",
      dependencies: [
        "Platform", "PlankDetection", "Evaluation", "PoseModel", "Statistics", "CSweepKernels",
        grdb,
      ]),

    // What a result looks like as text, Markdown, pages and figures
    .target(
      name: "Reports",
      dependencies: [
        "Platform", "PoseModel", "PlankDetection", "PoseDatasets", "PoseSynthesis", "Evaluation",
        "Statistics", "Tuning", "CPages",
      ], exclude: ["Pages/Page", "Rendering/Page"]),

    // A folder per command
    .target(
      name: "PlankBench",
      dependencies: [
        "Platform", "PoseModel", "PlankDetection", "PoseRecording", "PoseDatasets", "PoseSynthesis",
        "Evaluation", "Statistics", "Tuning", "Reports", "PageDetector", "CPages", argumentParser,
      ],
      exclude: ["Label/Page", "Thresholds/Page", "Report/Page", "Record/Script"]),

    // The processes
    .executableTarget(name: "planklab", dependencies: ["PlankBench"]),
    .executableTarget(
      name: "planklab-benchmarks",
      dependencies: [
        "Platform", "PoseModel", "PlankDetection", "PoseDatasets", "Evaluation", "Tuning",
        argumentParser,
      ]),

    // Tests
    .target(
      name: "TestSupport", dependencies: ["Platform", "PoseModel"], path: "Tests/TestSupport"),
    .testTarget(name: "PoseModelTests", dependencies: ["PoseModel", "TestSupport"]),
    .testTarget(
      name: "PlankDetectionTests", dependencies: ["PlankDetection", "PoseModel", "TestSupport"]),
    .testTarget(
      name: "PageDetectorTests",
      dependencies: ["PageDetector", "PlankDetection", "PoseModel", "TestSupport"]),
    .testTarget(
      name: "PoseDatasetsTests",
      dependencies: ["PoseDatasets", "PoseRecording", "PoseModel", "TestSupport"]),
    .testTarget(
      name: "PoseRecordingTests", dependencies: ["PoseRecording", "PoseModel", "TestSupport"]),
    .testTarget(name: "PlatformTests", dependencies: ["Platform"]),
    .testTarget(
      name: "StatisticsTests", dependencies: ["Statistics", "TestSupport"], exclude: ["Goldens"]),
    .testTarget(
      name: "EvaluationTests",
      dependencies: ["Evaluation", "PoseModel", "Statistics", "TestSupport"],
      exclude: ["Goldens"]),
    .testTarget(
      name: "PoseSynthesisTests", dependencies: ["PoseSynthesis", "PoseModel", "Statistics"]),
    .testTarget(
      name: "TuningTests",
      dependencies: [
        "Tuning", "Platform", "PlankDetection", "Evaluation", "PoseModel", "Statistics",
        "TestSupport", grdb,
      ],
      exclude: ["Smoothing/Goldens"]),
    .testTarget(
      name: "AppSnippetsTests",
      dependencies: [
        "PlankDetection", "PoseRecording", "PoseDatasets", "PoseModel", "TestSupport",
      ],
      exclude: ["Thresholds/PlankThresholds.json", "Thresholds/CautiousThresholds.json"],
      // As in a new app project; Vision's types have stand-ins.
      swiftSettings: [.defaultIsolation(MainActor.self), .define("PLANKLAB_VISION_STAND_INS")]),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Reports", "Evaluation", "PlankDetection", "PoseDatasets", "PoseModel", "Statistics",
        "Tuning", "TestSupport",
      ]),
    .testTarget(
      name: "PlankBenchTests",
      dependencies: [
        "PlankBench", "Reports", "PoseDatasets", "PlankDetection", "PoseRecording",
        "PoseSynthesis", "Evaluation", "Tuning", "PoseModel", "Statistics", "TestSupport",
        "PageDetector",
        argumentParser,
      ]),
    .testTarget(
      name: "MovieTests",
      dependencies: ["PlankBench", "Reports", "PoseDatasets", "PoseModel", "TestSupport"],
      // What reads movies with Apple's frameworks, against stand-ins for them.
      swiftSettings: [.define("PLANKLAB_MOVIE_STAND_INS")]),
    .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "planklab", "planklab-benchmarks", "PoseDatasets", "PlankDetection", "PoseRecording",
        "PoseModel", "TestSupport",
      ],
      exclude: ["Goldens"]),
  ],
  swiftLanguageModes: [.v6]
)

/// The readers that are fuzzed, and what must hold of them: a test replays the corpora, and in its
/// place the fuzzer draws inputs.
let fuzzed: [Target.Dependency] = [
  "PlankBench", "Reports", "PoseDatasets", "PoseSynthesis", "PoseRecording", "PlankDetection",
  "Tuning", "Evaluation", "PoseModel", argumentParser,
]
if buildsFuzzer {
  package.targets.removeAll { $0.isTest }
  package.targets.append(
    .executableTarget(
      name: "planklab-fuzz", dependencies: fuzzed, path: "Tests/FuzzTests",
      exclude: ["CorpusTests.swift", "Corpora"]))
} else {
  package.targets.append(
    .testTarget(
      name: "FuzzTests", dependencies: fuzzed + ["Statistics"],
      exclude: ["Fuzzer.swift", "Corpora"]))
}

/// Tests run once; optimizing them costs more than it saves.
for target in package.targets where target.isTest {
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
}

/// One list of settings for every Swift target of ours.
for target in package.targets where !target.name.hasPrefix("C") {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
