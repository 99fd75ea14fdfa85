import Foundation
import PoseModel

extension Benchmarks {
  /// The sweep's kernel in C beside its twin in Swift, a stream each; unequal answers fail.
  static func kernels(frames: Int) {
    for stream in AnswerStream.allCases {
      let rows = KernelBenchmark(stream, frames: frames).compare(rounds: 31, repeats: 3)
      for row in rows {
        let ratios = rows.map { "\(hundredths(row.nanoseconds / $0.nanoseconds))x \($0.name)" }
        print(
          "kernel, \(stream.rawValue), \(row.name): \(row.nanoseconds) ns a cell and frame "
            + "(\(ratios.joined(separator: ", "))), checksum \(String(row.checksum, radix: 16))")
      }
      if Set(rows.map(\.checksum)).count != 1 {
        print("kernel, \(stream.rawValue): the kernels disagree")
        exit(1)
      }
    }
    print("the kernels agree on every count and hit")
  }

  private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
