import ShiftDomain

extension OutgoingNotification {
  func refusal(at now: Instant) -> SendOutcome? {
    if now >= expiresAt { return .refused(reason: "expired") }
    guard isName(key, lengthMax: 64), isName(collapseKey, lengthMax: 32) else {
      return .refused(reason: "the notification's key is not valid")
    }
    return nil
  }

  func secondsLeft(at now: Instant) -> Int64 { max((expiresAt - now).seconds, 1) }

  /// The longest form that `encode` fits into `bytesMax` bytes: all of it, without its steps, or
  /// with a shorter body as well. `nil` if it does not fit even without a body.
  func fitted(to bytesMax: Int, encode: (OutgoingNotification) -> [UInt8]) -> [UInt8]? {
    var shorter = self
    var bytes = encode(shorter)
    if bytes.count <= bytesMax { return bytes }
    shorter.steps = []
    bytes = encode(shorter)
    if bytes.count <= bytesMax { return bytes }
    let scalars = Array(body.unicodeScalars)
    var fitting: [UInt8]?
    var (low, high) = (0, scalars.count)
    while low <= high {
      let middle = (low + high) / 2
      shorter.body = middle == 0 ? "" : String(String.UnicodeScalarView(scalars[..<middle])) + "…"
      bytes = encode(shorter)
      if bytes.count <= bytesMax {
        fitting = bytes
        low = middle + 1
      } else {
        high = middle - 1
      }
    }
    return fitting
  }
}

/// Whether `text` consists of 1 to `lengthMax` ASCII letters, digits, hyphens and underscores.
func isName(_ text: String, lengthMax: Int) -> Bool {
  (1...lengthMax).contains(text.utf8.count)
    && text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
}
