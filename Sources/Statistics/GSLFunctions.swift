internal import CGSL

enum GSLRuntime {
  /// GSL's error handler, which aborts the process, is one pointer for the whole process; it is set
  /// once, before the first call.
  ///
  /// Every caller checks its arguments first.
  static let isReady: Bool = {
    gsl_set_error_handler_off()
    return true
  }()
}

/// The exponential and its inverse, for modules that import no math library.
package enum Exponential {
  package static func exp(_ value: Double) -> Double { exponential(value) }

  package static func log(_ value: Double) -> Double { logarithm(value) }
}

// C's functions, named here where the type's own do not hide them. `CGSL.exp` would find them on
// Linux alone: elsewhere they belong to a module of the system.
private func exponential(_ value: Double) -> Double { exp(value) }
private func logarithm(_ value: Double) -> Double { log(value) }

enum Normal {
  static func cumulative(_ z: Double) -> Double { gsl_cdf_ugaussian_P(z) }

  static func quantile(_ probability: Double) -> Double { gsl_cdf_ugaussian_Pinv(probability) }
}

package enum StudentT {
  /// `freedom` is positive.
  package static func cumulative(_ t: Double, freedom: Double) -> Double {
    gsl_cdf_tdist_P(t, freedom)
  }

  package static func quantile(_ probability: Double, freedom: Double) -> Double {
    gsl_cdf_tdist_Pinv(probability, freedom)
  }
}
