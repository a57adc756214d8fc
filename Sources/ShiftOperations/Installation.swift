import Postgres
import ShiftDomain
import ShiftStore

/// The installation of the app that an upload came from.
struct Installation {
  /// Its number among the device's; 0: the enrolment, for an app that names none.
  let number: Int32
  /// What writes it down, when it was not known.
  let statements: [SQL]

  /// Installations are numbered in the order of their first receipt.
  init(_ name: String?, of device: DeviceRecord, on session: inout Session) throws(PostgresError) {
    guard let name else {
      (number, statements) = (0, [])
      return
    }
    if name == device.installation {
      (number, statements) = (device.installationNumber, [])
    } else if let known = try installationNumber(of: name, on: device.device, &session) {
      (number, statements) = (known, [])
    } else {
      number = device.installationNumber + 1
      statements = [addInstallation(name, number: number, of: device.device)]
    }
  }
}
