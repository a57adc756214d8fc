import GuardRules
import Guidance
import ShiftDomain

/// Devices whose texts differ, and some that nobody has ever seen.
let devices: [DeviceDescription] =
  Platform.allCases.flatMap { platform in
    [nil, "", "junk", "9", "10", "11", "14", "15.8", "16.0", "17.5.1", "18", "26.4", "Android 14"]
      .flatMap { version in
        [nil, "samsung", "Xiaomi", "Google"].map {
          DeviceDescription(platform: platform, osVersion: version, maker: $0)
        }
      }
  }

/// No report, and one for each way of granting.
let reports: [PermissionState?] =
  [nil]
  + GrantPath.allCases.flatMap { path in
    Switch.allCases.map {
      PermissionState(authorization: .denied, grantPath: path, services: $0)
    }
  }

let iPhone = DeviceDescription(platform: .ios, osVersion: "17.5.1")
let pixel = DeviceDescription(platform: .android, osVersion: "14", maker: "Google")
let page = DeviceDescription(platform: .web)

func state(_ authorization: Authorization, _ path: GrantPath) -> PermissionState {
  PermissionState(authorization: authorization, grantPath: path, services: .on)
}

/// The decision that `severities` gives for just these findings.
func decision(_ findings: [Finding], under severities: SeverityTable = .standard) -> Decision {
  var set: FindingSet = []
  for finding in findings { set.insert(finding) }
  return Decision(set, under: severities)
}

extension Remedy {
  /// The steps in one line.
  var way: String { steps.joined(separator: " ") }
}
