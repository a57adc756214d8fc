import Cryptography
import Lifecycle
import ShiftDomain

/// An id that sorts by time. Its last 22 bits count on from a random number, so that no two ids of
/// a millisecond are equal: all reports of one upload have the same.
package func newID(at now: Instant) -> Int64 {
  let number = lastNumber.withLock { last in
    last &+= 1
    return last
  }
  return now.firstID | Int64(number & ((1 << 22) - 1))
}

private let lastNumber = Lock(randomUInt64())
