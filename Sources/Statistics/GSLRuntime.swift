internal import CGSL

/// The state of the GNU Scientific Library that this module relies on.
enum GSLRuntime {
  /// Whether the library's error handler, which aborts the process, is switched off.
  ///
  /// The handler is one pointer for the whole process: it is set once, before the first call.
  /// Every caller checks its arguments first, because functions without a status return made-up
  /// numbers for bad ones.
  static let isReady: Bool = {
    gsl_set_error_handler_off()
    return true
  }()
}
