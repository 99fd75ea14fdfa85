import Foundation
import PoseModel

extension Benchmarks {
  /// The sweep's kernel in C beside its twin in Swift, a stream each; unequal answers fail.
  static func kernels(frames: Int) {
    for stream in AnswerStream.allCases {
      let edges = KernelBenchmark(edgesOf: stream, frames: frames)
      agree(edges.compare(rounds: 1, repeats: 1), stream)
      let rows = KernelBenchmark(stream, frames: frames).compare(rounds: 31, repeats: 3)
      for row in rows {
        let ratios = rows.map { "\(rounded(row.nanoseconds / $0.nanoseconds, 100))x \($0.name)" }
        print(
          "kernel, \(stream.rawValue), \(row.name): \(rounded(row.nanoseconds, 1000)) ns a cell and frame "
            + "(\(ratios.joined(separator: ", "))), checksum \(String(row.checksum, radix: 16))")
      }
      agree(rows, stream)
    }
    print("all kernels agree on every count and hit")
  }

  private static func agree(_ rows: [KernelBenchmark.Row], _ stream: AnswerStream) {
    guard Set(rows.map(\.checksum)).count != 1 else { return }
    let sums = rows.map { "\($0.name) \(String($0.checksum, radix: 16))" }
    print("kernel, \(stream.rawValue): unequal answers: \(sums.joined(separator: ", "))")
    exit(1)
  }

  private static func rounded(_ value: Double, _ steps: Double) -> Double {
    (value * steps).rounded() / steps
  }
}
