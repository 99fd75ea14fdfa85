internal import CGSL

/// The exponential and its inverse, for modules that import no math library.
package enum Exponential {
  /// e^x.
  package static func exp(_ value: Double) -> Double { CGSL.exp(value) }

  /// The natural logarithm; of 0 minus infinity, of a negative number NaN.
  package static func log(_ value: Double) -> Double { CGSL.log(value) }
}
