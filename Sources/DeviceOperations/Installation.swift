import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

struct Installation {
  /// Its number within the device; 0: the enrolment, for an app that sends no installation.
  let number: Int32
  /// The statements that store it, if it is new.
  let statements: [SQL]

  /// Installations are numbered in the order of their first receipt.
  init(_ name: String?, of device: DeviceRow, on session: inout Session) throws(PostgresError) {
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
