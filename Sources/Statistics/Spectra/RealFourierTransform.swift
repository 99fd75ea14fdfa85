internal import CGSL

/// The discrete Fourier transform of real samples of any length.
///
/// X_k = sum over n of x_n exp(-2 pi i k n / N), of which |X_k|^2 is given for k = 0...N/2; the
/// others are mirror images. One plan serves any number of transforms of its length; it belongs
/// to one task.
///
/// - Source: GNU Scientific Library 2.7, `gsl_fft_real_transform` (mixed radix, after FFTPACK).
package final class RealFourierTransform {
  /// How many samples a transform takes.
  package let length: Int
  private let wavetable: UnsafeMutablePointer<gsl_fft_real_wavetable>
  private let workspace: UnsafeMutablePointer<gsl_fft_real_workspace>

  /// Plans transforms of a length.
  ///
  /// - Precondition: the length is at least 1.
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

  /// The squared magnitudes |X_k|^2 for k = 0...N/2.
  ///
  /// - Precondition: as many samples as `length`, all finite.
  /// - Complexity: O(N log N) where the prime factors of N are small.
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
