internal import PoseModel

/// Postfix instructions for a small stack of numbers, where a point or a vector takes three places.
struct ExpressionProgram: Hashable, Sendable {
  enum Instruction: Hashable, Sendable {
    case constant(Double)
    case joint(Joint)
    case up
    case bodyHeight
    case lowest
    case formula(Formula)
    case pair(JointPair)
    case confidence(Joint)
    case pairConfidence(JointPair)
    case negate
    case absolute
    case add
    case subtract
    case multiply
    case divide
    case minimum
    case maximum
    case mean(Int)
    case angleOfPoint
    case keepIf(Comparison)
    case window(Int)
    case orElse(Int)
    case negateVector
    case addVectors
    case subtractVectors
    case midpoint
    case cross
    case unit
    case scale
    case scaleByFirst
    case shrink
    case norm
    case dot
    case height
    case angle
    case angleAt
    case signedAngleAt
    case projectedAngle
    case deviation

    /// By how many places the stack grows.
    var growth: Int {
      switch self {
      case .joint, .up, .pair: 3
      case .constant, .bodyHeight, .lowest, .formula, .confidence, .pairConfidence: 1
      case .negate, .absolute, .window, .negateVector, .unit: 0
      case .add, .subtract, .multiply, .divide, .minimum, .maximum, .angleOfPoint, .orElse, .scale,
        .scaleByFirst, .shrink:
        -1
      case .mean(let count): 1 - count
      case .keepIf, .norm, .height: -2
      case .addVectors, .subtractVectors, .midpoint, .cross: -3
      case .dot, .angle: -5
      case .angleAt, .signedAngleAt, .projectedAngle, .deviation: -8
      }
    }
  }

  /// Keeps the stack of one frame at a kilobyte, which fits on the thread's own stack.
  static let largestStack = 128

  var instructions: [Instruction] = []
  var windows: [ExpressionWindow.Settings] = []
  var depth = 0
  var needs = MeasurementNeeds()
  /// The needs of the first argument of each `orElse`, indexed by the number of the `orElse`.
  var choices: [MeasurementNeeds] = []
  var isOfImages = false

  mutating func append(_ other: ExpressionProgram) -> Range<Int> {
    let (first, firstWindow, firstChoice) = (instructions.count, windows.count, choices.count)
    windows += other.windows
    choices += other.choices
    for instruction in other.instructions {
      switch instruction {
      case .window(let number): instructions.append(.window(firstWindow + number))
      case .orElse(let number): instructions.append(.orElse(firstChoice + number))
      default: instructions.append(instruction)
      }
    }
    return first..<instructions.count
  }

  /// A number that is not finite means that the expression has no value.
  func value<Number>(
    _ steps: Range<Int>, of body: BodyGeometry<Number>, _ stack: inout ExpressionStack<Number>,
    _ memory: inout [ExpressionWindow]
  ) -> Number {
    for step in steps {
      switch instructions[step] {
      case .window(let number): stack.push(memory[number].update(stack.pop(), in: body.joints))
      case .orElse(let number):
        let (second, first) = (stack.pop(), stack.pop())
        stack.push(second.replacing(with: first, where: choices[number].areMet(by: body.joints)))
      case let instruction: stack.run(instruction, body)
      }
    }
    return stack.pop()
  }
}

extension ExpressionWindow {
  fileprivate mutating func update<Number>(
    _ values: Number, in frames: FrameGroup<Number>
  ) -> Number {
    let times = frames.times
    var results = values
    for place in 0..<Number.scalarCount where frames.contains(place) {
      results[place] = update(values[place], at: times[place])
    }
    return results
  }
}

struct ExpressionStack<Number: FrameNumber> {
  typealias Vector = FrameVector<Number>
  typealias Body = BodyGeometry<Number>

  private let base: UnsafeMutablePointer<Number>
  private var top = 0

  private init(_ base: UnsafeMutablePointer<Number>) { self.base = base }

  @inline(__always) static func withStack(_ body: (inout ExpressionStack) -> Void) {
    withUnsafeTemporaryAllocation(of: Number.self, capacity: ExpressionProgram.largestStack) {
      guard let base = $0.baseAddress else { return }
      var stack = ExpressionStack(base)
      body(&stack)
    }
  }

