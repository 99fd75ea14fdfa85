internal import PoseModel

/// The joints of a frame after smoothing: three numbers a joint in the axes of evaluation.
struct JointSmoother: Sendable {
  private var chain: FilterChain
  private var samples: [Double]

  /// Makes a smoother of a strategy's steps on joints.
  init(_ strategy: SmoothingStrategy) {
    let count = strategy.steps(on: .joints).isEmpty ? 0 : JointLayout.full.stride
    chain = FilterChain(strategy.steps(on: .joints), channels: count)
    samples = Array(repeating: .nan, count: count)
  }

  /// Whether joints stay as they are.
  var isEmpty: Bool { chain.isEmpty }

  /// Smooths a frame's joints and hands over a reader of the result.
  mutating func smooth(
    _ joints: JointReader, at time: Double, _ body: (JointReader) -> Void
  ) {
    samples.withUnsafeMutableBufferPointer { samples in
      guard let samples = samples.baseAddress else { return }
      for (index, joint) in Joint.allCases.enumerated() {
        let position = joints[joint]
        samples[3 * index] = position.x
        samples[3 * index + 1] = position.y
        samples[3 * index + 2] = position.z
      }
      chain.update(samples, at: time)
      body(JointReader(smoothed: samples))
    }
  }

  /// Forgets the past.
  mutating func reset() { chain.reset() }
}
