package import PoseModel

/// One value for each stream: that of the planks and that of the form.
package struct PerStream<Value> {
  /// The value of the plank stream.
  package var plank: Value
  /// The value of the form stream.
  package var form: Value

  /// Takes both values.
  package init(plank: Value, form: Value) {
    self.plank = plank
    self.form = form
  }

  /// Makes the value of each stream, first that of the planks.
  package init<Failure: Error>(
    _ value: (AnswerStream) throws(Failure) -> Value
  ) throws(Failure) {
    plank = try value(.plank)
    form = try value(.form)
  }

  /// The value of a stream.
  package subscript(stream: AnswerStream) -> Value {
    get { stream == .plank ? plank : form }
    set {
      switch stream {
      case .plank: plank = newValue
      case .form: form = newValue
      }
    }
  }

  /// The values in the order of the streams.
  package var all: [Value] { [plank, form] }

  /// Another value for each stream.
  package func map<Other, Failure: Error>(
    _ transform: (Value) throws(Failure) -> Other
  ) throws(Failure) -> PerStream<Other> {
    PerStream<Other>(plank: try transform(plank), form: try transform(form))
  }
}

extension PerStream: Sendable where Value: Sendable {}
extension PerStream: Equatable where Value: Equatable {}
extension PerStream: Hashable where Value: Hashable {}
extension PerStream: Encodable where Value: Encodable {}
extension PerStream: Decodable where Value: Decodable {}
