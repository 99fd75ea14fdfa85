package import PoseModel

/// The joints of every frame of a sequence, as a recording stores them.
package struct JointSeries: Sendable {
  /// Where each joint stands in a frame.
  package let layout: JointLayout
  /// `layout.stride` numbers a frame, NaN where missing.
  package let positions: [Float]
  /// The unit of the numbers.
  package let unit: String

  /// Makes a series; the positions are shared, not copied.
  package init(layout: JointLayout, positions: [Float], unit: String = Meters.symbol) {
    self.layout = layout
    self.positions = positions
    self.unit = unit
  }

  /// Takes the joints of a 3D recording, as recorded: pelvis positions are not turned.
  package init(_ recording: Recording) {
    self.init(layout: recording.layout, positions: recording.positions)
  }
}
