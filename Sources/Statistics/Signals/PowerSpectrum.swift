internal import CGSL

/// A one-sided power spectral density at evenly spaced frequencies, by Welch's method.
///
/// The samples are cut into segments of N samples that overlap by half: the next segment starts
/// N - N/2 samples later. The least-squares line of each segment is subtracted; the rest is
/// weighted by a periodic Hann window w_n = (1 - cos(2 pi n / N)) / 2 and transformed.
/// S_k = 2 |X_k|^2 / (f_s sum w^2), without the 2 at 0 and, for even N, at f_s / 2. The mean of S_k
/// over segments is the density, in squared units per hertz: the sum of all densities times the
/// frequency step is the variance about the lines. Samples after the last full segment are not
/// used.
///
/// - Source: Welch (1967), IEEE Trans. Audio Electroacoust. 15(2):70; equal to
///   `scipy.signal.welch(x, fs, window="hann", nperseg=N, detrend="linear")`.
package struct PowerSpectrum: Hashable, Sendable {
  package let frequencyStep: Double
  package private(set) var densities: [Double]
  package private(set) var segmentCount: Int

  /// Computes the spectrum of samples at `rate` hertz in segments of N = `segmentLength` samples.
  ///
  /// `rate` is positive, and N is at least 4. The result is nil if there are fewer samples than one
  /// segment or a sample is not finite. O(samples log N).
  package init?(_ samples: [Double], rate: Double, segmentLength: Int) {
    precondition(rate > 0 && segmentLength >= 4, "a spectrum needs a rate and four samples")
    guard samples.count >= segmentLength, samples.allSatisfy(\.isFinite) else { return nil }
    let transform = RealFourierTransform(length: segmentLength)
    let window = Self.hann(segmentLength)
    let windowPower = window.reduce(0) { $0 + $1 * $1 }
    var sums = [Double](repeating: 0, count: segmentLength / 2 + 1)
    var count = 0
    var start = 0
    while start + segmentLength <= samples.count {
      let segment = Array(samples[start..<start + segmentLength])
      let weighed = zip(LineFit.residuals(of: segment), window).map { $0 * $1 }
      for (k, power) in transform.squaredMagnitudes(of: weighed).enumerated() { sums[k] += power }
      count += 1
      start += segmentLength - segmentLength / 2
    }
    let scale = 1 / (rate * windowPower * Double(count))
    frequencyStep = rate / Double(segmentLength)
    densities = sums.enumerated().map { k, sum in
      let isUnpaired = k == 0 || 2 * k == segmentLength
      return sum * scale * (isUnpaired ? 1 : 2)
    }
    segmentCount = count
  }

  package var frequencies: [Double] { densities.indices.map { Double($0) * frequencyStep } }

  /// Returns the sum of the densities from `low` to `high`, inclusive, times the frequency step.
  package func power(from low: Double, to high: Double) -> Double {
    let slack = frequencyStep * 1e-9
    return zip(frequencies, densities).reduce(0) { sum, point in
      point.0 >= low - slack && point.0 <= high + slack ? sum + point.1 * frequencyStep : sum
    }
  }

  /// Pools two spectra: the densities become means over the segments of both.
  ///
  /// Precondition: both spectra have the same frequencies.
  package static func += (left: inout PowerSpectrum, right: PowerSpectrum) {
    precondition(left.hasFrequencies(of: right), "spectra of equal frequencies are pooled")
    let total = Double(left.segmentCount + right.segmentCount)
    for k in left.densities.indices {
      left.densities[k] =
        (left.densities[k] * Double(left.segmentCount)
          + right.densities[k] * Double(right.segmentCount)) / total
    }
    left.segmentCount += right.segmentCount
  }

  package func hasFrequencies(of other: PowerSpectrum) -> Bool {
    densities.count == other.densities.count
      && abs(frequencyStep - other.frequencyStep) <= 1e-3 * frequencyStep
  }

  private static func hann(_ length: Int) -> [Double] {
    (0..<length).map { n in 0.5 - 0.5 * cos(2 * .pi * Double(n) / Double(length)) }
  }
}

