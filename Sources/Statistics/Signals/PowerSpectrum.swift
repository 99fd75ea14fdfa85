internal import CGSL

/// A one-sided power spectral density at even frequencies, by Welch's method.
///
/// The samples are cut into segments that overlap by half (the next one starts N - N/2 samples
/// later). Each segment loses its least-squares line, is weighted by a periodic Hann window w_n =
/// (1 - cos(2 pi n / N)) / 2 and transformed; S_k = 2 |X_k|^2 / (f_s sum w^2), without the 2 at 0
/// and, for even N, at f_s / 2. The mean over segments is the density, in squared units per hertz:
/// its sum times the step is the variance about the lines. Samples after the last full segment are
/// not used.
///
/// - Source: Welch (1967), IEEE Trans. Audio Electroacoust. 15(2):70; equal to
///   `scipy.signal.welch(x, fs, window="hann", nperseg=N, detrend="linear")`.
package struct PowerSpectrum: Hashable, Sendable {
  package let frequencyStep: Double
  package private(set) var densities: [Double]
  package private(set) var segmentCount: Int

  /// `rate` is positive, `segmentLength` (N) at least 4.
  ///
  /// Nil for fewer samples than one segment and for a NaN or an infinity. O(samples log N).
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

  /// The power between two frequencies: the sum of densities times the step, bounds included.
  package func power(from low: Double, to high: Double) -> Double {
    let slack = frequencyStep * 1e-9
    return zip(frequencies, densities).reduce(0) { sum, point in
      point.0 >= low - slack && point.0 <= high + slack ? sum + point.1 * frequencyStep : sum
    }
  }

  /// Densities become the mean over all segments.
  ///
  /// Precondition: both have the same frequencies.
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
  /// The values minus their line, whose slope is sum (n - mean n)(x_n - mean x) / sum (n - mean
  /// n)^2; all 0 for fewer than three.
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

/// X_k = sum over n of x_n exp(-2 pi i k n / N); |X_k|^2 is returned for k = 0...N/2, and the
/// others are mirror images.
///
/// One plan serves any number of transforms of its length; it belongs to one task. Source: GNU
/// Scientific Library 2.7, `gsl_fft_real_transform` (mixed radix, after FFTPACK).
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
  /// Precondition: as many samples as `length`, all finite. O(N log N) if the prime factors of N
  /// are small.
  package func squaredMagnitudes(of samples: [Double]) -> [Double] {
    precondition(samples.count == length, "a transform takes \(length) samples")
    var packed = samples
    let status = packed.withUnsafeMutableBufferPointer { buffer in
      gsl_fft_real_transform(buffer.baseAddress, 1, length, wavetable, workspace)
    }
    precondition(status == 0, "a transform of finite samples has no error")
    // Packed as r0, r1, i1, r2, i2, ...; an even length ends with the real r(N/2).
    return (0...length / 2).map { k in
      guard k > 0 else { return packed[0] * packed[0] }
      let real = packed[2 * k - 1]
      let imaginary = 2 * k < length ? packed[2 * k] : 0
      return real * real + imaginary * imaginary
    }
  }
}
