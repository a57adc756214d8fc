import Lifecycle
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

/// Reads the keys of statuses for all devices that ask at the same time. Open apps ask again and
/// again: most of what an answer costs is its round trip to the database.
struct StatusKeyRounds: Sendable {
  private static let bounds = SharedRoundBounds(
    roundMax: 100, waitingMax: 10_000, writers: 2, linger: .milliseconds(1))

  private let rounds: SharedRounds<DeviceID, Result<StatusKey?, OperationError>>

  init(core: OperationCore) {
    rounds = SharedRounds(Self.bounds) { devices in
      do throws(OperationError) {
        let found = try await core.read { (session) throws(PostgresError) in
          var reading = StatusKeyReading(of: devices)
          try session.run(&reading)
          return reading.found
        }
        return devices.map { .success(found[$0]) }
      } catch {
        return devices.map { _ in .failure(error) }
      }
    }
  }

  /// Read wholly after the call; `nil` for an unknown or revoked device.
  func key(of device: DeviceID) async throws(OperationError) -> StatusKey? {
    guard let result = await rounds.submit(device, weight: 1) else {
      throw .unavailable(detail: "too many devices ask for their status")
    }
    return try result.get()
  }
}
