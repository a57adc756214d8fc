import Cryptography
import Lifecycle
import ShiftDomain

/// 41 bits of milliseconds, so that ids sort by time, then 22 bits that count on from a random
/// number, so that no two ids of a millisecond are equal: all reports of one upload have the same.
package func newID(at now: Instant) -> Int64 {
  let milliseconds = Int64(truncatingIfNeeded: now.milliseconds) & ((1 << 41) - 1)
  let number = lastNumber.withLock { last in
    last &+= 1
    return last
  }
  return milliseconds << 22 | Int64(number & ((1 << 22) - 1))
}

private let lastNumber = Lock(randomUInt64())
