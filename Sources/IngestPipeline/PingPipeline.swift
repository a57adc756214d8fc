import GuardRules
import Lifecycle
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The pings of one upload, with server times.
package struct DevicePings: Sendable {
  package var device: DeviceID
  /// SHA-256 of the token's secret, 32 bytes.
  package var tokenHash: [UInt8]
  /// The app from a store to whose address they were sent; `nil`: to another address.
  package var storeApp: PhoneApp?
  /// Its pings, in the order sent; may be empty.
  package var pings: [Ping]
  package var receivedAt: Instant

  package init(
    device: DeviceID, tokenHash: [UInt8], storeApp: PhoneApp? = nil, pings: [Ping],
    receivedAt: Instant
  ) {
    self.device = device
    self.tokenHash = tokenHash
    self.storeApp = storeApp
    self.pings = pings
    self.receivedAt = receivedAt
  }
}

/// The result of an upload. Every stored ping is committed.
package struct PingReceipt: Hashable, Sendable {
  /// One result per ping, in order.
  package var results: [PingResult]
  /// Each ping as its shift counts it; says nothing of those that are refused.
  package var placed: [Ping]
  package var stored: [PingSpan]
  /// What the device must do from now on, as fixed at the clock-in of the open shift, else by the
  /// team's policy.
  package var advice: TrackingAdvice
  /// Whether only a break keeps the device from tracking.
  package var isOnBreak: Bool
  package var presence: RegionPresence
  /// The newest installation of the app on the device; `nil` before the first that sends an id.
  package var installation: String?
}

/// Why an upload failed. Nothing of it is stored, except possibly after `.failed(.outcomeUnknown)`.
package enum IngestError: Error, Hashable, Sendable {
  /// The device is unknown or revoked, or the secret is wrong.
  case unauthorized
  /// Too much is waiting: try again in a moment.
  case overloaded
  case failed(PostgresError)
}

/// Stores pings from many phones in shared transactions: uploads that arrive during one transaction
/// share the next. Nothing is acknowledged before COMMIT.
package final class PingPipeline: Sendable {
  /// Pings that may wait; further ones are refused with `.overloaded`.
  package static let waitingMax = 20_000
  /// The maximum number of pings in one transaction; an upload is never split.
  static let roundMax = 1_000

  private let writer: PingWriter
  private let line: SharedRounds<DevicePings, Result<PingReceipt, IngestError>>

  /// - Parameters:
  ///   - pool: Should not be shared with urgent work.
  ///   - writers: Concurrent transactions, from 1.
  ///   - probing: For trying whether pings can be written. With it the writers work on the threads
  ///     of `pool`, which nobody else may use then; without it both share `pool`.
  package init(pool: Pool, writers: Int = 2, probing: Pool? = nil) {
    let writer = PingWriter(pool: pool, probing: probing ?? pool)
    self.writer = writer
    line = SharedRounds(
      SharedRoundBounds(
        roundMax: Self.roundMax, waitingMax: Self.waitingMax, writers: writers,
        linger: .milliseconds(2), enough: 64), on: probing == nil ? [] : pool.threads
    ) { uploads in await writer.write(uploads) }
  }

  package var waiting: Int { line.waitingWeight }

  package var isFull: Bool { line.isFull }

  /// Why pings cannot be written; `nil`: they can. After a failure it tries to write.
  package func obstacle() async -> String? { await writer.obstacle() }

  /// Tries to write as for a ping, without storing one; why that failed, or `nil`.
  package func tryWriting() async -> String? { await writer.tryWriting() }

  /// Whether this was `device`'s token at its last upload: not for authentication.
  package func knows(_ device: DeviceID, tokenHash: [UInt8]) -> Bool {
    writer.knows(device, tokenHash: tokenHash)
  }

  /// What is cached of `employee` is outdated: the next upload reads it again at once.
  package func forget(_ employee: EmployeeID) { writer.forget(employee) }

  package func store(_ upload: DevicePings) async throws(IngestError) -> PingReceipt {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<PingReceipt, IngestError>, Never>) in
      let isTaken = store(upload) { continuation.resume(returning: $0) }
      if !isTaken { continuation.resume(returning: .failure(.overloaded)) }
    }
    return try result.get()
  }

  /// The same for callers without a task.
  /// - Parameter done: Gets the result once, on another thread, perhaps before this returns.
  /// - Returns: Whether the upload was taken; `false`: too much is waiting, and `done` is not
  ///   called.
  package func store(
    _ upload: DevicePings, done: @escaping @Sendable (Result<PingReceipt, IngestError>) -> Void
  ) -> Bool {
    // An upload has a cost even without pings.
    line.submit(upload, weight: max(1, upload.pings.count), done: done)
  }
}
