import ShiftDomain

/// A phone word, put together field by field from the lowest, with its expected reading. It
/// describes the packing a second time, independently of the first.
struct PhoneWord {
  enum Evidence: UInt8, CaseIterable {
    case noReport = 0
    case report = 1
    case cannotReport = 2
    case cannotReportButHasFix = 3
  }

  /// Each field's bits and number of meaningful raw values; the last field is ignored.
  static let fields: [(width: UInt32, known: UInt8)] =
    [
      (4, UInt8(Authorization.allCases.count)), (4, UInt8(GrantPath.allCases.count)),
      (2, UInt8(LocationAccuracy.allCases.count)), (2, UInt8(Switch.allCases.count)),
    ]
    + [(UInt32, UInt8)](repeating: (2, UInt8(Switch.allCases.count)), count: 6)
    + [(4, UInt8(Platform.allCases.count)), (2, 4), (1, 2), (1, 2)]

  let word: UInt32
  let state: PermissionState
  let platform: Platform
  let evidence: Evidence
  let reportsSkew: Bool

  /// - Parameter raws: The value of each field, in order; missing fields are 0.
  init(_ raws: [UInt8]) {
    var word: UInt32 = 0
    var place: UInt32 = 0
    var index = 0
    func next() -> UInt8 {
      let raw = index < raws.count ? raws[index] : 0
      word += UInt32(raw) << place
      place += Self.fields[index].width
      index += 1
      return raw
    }
    func value<Value: Coded>(else unknown: Value) -> Value {
      Value(rawValue: next()) ?? unknown
    }
    state = PermissionState(
      authorization: value(else: .unknown), grantPath: value(else: .unknown),
      accuracy: value(else: .unknown), services: value(else: .unknown),
      conditions: DeviceConditions(
        notifications: value(else: .unknown), batteryOptimisation: value(else: .unknown),
        backgroundRefresh: value(else: .unknown), powerSave: value(else: .unknown),
        foregroundService: value(else: .unknown), backgroundFix: value(else: .unknown)))
    platform = value(else: .unknown)
    evidence = Evidence(rawValue: next()) ?? .noReport
    reportsSkew = next() == 1
    _ = next()
    self.word = word
  }

  /// A random phone: mostly meaningful values, sometimes any bits.
  static func random(_ random: inout SeededRandom) -> PhoneWord {
    let isGarbage = random.oneIn(4)
    return PhoneWord(
      fields.map { field in
        let bound = isGarbage ? 1 << field.width : UInt32(field.known)
        return UInt8(truncatingIfNeeded: random.next() % UInt64(bound))
      })
  }

  /// A device that reported, with every authorization, grant path, accuracy, services and platform.
  static let everyReport: [PhoneWord] = product(
    fields[..<4].map { Array(0..<$0.known) } + [[UInt8]](repeating: [0], count: 6)
      + [Array(0..<fields[10].known), [Evidence.report.rawValue]])

  /// A report of *Always* or *While using*, under every combination of conditions, on a platform
  /// where *Always* needs proof and on one where it does not.
  static let everyCondition: [PhoneWord] = product(
    [
      [Authorization.always.rawValue, Authorization.whenInUse.rawValue], [0],
      [LocationAccuracy.full.rawValue], [Switch.on.rawValue],
    ] + fields[4..<10].map { Array(0..<$0.known) }
      + [[Platform.ios.rawValue, Platform.android.rawValue], [Evidence.report.rawValue]])

  private static func product(_ choices: [[UInt8]]) -> [PhoneWord] {
    choices.reduce([[]]) { words, raws in words.flatMap { word in raws.map { word + [$0] } } }
      .map(PhoneWord.init)
  }
}
