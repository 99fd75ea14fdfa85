internal import ParameterTuning

/// What evaluates cells, as a user asks for it.
package enum EngineChoice: String, CaseIterable, Hashable, Sendable {
  /// The bit-parallel engine where it can express the experiment, else the streaming detector.
  case auto
  /// 64 frames a word and eight cells side by side.
  case bitParallel = "bit-parallel"
  /// The production rules and debounce, frame by frame.
  case streaming

  /// The engine of a sweep.
  var sweepEngine: SweepEngine {
    switch self {
    case .auto: .automatic
    case .bitParallel: .bitParallel
    case .streaming: .streaming
    }
  }
}