package enum LineFit {
  /// Returns the values minus their least-squares line; all 0 for fewer than three values.
  ///
  /// The slope of the line is sum (n - mean n)(x_n - mean x) / sum (n - mean n)^2.
  package static func residuals(of values: [Double]) -> [Double] {
    guard values.count > 2 else { return values.map { _ in 0 } }
    let count = Double(values.count)
    let middle = (count - 1) / 2
    let mean = values.reduce(0, +) / count
    var product = 0.0
    for (n, value) in values.enumerated() { product += (Double(n) - middle) * (value - mean) }
    let slope = product / (count * (count * count - 1) / 12)
    return values.enumerated().map { n, value in value - mean - slope * (Double(n) - middle) }
  }
}

/// The discrete Fourier transform of real samples: X_k = sum over n of x_n exp(-2 pi i k n / N).
///
/// Only k = 0...N/2 is computed, because the other values mirror these. One plan serves any number
/// of transforms of its length; it belongs to one task. Source: GNU Scientific Library 2.7,
/// `gsl_fft_real_transform` (mixed radix, after FFTPACK).
package final class RealFourierTransform {
  package let length: Int
  private let wavetable: UnsafeMutablePointer<gsl_fft_real_wavetable>
  private let workspace: UnsafeMutablePointer<gsl_fft_real_workspace>

  package init(length: Int) {
    precondition(GSLRuntime.isReady && length > 0, "a transform takes samples")
    guard let wavetable = gsl_fft_real_wavetable_alloc(length),
      let workspace = gsl_fft_real_workspace_alloc(length)
    else { preconditionFailure("no memory for a transform of \(length) samples") }
    self.length = length
    self.wavetable = wavetable
    self.workspace = workspace
  }

  deinit {
    gsl_fft_real_wavetable_free(wavetable)
    gsl_fft_real_workspace_free(workspace)
  }

  /// |X_k|^2 for k = 0...N/2.
  ///
  /// Precondition: there are `length` samples, all finite. O(N log N) if the prime factors of N are
  /// small.
  package func squaredMagnitudes(of samples: [Double]) -> [Double] {
    precondition(samples.count == length, "a transform takes \(length) samples")
    var packed = samples
    let status = packed.withUnsafeMutableBufferPointer { buffer in
      gsl_fft_real_transform(buffer.baseAddress, 1, length, wavetable, workspace)
    }
    precondition(status == 0, "a transform of finite samples has no error")
    // GSL packs r0, r1, i1, r2, i2 and so on; an even length ends with r(N/2), which is real.
    return (0...length / 2).map { k in
      guard k > 0 else { return packed[0] * packed[0] }
      let real = packed[2 * k - 1]
      let imaginary = 2 * k < length ? packed[2 * k] : 0
      return real * real + imaginary * imaginary
    }
  }
}

/// The overlapping Allan variance of evenly sampled values, as sums that can be pooled.
///
/// With means over m samples, y_k = (x_k + ... + x_(k+m-1)) / m, the variance at the averaging time
/// m / f_s is half the mean of (y_(k+m) - y_k)^2 over all k. In a log-log plot, the square root of
/// the variance falls with slope -1/2 for white noise, is level for flicker noise, and rises with
/// slope +1/2 for a random walk; averaging beyond its minimum does not help. Source: Allan (1966),
/// Proc. IEEE 54(2):221; Howe, Allan and Barnes (1981), the overlapping estimator. The square root
/// of the variance equals `allantools.oadev(x, rate, data_type="freq")`.
package struct AllanVariance: Hashable, Sendable {
  package let squares: Double
  package let count: Int

  /// Computes the variance of means over m values in O(values).
  ///
  /// The result is nil if there are fewer than 2 m values or a value is not finite.
  package init?(_ values: [Double], averaging m: Int) {
    precondition(m > 0, "an average is over at least one sample")
    guard values.count >= 2 * m, values.allSatisfy(\.isFinite) else { return nil }
    self.init(runningSums: Self.runningSums(values), averaging: m)
  }

  /// Returns the variances of means over 1, 2, 4 and so on values, in O(values log values).
  ///
  /// The longest mean is over at most a quarter of the values. There are no results if a value is
  /// not finite.
  package static func octaves(of values: [Double]) -> [(averaging: Int, variance: AllanVariance)] {
    guard values.allSatisfy(\.isFinite) else { return [] }
    let sums = runningSums(values)
    return sequence(first: 1) { 2 * $0 }.prefix { 4 * $0 <= values.count }
      .map { (averaging: $0, variance: AllanVariance(runningSums: sums, averaging: $0)) }
  }

  private init(runningSums sums: [Double], averaging m: Int) {
    let sums = sums.span
    func mean(_ k: Int) -> Double { (sums[k + m] - sums[k]) / Double(m) }
    count = sums.count - 2 * m
    var squares = 0.0
    for k in 0..<count {
      let difference = mean(k + m) - mean(k)
      squares += difference * difference
    }
    self.squares = squares
  }

  private static func runningSums(_ values: [Double]) -> [Double] {
    var sum = 0.0
    var sums = [sum]
    sums.reserveCapacity(values.count + 1)
    for value in values {
      sum += value - values[0]
      sums.append(sum)
    }
    return sums
  }
}

