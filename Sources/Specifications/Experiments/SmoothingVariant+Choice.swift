package import ParameterTuning
package import Smoothing

extension SmoothingVariant {
  /// A smoothing as one value of an experiment's axis, named by its text form.
  package init(_ choice: SmoothingChoice) {
    self.init(name: choice.text) { recording, detector in choice.measure(recording, detector) }
  }
}
