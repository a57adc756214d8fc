import GuardRules
import Guidance
import ShiftDomain

/// Devices whose texts differ, and some that do not exist.
let devices: [DeviceDescription] =
  [nil, "", "junk", "9", "10", "11", "14", "Android 15"].flatMap { version in
    [nil, "samsung", "Xiaomi"].map {
      DeviceDescription(platform: .android, osVersion: version, maker: $0)
    }
  }
  + [nil, "12.5", "15.8", "16.0", "26.4", "99999999999999999999"].map {
    DeviceDescription(platform: .ios, osVersion: $0)
  }
  + ["13", "13.7"].map { DeviceDescription(platform: .ios, osVersion: $0) }
  + [
    "Chrome 130", "Chrome 130 (installed)", "Safari 15", "Safari 17", "Firefox 132",
    "Samsung Internet 27",
  ].flatMap { browser in
    ["Android 14", "iPhone OS 17.5", "OS 15.8", "Windows NT 10.0", nil].map {
      DeviceDescription(platform: .web, osVersion: $0, maker: browser)
    }
  }
  + [DeviceDescription(platform: .web), DeviceDescription(platform: .unknown, osVersion: "14")]

/// No report, and one for each grant path, with the device's location off and on.
let reports: [PermissionState?] =
  [nil]
  + GrantPath.allCases.flatMap { path in
    [Switch.off, .on].map {
      PermissionState(authorization: .denied, grantPath: path, services: $0)
    }
  }

let iPhone = DeviceDescription(platform: .ios, osVersion: "17.5.1")
let pixel = DeviceDescription(platform: .android, osVersion: "14", maker: "Google")
let page = DeviceDescription(platform: .web)

func state(_ authorization: Authorization, _ path: GrantPath) -> PermissionState {
  PermissionState(authorization: authorization, grantPath: path, services: .on)
}

/// The decision that `severities` gives for exactly these findings.
func decision(_ findings: [Finding], under severities: SeverityTable = .standard) -> Decision {
  var set: FindingSet = []
  for finding in findings { set.insert(finding) }
  return Decision(set, under: severities)
}

extension Remedy {
  /// The steps in one line.
  var way: String { steps.joined(separator: " ") }
}
