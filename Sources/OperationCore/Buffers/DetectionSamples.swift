import Lifecycle
import ShiftDomain

/// Detection samples of this instance that are not stored yet. Lost with the process: then they
/// have no measurement and count as missed.
package final class DetectionSamples: Sendable {
  package typealias Sample = (report: ReportID, employee: EmployeeID, elapsed: TimeSpan)

  private static let sizeMax = 10_000
  private let samples = Lock<[Sample]>([])
  private let observer = Lock<(@Sendable (Duration) -> Void)?>(nil)

  package init() {}

  /// Calls `observe` with every sample from now on.
  package func tell(_ observe: @escaping @Sendable (Duration) -> Void) {
    observer.withLock { $0 = observe }
  }

  package func note(_ report: ReportID, of employee: EmployeeID, took span: Duration) {
    observer.withLock { $0 }?(span)
    let elapsed = TimeSpan.milliseconds(Int64(span / .milliseconds(1)))
    samples.withLock { if $0.count < Self.sizeMax { $0.append((report, employee, elapsed)) } }
  }

  package func take() -> [Sample] {
    samples.withLock { samples in
      defer { samples = [] }
      return samples
    }
  }

  package func putBack(_ taken: [Sample]) {
    samples.withLock { $0 = Array((taken + $0).prefix(Self.sizeMax)) }
  }
}
