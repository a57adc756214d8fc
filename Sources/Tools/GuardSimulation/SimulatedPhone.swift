import GuardRules
import ShiftDomain

/// A phone with the app: the system's permission, and what the app stores and sends.
struct SimulatedPhone {
  /// The system and its permission.
  enum System {
    case iPhone(IPhone)
    case android(AndroidPhone)
  }

  var system: System
  /// The installation's number among the employee's devices.
  var device: Int16
  /// Older apps send no sequence numbers: their reports count in the order of receipt.
  let keepsNumbers: Bool
  /// Third-party apps send fixes only.
  let canReport: Bool
  /// The phone's clock minus the true time.
  var clockError = TimeSpan.zero
  /// Whether reports are sent at once; otherwise they wait for the network.
  var isOnline = true
  /// Reports that wait for the network, oldest first.
  var unsent: [Upload] = []
  /// When the fixes that wait for the network were recorded, in true time.
  var unsentFixes: [Instant] = []
  /// The sequence number of the newest report.
  var lastSequence: Int64 = 0
  /// Other conditions, which never impair.
  var conditions = DeviceConditions()
  /// Whether another app fakes positions; only Android reports it.
  var mock = Switch.unknown
  /// How and when the process ended; until its next report.
  var exit: AppExit?

  init(_ system: System, device: Int16, keepsNumbers: Bool, canReport: Bool) {
    self.system = system
    self.device = device
    self.keepsNumbers = keepsNumbers
    self.canReport = canReport
  }

  var platform: Platform {
    switch system {
    case .iPhone: .ios
    case .android: .android
    }
  }

  var truePermission: TruePermission {
    switch system {
    case .iPhone(let phone): phone.truePermission
    case .android(let phone): phone.truePermission
    }
  }

  var app: AppLife {
    switch system {
    case .iPhone(let phone): phone.app
    case .android(let phone): phone.app
    }
  }

  /// Writes a report of the current state.
  /// - Parameter isGarbled: Whether a library gives an unknown value.
  mutating func write(at now: Instant, isGarbled: Bool) -> Upload {
    lastSequence += 1
    // Android reports the same end of the app repeatedly.
    var exit = self.exit
    var truePermission = truePermission
    var state: PermissionState
    switch system {
    case .iPhone(let phone):
      var raw = phone.raw
      if isGarbled { raw.authorizationStatus = .unreadable }
      state = raw.reading.state
      state.conditions = conditions
      state.conditions.backgroundFix = phone.hasBackgroundFix ? .on : .off
    case .android(let phone):
      var raw = phone.raw
      if isGarbled { raw.fine = .unreadable }
      state = raw.reading.state
      state.conditions = conditions
      state.conditions.foregroundService = phone.serviceRuns ? .on : .off
      state.conditions.mockLocation = mock
      truePermission.mock = mock
      // Since API level 30, the system reports why a process ended.
      if phone.apiLevel < 30 { exit = nil }
    }
    if isGarbled {
      truePermission.authorization = .unknown
      truePermission.accuracy = .unknown
    }
    return Upload(
      device: device, platform: platform, sequence: keepsNumbers ? lastSequence : nil,
      truePermission: truePermission, state: state, exit: exit, madeAt: now, clockError: clockError)
  }

  /// Sets the other conditions at random.
  mutating func changeConditions(_ dice: inout Dice) {
    conditions.powerSave = dice.pick([.unknown, .off, .on])
    conditions.notifications = dice.pick([.unknown, .off, .on])
    conditions.batteryOptimisation = dice.pick([.unknown, .off, .on])
    conditions.backgroundRefresh = dice.pick([.unknown, .off, .on])
    mock = dice.pick([.unknown, .off, .on])
  }

  /// Deletes and reinstalls the app: a new device without the old one's data.
  mutating func reinstall(as device: Int16) {
    self.device = device
    unsent.removeAll(keepingCapacity: true)
    unsentFixes.removeAll(keepingCapacity: true)
    lastSequence = 0
    exit = nil
    switch system {
    case .iPhone(let old):
      var phone = IPhone()
      phone.servicesOn = old.servicesOn
      phone.isRestricted = old.isRestricted
      system = .iPhone(phone)
    case .android(let old):
      var phone = AndroidPhone(apiLevel: old.apiLevel, remembersAsking: old.remembersAsking)
      phone.locationOn = old.locationOn
      system = .android(phone)
    }
  }
}

/// A report as an app wrote it.
struct Upload {
  var device: Int16
  var platform: Platform
  var sequence: Int64?
  /// The true state.
  var truePermission: TruePermission
  /// The rules' reading of the phone's raw values.
  var state: PermissionState
  /// How the process before this one ended, in true time.
  var exit: AppExit?
  /// The true time to which it applies.
  var madeAt: Instant
  /// The phone's clock minus the true time when it was written.
  var clockError: TimeSpan

  /// The phone's clock when it was written, as sent.
  var recordedAt: Instant { madeAt + clockError }
}
