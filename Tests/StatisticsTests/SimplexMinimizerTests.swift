import Statistics
import Testing

@Suite("Simplex minimizer")
struct SimplexMinimizerTests {
  @Test("It finds the bottom of a bowl", arguments: [[0.0, 0], [5, -7], [-3, 100]])
  func bowl(start: [Double]) {
    let minimum = SimplexMinimizer(tolerance: 1e-4, maximumSteps: 500)
      .minimize(from: start, stepSizes: [1, 1]) { point in
        let (x, y) = (point[0] - 1, point[1] + 2)
        return x * x + 3 * y * y + 4
      }
    #expect(minimum.isConverged)
    #expect(abs(minimum.point[0] - 1) < 1e-3 && abs(minimum.point[1] + 2) < 1e-3)
    #expect(abs(minimum.value - 4) < 1e-5)
  }

  @Test("It follows Rosenbrock's curved valley")
  func valley() {
    let minimum = SimplexMinimizer(tolerance: 1e-6, maximumSteps: 1000)
      .minimize(from: [-1.2, 1], stepSizes: [0.5, 0.5]) { point in
        let (a, b) = (1 - point[0], point[1] - point[0] * point[0])
        return a * a + 100 * b * b
      }
    #expect(abs(minimum.point[0] - 1) < 1e-3 && abs(minimum.point[1] - 1) < 1e-3)
  }

  @Test("Where a function has no number it is very large")
  func notFinite() {
    let minimum = SimplexMinimizer(tolerance: 1e-6).minimize(from: [2], stepSizes: [0.5]) {
      $0[0] < 1 ? .nan : $0[0]
    }
    #expect(abs(minimum.point[0] - 1) < 1e-3)
  }

  @Test("Out of steps, it says that it did not converge")
  func steps() {
    let minimum = SimplexMinimizer(tolerance: 1e-12, maximumSteps: 3)
      .minimize(from: [9, 9], stepSizes: [1, 1]) { $0[0] * $0[0] + $0[1] * $0[1] }
    #expect(!minimum.isConverged && minimum.steps == 3)
  }
}
