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
  /// - Parameter known: Its number; `nil`: it is new.
  init(_ name: String?, of device: DeviceRow, known: Int32?) {
    let number = name == nil ? 0 : known ?? device.installationNumber + 1
    self.number = number
    statements =
      if let name, known == nil {
        [addInstallation(name, number: number, of: device.device)]
      } else {
        []
      }
  }

  init(_ name: String?, of device: DeviceRow, on session: inout Session) throws(PostgresError) {
    var known: Int32?
    if let name {
      known =
        name == device.installation
        ? device.installationNumber : try installationNumber(of: name, on: device.device, &session)
    }
    self.init(name, of: device, known: known)
  }
}
