package import PoseModel

extension LabeledSegment {
  /// A segment between two moments in seconds; without a class to be ignored.
  package init(_ start: Double, _ end: Double, _ plank: PlankClass?, _ form: FormClass? = nil) {
    self.init(start: Seconds(start), end: Seconds(end), plank: plank, form: form)
  }
}
