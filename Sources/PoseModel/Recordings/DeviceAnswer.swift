/// The answer that the device itself gave while it recorded.
public struct DeviceAnswer: Hashable, Sendable {
  /// The plank class, or nil where the device gave none.
  public var plank: PlankClass?
  /// The form class, or nil where the device gave none.
  public var form: FormClass?

  /// Makes an answer.
  public init(plank: PlankClass?, form: FormClass?) {
    self.plank = plank
    self.form = form
  }
}
