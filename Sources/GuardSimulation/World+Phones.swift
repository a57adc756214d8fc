import GuardRules
import ShiftDomain

extension World {
  /// A phone out of the box, in whatever state its owner brought it.
  mutating func newPhone() -> Handset {
    let device = newDevice(canReport: !dice.oneIn(12))
    let system: Handset.System =
      dice.oneIn(2)
      ? .iPhone(IPhone(grant: dice.pick([.always, .whenInUse, .notDetermined, .provisional])))
      : .android(
        AndroidPhone(
          apiLevel: dice.pick([22, 23, 28, 29, 29, 30, 31, 33, 34, 34, 36]),
          remembersAsking: !dice.oneIn(4), grant: dice.pick([.always, .foreground, .none])))
    var handset = Handset(
      system, device: device, keepsNumbers: !dice.oneIn(8),
      canReport: devices[Int(device)].canReport)
    handset.clockError = someClockError()
    return handset
  }

  /// A device's row at the server; its number is its place.
  mutating func newDevice(canReport: Bool) -> Int16 {
    if devices.isEmpty { devices.append(DeviceRecord(canReport: false)) }
    devices.append(DeviceRecord(canReport: canReport))
    return Int16(devices.count - 1)
  }

  /// Right mostly; else a little or years off.
  mutating func someClockError() -> TimeSpan {
    .seconds(dice.pick([0, 0, 0, 0, 1, -1, 61, -300, 601, -86_400, 700_000_000]))
  }

  /// Something happens to a phone, and its app does what apps do.
  mutating func actOnPhone(_ place: Int) {
    let heard: Heard
    switch handsets[place].system {
    case .iPhone(var phone):
      guard let action = IPhoneAction(rawValue: UInt8(dice.below(IPhoneAction.count)))
      else { return }
      heard = phone.act(action)
      handsets[place].system = .iPhone(phone)
    case .android(var phone):
      guard let action = AndroidAction(rawValue: UInt8(dice.below(AndroidAction.count)))
      else { return }
      let before = phone
      heard = phone.act(action)
      handsets[place].system = .android(phone)
      if phone.app == .ended, before.app != .ended {
        let isSwiped = action == .swipeAway
        handsets[place].exit = AppExit(
          phone.wasKilledByChange ? .permissionChange : isSwiped ? .userRequested : .other, at: now)
      }
    }
    switch heard {
    case .impossible, .nothing, .atNextStart: break
    case .atOnce: report(from: place)
    case .perhaps: if dice.oneIn(2) { report(from: place) }
    }
  }

  /// The employee, or whoever may, puts everything right, as the guidance says; the app is open.
  mutating func mend(_ place: Int) {
    switch handsets[place].system {
    case .iPhone(var phone):
      for action in [
        IPhoneAction.lift, .servicesOn, .settingsAlways, .settingsPreciseOn, .openApp,
      ] { _ = phone.act(action) }
      handsets[place].system = .iPhone(phone)
    case .android(var phone):
      for action in [
        AndroidAction.locationOn, .settingsAllTheTime, .settingsWhileUsing, .settingsPreciseOn,
        .openApp, .startService,
      ] where !(action == .settingsWhileUsing && phone.grant == .always) { _ = phone.act(action) }
      handsets[place].system = .android(phone)
    }
  }

  /// The app of a phone writes a report and sends it, or keeps it for later.
  mutating func report(from place: Int) {
    guard handsets[place].canReport, handsets[place].app != .ended else { return }
    let message = write(place)
    // An app keeps so many at most, and lets the oldest go.
    if handsets[place].unsent.count >= 12 { handsets[place].unsent.removeFirst() }
    handsets[place].unsent.append(message)
    flush(place)
  }

  mutating func write(_ place: Int) -> Message {
    handsets[place].write(at: now, isGarbled: dice.oneIn(24))
  }

  /// Sends what waits, if there is a network. What gets lost waits on, and is overtaken.
  mutating func flush(_ place: Int) {
    guard handsets[place].isOnline, handsets[place].app != .ended, !handsets[place].unsent.isEmpty
    else { return }
    var lost: [Message] = []
    for message in handsets[place].unsent
    where !radio.send(message, from: handsets[place].clockError, at: now, &dice) {
      lost.append(message)
    }
    handsets[place].unsent = lost
  }
}

extension IPhoneAction {
  static let count = allCases.count
}

extension AndroidAction {
  static let count = allCases.count
}
