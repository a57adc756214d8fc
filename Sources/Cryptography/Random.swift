// Swift's generator uses the kernel (`getrandom`) for every word and cannot fail, which avoids
// an error that no caller could handle.

public func randomBytes(_ count: Int) -> [UInt8] {
  precondition(count >= 0)
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count + 7)
  while bytes.count < count {
    var word = randomUInt64()
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: word))
      word >>= 8
    }
  }
  return Array(bytes.prefix(count))
}

/// 64 random bits, suitable for secrets.
public func randomUInt64() -> UInt64 {
  var generator = SystemRandomNumberGenerator()
  return generator.next()
}
