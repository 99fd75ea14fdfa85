package import PoseModel

package struct PerStream<Value> {
  package var plank: Value
  package var form: Value

  package init(plank: Value, form: Value) {
    self.plank = plank
    self.form = form
  }

  package init<Failure: Error>(
    _ value: (AnswerStream) throws(Failure) -> Value
  ) throws(Failure) {
    plank = try value(.plank)
    form = try value(.form)
  }

  package subscript(stream: AnswerStream) -> Value {
    get { stream == .plank ? plank : form }
    set {
      switch stream {
      case .plank: plank = newValue
      case .form: form = newValue
      }
    }
  }

  package var all: [Value] { [plank, form] }

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