/// A filter with a Gaussian window, centered on each sample of an evenly spaced series.
///
/// The kernel is exp(-n^2 / (2 s^2)) for n = -m...m, normalized to sum 1, where s is the deviation
/// in samples and m is 3 s rounded up. Beyond the ends, the first and last samples are repeated.
package struct CenteredGaussian: Sendable {
  private let deviation: Double

  package init(deviationInSamples deviation: Double) {
    precondition(deviation > 0 && deviation.isFinite, "a window has a width")
    self.deviation = deviation
  }

  package func smooth(_ series: [Double]) -> [Double] {
    let half = max(1, Int((3 * deviation).rounded(.up)))
    let size = 2 * half + 1
    guard !series.isEmpty else { return [] }
    guard GSLRuntime.isReady, let workspace = gsl_filter_gaussian_alloc(size) else {
      preconditionFailure("GSL has no memory for a window of \(size) samples")
    }
    defer { gsl_filter_gaussian_free(workspace) }
    var input = series
    var output = series
    let alpha = Double(size - 1) / (2 * deviation)
    let status = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var source = gsl_vector_view_array(input.baseAddress, input.count)
        var target = gsl_vector_view_array(output.baseAddress, output.count)
        return gsl_filter_gaussian(
          GSL_FILTER_END_PADVALUE, alpha, 0, &source.vector, &target.vector, workspace)
      }
    }
    precondition(status == 0, "GSL refused a window of \(size) samples")
    return output
  }
}

package enum UniformResampling {
  /// The largest deviation of an interval from the step, as a fraction of the step.
  ///
  /// Within this limit, values count as evenly spaced and are left unchanged, because interpolation
  /// would smooth their noise.
  package static let evenness = 0.02

  /// Interpolates values linearly at times one step apart, from the first to the last time.
  ///
  /// If all intervals are within 2 % of the step, the values are returned unchanged. Interpolated
  /// white noise loses up to half of its variance, so a spectrum of such data should be shown with
  /// the jitter of its clock. A grid of 1,000 points per value or more means that a clock jumped
  /// between two values; the result is then empty. `times` strictly increase. O(values + grid).
  package static func values(_ values: [Double], at times: [Double], step: Double) -> [Double] {
    precondition(values.count == times.count && step > 0, "one time a value, and a step")
    guard let first = times.first, let last = times.last, times.count > 1 else { return values }
    if isEven(times, step: step) { return values }
    let steps = ((last - first) / step + 1e-9).rounded(.down)
    guard steps < mostPerValue * Double(values.count) else { return [] }
    let grid = (0...Int(steps)).map { min(first + Double($0) * step, last) }
    return interpolated(values, at: times, onto: grid)
  }

  /// Interpolates values linearly at the times of `grid`, which increase as `times` do.
  ///
  /// Before the first and after the last time, the values are those at that time.
  package static func interpolated(
    _ values: [Double], at times: [Double], onto grid: [Double]
  ) -> [Double] {
    var right = 1
    return grid.map { time in
      while right + 1 < times.count, times[right] < time { right += 1 }
      let (start, end) = (times[right - 1], times[right])
      let share = min(1, max(0, (time - start) / (end - start)))
      return values[right - 1] + share * (values[right] - values[right - 1])
    }
  }

  private static let mostPerValue = 1000.0

  package static func isEven(_ times: [Double], step: Double) -> Bool {
    zip(times.dropFirst(), times).allSatisfy { abs($0 - $1 - step) <= evenness * step }
  }
}

