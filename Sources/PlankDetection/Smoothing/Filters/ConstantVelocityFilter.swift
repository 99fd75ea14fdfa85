/// A Kalman filter of a point at constant velocity, pushed by white acceleration.
///
/// F = [1 dt; 0 1], Q = q [dt^3/3 dt^2/2; dt^2/2 dt], H = [1 0], R = s^2. Starts at the first
/// sample with velocity 0, variances R and R / (0.1 s)^2. Everything is divided by R, so that only
/// q / s^2 matters; the output is the filtered position.
struct ConstantVelocityFilter: CausalFilter {
  /// How well the velocity is known at the start: to one standard deviation of a sample in 0.1 s.
  static let initialTime = 0.1

  private let intensity: Double
  private var position = 0.0
  private var velocity = 0.0
  private var positionVariance = 1.0
  private var covariance = 0.0
  private var velocityVariance = 1 / (Self.initialTime * Self.initialTime)

  /// Makes the filter from the density of the acceleration and the deviation of a sample.
  init(processNoise: Double, measurementNoise: Double) {
    intensity = processNoise / (measurementNoise * measurementNoise)
  }

  mutating func start(_ value: Double, at time: Double) -> Double {
    position = value
    velocity = 0
    positionVariance = 1
    covariance = 0
    velocityVariance = 1 / (Self.initialTime * Self.initialTime)
    return value
  }

  mutating func update(_ value: Double, at time: Double, after interval: Double) -> Double {
    predict(interval)
    let residual = value - position
    let scale = 1 / (positionVariance + 1)
    let (gain, velocityGain) = (positionVariance * scale, covariance * scale)
    position += gain * residual
    velocity += velocityGain * residual
    velocityVariance -= velocityGain * covariance
    positionVariance *= 1 - gain
    covariance *= 1 - gain
    return position
  }

  private mutating func predict(_ interval: Double) {
    let square = interval * interval
    position += velocity * interval
    positionVariance +=
      2 * interval * covariance + square * velocityVariance + intensity * square * interval / 3
    covariance += interval * velocityVariance + intensity * square / 2
    velocityVariance += intensity * interval
  }
}
