import Postgres

/// Why the database cannot be used, as far as the message of libpq or the server shows.
enum DatabaseCause: CaseIterable {
  case noRole, peer, password, noDatabase, refused, unknownHost, tls, notAllowed

  /// `nil`: the message says something else.
  init?(_ message: String) {
    guard let cause = Self.allCases.first(where: { $0.isNamed(in: message) }) else { return nil }
    self = cause
  }

  private func isNamed(in message: String) -> Bool {
    switch self {
    case .noRole: message.contains("role \"") && message.contains("does not exist")
    case .peer: message.contains("Peer authentication failed")
    case .password:
      message.contains("password authentication failed") || message.contains("no password supplied")
    case .noDatabase: message.contains("database \"") && message.contains("does not exist")
    case .refused:
      message.contains("Connection refused") || message.contains("No such file or directory")
    case .unknownHost: message.contains("could not translate host name")
    case .tls: message.contains("SSL") || message.contains("certificate")
    case .notAllowed: message.contains("no pg_hba.conf entry")
    }
  }

  /// What to do.
  var remedy: String {
    switch self {
    case .noRole, .peer:
      """
      run this as the user of guardd (`sudo -u shiftguard guardctl …`), or name a role in the URL
      """
    case .password: "correct `database-password`, or the password of the role"
    case .noDatabase:
      "create it (`sudo -u postgres createdb --owner=shiftguard shiftguard`), or correct its name"
    case .refused: "start PostgreSQL, or correct the address"
    case .unknownHost: "correct the host name in the address"
    case .tls: "correct `sslmode` or `sslrootcert` in the address, or the server's certificate"
    case .notAllowed: "allow this role and address in the server's `pg_hba.conf`"
    }
  }
}
