/// How still one signal is while a plank is held.
package struct JitterRow: Hashable, Sendable {
  /// The signal.
  package let signal: JitterSignal
  /// sqrt(mean |x(i+1) - x(i)|^2) over the pairs, in the signal's unit.
  ///
  /// White noise of standard deviation s an axis in d axes gives s sqrt(2 d).
  package let rmsStep: MetricValue
  /// 1.4826 times the median distance from each hold's median, pooled over holds, in the
  /// signal's unit; for joints the root of the sum of squares over the axes.
  package let robustSpread: MetricValue
  /// The mean |second difference| over the triples, in the signal's unit per s^2.
  ///
  /// On uneven time 2 ((x3 - x2)/(t3 - t2) - (x2 - x1)/(t2 - t1)) / (t3 - t1), which is
  /// (x3 - 2 x2 + x1)/h^2 on even time.
  package let acceleration: MetricValue
  /// How many frames of holds have a value.
  package let frames: Int
  /// How many pairs of consecutive valid frames at most 0.5 s apart there are.
  package let pairs: Int
  /// How many triples of such frames there are.
  package let triples: Int
  /// How many holds have a value.
  package let holds: Int

  /// The unit of the accelerations.
  package var accelerationUnit: String {
    signal.unit == "-" ? "1/s^2" : signal.unit + "/s^2"
  }
}
