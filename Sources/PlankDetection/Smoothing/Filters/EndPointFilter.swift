/// Savitzky-Golay at the end point: the polynomial of least squares through the last samples at
/// their real times, read at the newest one.
///
/// With fewer samples than the degree needs, the degree is lower. A ramp comes through without lag
/// from degree 1 on; a step overshoots. Gain of white noise: degree 1 sqrt(2 (2N - 1) / (N (N + 1))).
///
/// The fit is a sum over orthogonal polynomials on the samples' times, found by their three-term
/// recurrence (Forsythe 1957, doi 10.1137/0105007), which needs no equations solved and no memory.
struct EndPointFilter: CausalFilter {
  private let degree: Int
  private var window: SampleWindow

  /// Makes the filter for a degree of 0...3.
  init(_ length: WindowLength, degree: Int) {
    self.degree = degree
    window = SampleWindow(length)
  }

  mutating func start(_ value: Double, at time: Double) -> Double {
    window.removeAll()
    window.append(value, at: time)
    return value
  }

  mutating func update(_ value: Double, at time: Double, after interval: Double) -> Double {
    window.append(value, at: time)
    let span = time - window.time(age: window.count - 1)
    return span > 0 ? fit(scale: 1 / span) : value
  }

  /// The fitted polynomial at the newest sample; times are counted back from it and scaled to -1...0.
  private func fit(scale: Double) -> Double {
    let newest = window.time(age: 0)
    var recurrence = Recurrence()
    var result = 0.0
    for order in 0...min(degree, window.count - 1) {
      var (weighted, squares, moment) = (0.0, 0.0, 0.0)
      for age in 0..<window.count {
        let place = (window.time(age: age) - newest) * scale
        let polynomial = recurrence.value(at: place, order: order)
        weighted += polynomial * window.value(age: age)
        squares += polynomial * polynomial
        moment += place * polynomial * polynomial
      }
      result += weighted / squares * recurrence.value(at: 0, order: order)
      recurrence.extend(order, shift: moment / squares, squares: squares)
    }
    return result
  }

  /// P(0) = 1; P(k+1)(t) = (t - shift(k)) P(k)(t) - ratio(k) P(k-1)(t).
  private struct Recurrence {
    private var shifts = SIMD4<Double>()
    private var ratios = SIMD4<Double>()
    private var lastSquares = 1.0

    func value(at place: Double, order: Int) -> Double {
      var (before, value) = (0.0, 1.0)
      for index in 0..<order {
        (before, value) = (value, (place - shifts[index]) * value - ratios[index] * before)
      }
      return value
    }

    mutating func extend(_ order: Int, shift: Double, squares: Double) {
      shifts[order] = shift
      ratios[order] = order == 0 ? 0 : squares / lastSquares
      lastSquares = squares
    }
  }
}
