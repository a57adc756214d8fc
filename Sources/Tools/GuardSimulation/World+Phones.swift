import GuardRules
import ShiftDomain

extension World {
  /// A new phone in a random state.
  mutating func newPhone() -> SimulatedPhone {
    let device = newDevice(canReport: !dice.oneIn(12))
    let system: SimulatedPhone.System =
      dice.oneIn(2)
      ? .iPhone(IPhone(grant: dice.pick([.always, .whenInUse, .notDetermined, .provisional])))
      : .android(
        AndroidPhone(
          apiLevel: dice.pick([22, 23, 28, 29, 29, 30, 31, 33, 34, 34, 36]),
          remembersAsking: !dice.oneIn(4), grant: dice.pick([.always, .foreground, .none])))
    var phone = SimulatedPhone(
      system, device: device, keepsNumbers: !dice.oneIn(8),
      canReport: devices[Int(device)].canReport)
    phone.clockError = someClockError()
    return phone
  }

  /// Adds a device at the server; its number is its index.
  mutating func newDevice(canReport: Bool) -> Int16 {
    if devices.isEmpty { devices.append(DeviceRecord(canReport: false)) }
    devices.append(DeviceRecord(canReport: canReport))
    return Int16(devices.count - 1)
  }

  /// Mostly zero; otherwise a little or years.
  mutating func someClockError() -> TimeSpan {
    .seconds(dice.pick([0, 0, 0, 0, 1, -1, 61, -300, 601, -86_400, 700_000_000]))
  }

  /// Performs a random action on a phone; its app reports if it learns of it.
  mutating func actOnPhone(_ place: Int) {
    let awareness: AppAwareness
    switch phones[place].system {
    case .iPhone(var phone):
      guard let action = IPhoneAction(rawValue: UInt8(dice.below(IPhoneAction.count)))
      else { return }
      awareness = phone.act(action)
      phones[place].system = .iPhone(phone)
    case .android(var phone):
      guard let action = AndroidAction(rawValue: UInt8(dice.below(AndroidAction.count)))
      else { return }
      let before = phone
      awareness = phone.act(action)
      phones[place].system = .android(phone)
      if phone.app == .ended, before.app != .ended {
        let isSwiped = action == .swipeAway
        phones[place].exit = AppExit(
          phone.wasKilledByChange ? .permissionChange : isSwiped ? .userRequested : .other, at: now)
      }
    }
    switch awareness {
    case .impossible, .nothing, .atNextStart: break
    case .atOnce: report(from: place)
    case .perhaps: if dice.oneIn(2) { report(from: place) }
    }
  }

  /// Fixes everything as the guidance says; the app is open.
  mutating func restorePermission(_ place: Int) {
    switch phones[place].system {
    case .iPhone(var phone):
      for action in [
        IPhoneAction.lift, .servicesOn, .settingsAlways, .settingsPreciseOn, .openApp,
      ] { _ = phone.act(action) }
      phones[place].system = .iPhone(phone)
    case .android(var phone):
      for action in [
        AndroidAction.locationOn, .settingsAllTheTime, .settingsWhileUsing, .settingsPreciseOn,
        .openApp, .startService,
      ] where !(action == .settingsWhileUsing && phone.grant == .always) { _ = phone.act(action) }
      phones[place].system = .android(phone)
    }
  }

  /// The app of a phone writes a report and sends it, or stores it for later.
  mutating func report(from place: Int) {
    guard phones[place].canReport, phones[place].app != .ended else { return }
    let upload = write(place)
    // An app stores at most 12 reports and drops the oldest.
    if phones[place].unsent.count >= 12 { phones[place].unsent.removeFirst() }
    phones[place].unsent.append(upload)
    flush(place)
  }

  mutating func write(_ place: Int) -> Upload {
    phones[place].write(at: now, isGarbled: dice.oneIn(24))
  }

  /// Sends the stored reports if the phone is online. Lost reports stay and are overtaken.
  mutating func flush(_ place: Int) {
    guard phones[place].isOnline, phones[place].app != .ended, !phones[place].unsent.isEmpty
    else { return }
    var lost: [Upload] = []
    for upload in phones[place].unsent
    where !radio.send(upload, from: phones[place].clockError, at: now, &dice) {
      lost.append(upload)
    }
    phones[place].unsent = lost
  }
}

extension IPhoneAction {
  static let count = allCases.count
}

extension AndroidAction {
  static let count = allCases.count
}
