package import PoseModel

extension LabeledSegment {
  /// A segment from one second to another; without a class its frames are ignored.
  package init(
    _ start: Double, _ end: Double, _ plank: PlankClass?, _ form: FormClass? = nil
  ) {
    self.init(start: Seconds(start), end: Seconds(end), plank: plank, form: form)
  }
}
