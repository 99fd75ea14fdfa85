internal import CGSL

/// The state of the GNU Scientific Library that this module relies on.
enum GSLRuntime {
  /// Whether the library's error handler, which aborts the process, is switched off.
  ///
  /// The handler is one pointer for the whole process; it is set once, before the first call. Every
  /// caller checks its arguments first, because functions without a status return made-up numbers
  /// for bad arguments.
  static let isReady: Bool = {
    gsl_set_error_handler_off()
    return true
  }()
}

/// The exponential and its inverse, for modules that import no math library.
package enum Exponential {
  /// e^x.
  package static func exp(_ value: Double) -> Double { exponential(value) }

  /// The natural logarithm; minus infinity for 0, NaN for a negative number.
  package static func log(_ value: Double) -> Double { logarithm(value) }
}

// C's functions, named here where the type's own do not hide them. `CGSL.exp` would find them on
// Linux alone: elsewhere they belong to a module of the system.
private func exponential(_ value: Double) -> Double { exp(value) }
private func logarithm(_ value: Double) -> Double { log(value) }

/// The standard normal distribution.
enum Normal {
  /// The probability of a value up to z.
  static func cumulative(_ z: Double) -> Double { gsl_cdf_ugaussian_P(z) }

  /// The value below which a given probability lies, for probabilities within 0...1.
  static func quantile(_ probability: Double) -> Double { gsl_cdf_ugaussian_Pinv(probability) }
}

/// Student's t distribution.
package enum StudentT {
  /// The probability of a value up to t.
  ///
  /// - Parameter freedom: degrees of freedom, positive.
  package static func cumulative(_ t: Double, freedom: Double) -> Double {
    gsl_cdf_tdist_P(t, freedom)
  }

  /// The value below which a given probability lies, for probabilities within 0...1.
  package static func quantile(_ probability: Double, freedom: Double) -> Double {
    gsl_cdf_tdist_Pinv(probability, freedom)
  }
}

/// The chi-squared distribution.
enum ChiSquared {
  /// The value below which a given probability lies, for probabilities within 0...1.
  ///
  /// - Parameter freedom: degrees of freedom, positive.
  static func quantile(_ probability: Double, freedom: Double) -> Double {
    gsl_cdf_chisq_Pinv(probability, freedom)
  }
}
