/// How late a smoother is, in seconds, at the dataset's frame rate.
package struct SmootherDelay: Hashable, Sendable {
  /// Behind the measurements where planks begin, end and change; undefined without any.
  package let entries: MetricValue
  /// Behind a smooth movement of 0.3 units within a second, without noise.
  package let movement: MetricValue
  /// To half of a jump of 0.3 units.
  package let halfTime: MetricValue
  /// To nine tenths of it.
  package let ninetyTime: MetricValue
  /// How far it goes beyond the jump, as a share.
  package let overshoot: MetricValue
  /// Behind a slow, a brisk and a fast ramp: 0.05, 0.3 and 1.5 units a second.
  package let ramps: [MetricValue]
  /// What theory says of slow movements; undefined where the smoother is not linear.
  package let groupDelay: MetricValue
  /// What it leaves of white noise, in theory where linear, else by 20,000 samples.
  package let whiteGain: MetricValue
  /// What it leaves of noise with a lag-one correlation of 0.95, by 20,000 samples.
  package let coloredGain: MetricValue

  /// Makes the numbers.
  package init(
    entries: MetricValue, movement: MetricValue, halfTime: MetricValue, ninetyTime: MetricValue,
    overshoot: MetricValue, ramps: [MetricValue], groupDelay: MetricValue,
    whiteGain: MetricValue, coloredGain: MetricValue
  ) {
    self.entries = entries
    self.movement = movement
    self.halfTime = halfTime
    self.ninetyTime = ninetyTime
    self.overshoot = overshoot
    self.ramps = ramps
    self.groupDelay = groupDelay
    self.whiteGain = whiteGain
    self.coloredGain = coloredGain
  }

  /// The lag at entries, else that of the smooth movement.
  package var lag: MetricValue { entries.number == nil ? movement : entries }
}
