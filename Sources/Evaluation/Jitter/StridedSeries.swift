/// One signal within storage that holds several: one to three numbers a frame.
struct StridedSeries {
  /// The storage.
  let values: [Float]
  /// The position of the first number in frame 0.
  let offset: Int
  /// Numbers from one frame to the next.
  let stride: Int
  /// Numbers of the signal in one frame.
  let dimension: Int
  /// The numbers of a full turn where the signal is an angle.
  let period: Double?

  /// The signal in a frame, unused axes 0; nil where any number is missing or not finite.
  func sample(_ frame: Int) -> SIMD3<Double>? {
    let start = frame * stride + offset
    var result = SIMD3(Double(values[start]), 0, 0)
    if dimension > 1 { result.y = Double(values[start + 1]) }
    if dimension > 2 { result.z = Double(values[start + 2]) }
    // A sum of finite numbers of Float's range is finite in Double; any other is not.
    return result.sum().isFinite ? result : nil
  }
}
