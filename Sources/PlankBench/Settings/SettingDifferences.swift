internal import PoseModel
internal import Tuning

extension Thresholds {
  /// How many settings of a stream differ; the smoothing is one of both streams.
  func differences(from other: Thresholds, _ stream: AnswerStream) -> Int {
    func variant(_ side: Thresholds) -> DetectorVariant {
      DetectorVariant(side.definition, base: side.parameters, debounce: side.debounce)
    }
    return variant(self).differences(from: variant(other), stream)
      + (smoothing == other.smoothing ? 0 : 1)
  }
}

extension BenchDetector {
  /// How many settings of a stream differ; smoothing and calibration are one each, of both streams.
  func differences(from other: BenchDetector, _ stream: AnswerStream) -> Int {
    Thresholds(self).differences(from: Thresholds(other), stream)
      + (calibrating == other.calibrating ? 0 : 1)
  }
}
