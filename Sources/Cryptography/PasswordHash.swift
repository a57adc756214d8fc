internal import COpenSSL

public struct ScryptCost: Hashable, Sendable {
  /// Memory and time: 2 to this power blocks; 1…20.
  public var logN: Int
  /// A block's size in units of 128 bytes; 1…32.
  public var blockSize: Int
  /// The number of repetitions; 1…16.
  public var rounds: Int

  /// A cost; values out of range are our bug.
  public init(logN: Int, blockSize: Int, rounds: Int) {
    precondition((1...20).contains(logN), "1…20")
    precondition((1...32).contains(blockSize) && (1...16).contains(rounds), "1…32 and 1…16")
    self.logN = logN
    self.blockSize = blockSize
    self.rounds = rounds
  }

  /// 32 MiB, three times: as expensive for a guesser as 128 MiB once, and small for the service.
  /// - Source: OWASP's Password Storage Cheat Sheet.
  public static let usual = ScryptCost(logN: 15, blockSize: 8, rounds: 3)
}

/// The system did not provide the memory for a password check.
public struct ScryptFailure: Error, Hashable, Sendable {}

public struct PasswordHash: Hashable, Sendable {
  public let cost: ScryptCost
  let salt: [UInt8]
  let key: [UInt8]

  /// With its own salt. Takes a tenth of a second or more: not for one of Swift's threads.
  public init(of password: [UInt8], cost: ScryptCost = .usual) throws(ScryptFailure) {
    self.cost = cost
    salt = randomBytes(16)
    key = try scrypt(password, salt: salt, cost: cost, count: 32)
  }

  /// Reads `$scrypt$ln=15,r=8,p=3$<salt>$<key>`, or `nil`.
  public init?(text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
      let match = parts[2].wholeMatch(of: /ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})/),
      let logN = Int(match.1), let blockSize = Int(match.2), let rounds = Int(match.3),
      (1...20).contains(logN), (1...32).contains(blockSize), (1...16).contains(rounds),
      let salt = Base64URL.decode(String(parts[3])), let key = Base64URL.decode(String(parts[4])),
      key.count == 32
    else { return nil }
    cost = ScryptCost(logN: logN, blockSize: blockSize, rounds: rounds)
    self.salt = salt
    self.key = key
  }

  public var text: String {
    "$scrypt$ln=\(cost.logN),r=\(cost.blockSize),p=\(cost.rounds)"
      + "$\(Base64URL.encode(salt))$\(Base64URL.encode(key))"
  }

  public func matches(_ password: [UInt8]) throws(ScryptFailure) -> Bool {
    constantTimeEqual(try scrypt(password, salt: salt, cost: cost, count: key.count), key)
  }
}

/// `count` bytes derived from `password` and `salt` at this `cost`.
/// - Source: RFC 7914.
func scrypt(
  _ password: [UInt8], salt: [UInt8], cost: ScryptCost, count: Int
) throws(ScryptFailure) -> [UInt8] {
  let (blocks, size) = (UInt64(1) << UInt64(cost.logN), UInt64(cost.blockSize))
  let rounds = UInt64(cost.rounds)
  var key = [UInt8](repeating: 0, count: count)
  let status = unsafe EVP_PBE_scrypt(
    password.map { CChar(bitPattern: $0) }, password.count, salt, salt.count, blocks, size, rounds,
    128 * size * (blocks + rounds + 2) + 1 << 20, &key, count)
  guard status == 1 else { throw ScryptFailure() }
  return key
}