/// Measures how smooth the speed of one movement is.
///
/// Both measures are meant for discrete movements, from rest to rest; on a static hold, they
/// describe the noise.
package enum MovementSmoothness {
  /// Returns the spectral arc length (SPARC): at most 0, and more negative for less smooth
  /// movement.
  ///
  /// The curve is the magnitude spectrum of the speed, zero-padded to 2^(ceil(log2 n) + 4) samples
  /// and divided by its greatest magnitude. It runs from the first to the last frequency up to 10
  /// Hz with a magnitude of at least 0.05. The result is minus the arc length of that curve, with
  /// the frequency scaled to 0...1 over that stretch.
  ///
  /// - Returns: nil for fewer than two samples, for a sample that is not finite, for a rate that is
  ///   not positive, for a profile that is 0 throughout, and if fewer than two frequencies are
  ///   left.
  /// - Source: Balasubramanian, Melendez-Calderon, Roby-Brami and Burdet (2015), J NeuroEng
  ///   Rehabil 12:112.
  package static func spectralArcLength(speed: [Double], rate: Double) -> Double? {
    guard speed.count > 1, speed.allSatisfy(\.isFinite), rate > 0 else { return nil }
    let length = paddedLength(speed.count)
    let padded = speed + Array(repeating: 0, count: length - speed.count)
    let magnitudes = RealFourierTransform(length: length).squaredMagnitudes(of: padded)
      .map { $0.squareRoot() }
    guard let greatest = magnitudes.max(), greatest > 0 else { return nil }
    let step = rate / Double(length)
    let low = magnitudes.enumerated().prefix { Double($0.offset) * step <= cutoff }
      .map { $0.element / greatest }
    guard let first = low.firstIndex(where: { $0 >= leastMagnitude }),
      let last = low.lastIndex(where: { $0 >= leastMagnitude }), last > first
    else { return nil }
    let part = low[first...last]
    let width = 1 / Double(last - first)
    return -zip(part.dropFirst(), part).reduce(0) { sum, pair in
      let rise = pair.0 - pair.1
      return sum + (width * width + rise * rise).squareRoot()
    }
  }

  /// Returns the log dimensionless jerk (LDLJ) of a speed profile: more negative is less smooth.
  ///
  /// The number is -ln((T^3 / v_peak^2) sum |second difference / dt^2|^2 dt) with dt = 1 / rate and
  /// T = n dt.
  ///
  /// - Returns: nil for fewer than three samples, for a sample that is not finite, for a rate that
  ///   is not positive, for a profile without movement, and for one without any jerk, whose
  ///   logarithm is unbounded.
  /// - Source: Hogan and Sternad (2009), J Mot Behav 41(6):529; Balasubramanian et al. (2012),
  ///   IEEE Trans Biomed Eng 59(8):2126.
  package static func logDimensionlessJerk(speed: [Double], rate: Double) -> Double? {
    guard speed.count > 2, speed.allSatisfy(\.isFinite), rate > 0 else { return nil }
    let peak = speed.reduce(0) { max($0, abs($1)) }
    var squares = 0.0
    for i in 2..<speed.count {
      let jerk = (speed[i] - 2 * speed[i - 1] + speed[i - 2]) * rate * rate
      squares += jerk * jerk
    }
    guard peak > 0, squares > 0 else { return nil }
    let duration = Double(speed.count) / rate
    return -log(duration * duration * duration / (peak * peak) * squares / rate)
  }

  private static let cutoff = 10.0
  private static let leastMagnitude = 0.05

  private static func paddedLength(_ count: Int) -> Int {
    var length = 1
    while length < count { length *= 2 }
    return 16 * length
  }
}