  mutating func push(_ value: Number) {
    base[top] = value
    top += 1
  }

  mutating func pop() -> Number {
    top -= 1
    return base[top]
  }

  @inline(__always) mutating func run(
    _ instruction: ExpressionProgram.Instruction, _ body: Body
  ) {
    switch instruction {
    case .constant(let value): push(Number(repeating: value))
    case .joint(let joint): push(body.joints[joint])
    case .up: push(body.up)
    case .bodyHeight: push(body.bodyHeight)
    case .lowest: push(body.joints.lowest(along: body.heightAxis))
    case .formula(let formula): push(body.value(of: formula))
    case .pair(let pair): push(body.joints[pair])
    case .confidence(let joint): push(body.joints.confidence(of: joint))
    case .pairConfidence(let pair): push(body.joints.confidence(of: pair))
    case .negate, .absolute, .add, .subtract, .multiply, .divide, .minimum, .maximum, .mean,
      .angleOfPoint, .keepIf, .window, .orElse:
      runNumbers(instruction)
    case .negateVector, .addVectors, .subtractVectors, .midpoint, .cross, .unit, .scale,
      .scaleByFirst, .shrink:
      runVectors(instruction)
    case .norm, .dot, .height, .angle, .angleAt, .signedAngleAt, .projectedAngle, .deviation:
      push(number(instruction, body))
    }
  }

  private mutating func push(_ vector: Vector) {
    push(vector.x)
    push(vector.y)
    push(vector.z)
  }

  private mutating func popVector() -> Vector {
    top -= 3
    return Vector(base[top], base[top + 1], base[top + 2])
  }

  // The groups of instructions stay separate functions: a single function would save the registers
  // of the longest instruction at every step.
  @inline(never) private mutating func runNumbers(_ instruction: ExpressionProgram.Instruction) {
    let right = pop()
    switch instruction {
    case .negate: push(-right)
    case .absolute: push(right.magnitude)
    case .add: push(pop() + right)
    case .subtract: push(pop() - right)
    case .multiply: push(pop() * right)
    case .divide: push((pop() / right).only(where: .!right.isZero))
    case .minimum: push(pop().minimum(right))
    case .maximum: push(pop().maximum(right))
    case .mean(let count):
      var sum = right
      for _ in 1..<count { sum = sum + pop() }
      push(sum / Number(repeating: Double(count)))
    case .angleOfPoint: push(.atan2Degrees(pop(), right))
    case .keepIf(let comparison):
      let left = pop()
      let value = pop()
      push(value.only(where: comparison.isTrue(left, right)))
    default: push(right)
    }
  }

  @inline(never) private mutating func runVectors(_ instruction: ExpressionProgram.Instruction) {
    switch instruction {
    case .scale:
      let factor = pop()
      push(popVector() * factor)
    case .scaleByFirst:
      let vector = popVector()
      push(vector * pop())
    case .shrink:
      let divisor = pop()
      let vector = popVector()
      push(Vector.nowhere.replacing(with: vector / divisor, where: .!divisor.isZero))
    case .negateVector: push(-popVector())
    case .unit: push(Body.unit(popVector()))
    default:
      let right = popVector()
      let left = popVector()
      switch instruction {
      case .addVectors: push(left + right)
      case .subtractVectors: push(left - right)
      case .midpoint: push(left.midpoint(right))
      default: push(left.cross(right))
      }
    }
  }

  @inline(never) private mutating func number(
    _ instruction: ExpressionProgram.Instruction, _ body: Body
  ) -> Number {
    let last = popVector()
    switch instruction {
    case .norm: return last.norm
    case .height: return last.dot(body.heightAxis)
    case .dot: return popVector().dot(last)
    case .angle: return Body.angle(popVector(), last)
    default: break
    }
    let middle = popVector()
    let first = popVector()
    switch instruction {
    case .angleAt: return Body.angle(first - middle, last - middle)
    case .signedAngleAt: return Body.signedAngle(first, middle, last, up: body.up)
    case .projectedAngle: return Body.projectedAngle(first, middle, about: last)
    default: return Body.deviation(first, middle, last, body.heightAxis)
    }
  }
}
