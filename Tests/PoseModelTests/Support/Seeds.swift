/// Seeds of the tests that hold for random vectors and rotations.
let seeds: [UInt64] = [1, 2, 3, 4, 5]
