#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The system's calendar time, in milliseconds since 1970-01-01T00:00:00Z. Not monotonic.
public func calendarMilliseconds() -> Int64 {
  var time = timespec()
  // Cannot fail: the clock always exists and the pointer is ours.
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}
