import Cryptography
import ShiftDomain

/// 41 bits of milliseconds, then 22 random bits, so that ids sort by time.
package func newID(at now: Instant) -> Int64 {
  let milliseconds = Int64(truncatingIfNeeded: now.milliseconds) & ((1 << 41) - 1)
  return milliseconds << 22 | Int64(randomUInt64() & ((1 << 22) - 1))
}
