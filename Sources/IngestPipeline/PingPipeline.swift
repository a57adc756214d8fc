import GuardRules
public import Postgres
public import ShiftDomain
public import ShiftStore

/// The pings of one upload, dated by our clock.
public struct DevicePings: Sendable {
  /// The device that the upload says it is from.
  public var device: DeviceID
  /// SHA-256 of the secret that it shows for that, 32 bytes.
  public var tokenHash: [UInt8]
  /// What it sent, in its order; may be empty.
  public var pings: [Ping]
  /// When it arrived.
  public var receivedAt: Instant

  /// An upload.
  public init(device: DeviceID, tokenHash: [UInt8], pings: [Ping], receivedAt: Instant) {
    self.device = device
    self.tokenHash = tokenHash
    self.pings = pings
    self.receivedAt = receivedAt
  }
}

/// What became of one ping.
public enum PingResult: Hashable, Sendable {
  /// It is on disk.
  case stored
  /// It was on disk already.
  case duplicate
  /// It is not stored, and sending it again will not help.
  case refused(PingRefusal)
}

/// What became of an upload. Whatever is called stored is committed.
public struct PingReceipt: Hashable, Sendable {
  /// One result a ping, in order.
  public var results: [PingResult]
  /// Where among the keys those lie that were stored.
  public var stored: [PingSpan]
  /// Whether the device is to send its positions now.
  public var isTracking: Bool
  /// How it is to do so: as fixed at the clock-in of the open shift, else by the team's policy.
  public var settings: TrackingSettings
  /// The newest installation of the app on the device; `nil` before the first that sends an id.
  public var installation: String?
}

/// Why an upload was not taken. Nothing of it is stored, but after `.failed(.outcomeUnknown)`.
public enum IngestError: Error, Hashable, Sendable {
  /// The device is unknown, revoked, or another's secret was shown.
  case unauthorized
  /// Too much is waiting: try again in a moment.
  case overloaded
  /// The database could not be asked or did not take it.
  case failed(PostgresError)
}

/// Takes pings from many phones at once and stores those of all in one transaction: what arrives
/// while one is under way shares the next. Nothing is acknowledged before COMMIT.
public final class PingPipeline: Sendable {
  /// Pings that may wait; what comes then is refused with `.overloaded`.
  public static let waitingMax = 20_000
  /// Pings of one transaction; an upload is never split.
  static let roundMax = 1_000

  private let writer: PingWriter
  private let line: GroupCommit<DevicePings, Result<PingReceipt, IngestError>>

  /// - Parameters:
  ///   - pool: Connections to a migrated database, better not shared with what must not wait.
  ///   - writers: Transactions at the same time, from 1.
  public init(pool: Pool, writers: Int = 2) {
    let writer = PingWriter(pool: pool)
    self.writer = writer
    line = GroupCommit(
      GroupCommitBounds(
        roundMax: Self.roundMax, waitingMax: Self.waitingMax, writers: writers,
        linger: .milliseconds(1))
    ) { uploads in await writer.write(uploads) }
  }

  /// How many pings wait to be stored.
  public var waiting: Int { line.waitingWeight }

  /// Whether `store` would refuse as `.overloaded` just now.
  public var isFull: Bool { line.isFull }

  /// Why pings cannot be written; `nil` if no failure is known. After a failure it tries to write
  /// to the database.
  public func obstacle() async -> String? { await writer.obstacle() }

  /// Whether this was a token of `device` when it last sent something. Asks nobody: good for the
  /// time of a sign of life, and for nothing that needs a proof.
  public func knows(_ device: DeviceID, tokenHash: [UInt8]) -> Bool {
    writer.knows(device, tokenHash: tokenHash)
  }

  /// Stores an upload's pings with the shifts they belong to.
  public func store(_ upload: DevicePings) async throws(IngestError) -> PingReceipt {
    // An upload costs something even when it brings nothing.
    guard let result = await line.submit(upload, weight: max(1, upload.pings.count)) else {
      throw .overloaded
    }
    return try result.get()
  }
}
