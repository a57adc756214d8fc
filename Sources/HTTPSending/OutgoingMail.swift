/// A mail to one recipient, to be sent over SMTP.
package struct OutgoingMail: Sendable {
  package var server: MailServer
  /// The envelope's sender, such as `shifts@example.com`; printable ASCII without `<` and `>`.
  package var sender: String
  package var recipient: String
  /// Header fields, an empty line and the body; lines end with CR LF, without a bare CR or LF.
  package var content: [UInt8]
  /// From `send` to the server's last reply, including the wait for a free connection.
  package var deadline: Duration
  /// Whether the server is only greeted, and logged in to, without a mail.
  private(set) var isGreeting = false

  /// Reaches `server` and sends nothing to anybody.
  package static func greeting(of server: MailServer, deadline: Duration) -> OutgoingMail {
    var mail = OutgoingMail(
      server: server, sender: "-", recipient: "-", content: [0x0D, 0x0A], deadline: deadline)
    mail.isGreeting = true
    return mail
  }

  package init(
    server: MailServer, sender: String, recipient: String, content: [UInt8],
    deadline: Duration = .seconds(60)
  ) {
    self.server = server
    self.sender = sender
    self.recipient = recipient
    self.content = content
    self.deadline = deadline
  }

  var fault: String? {
    let isPrintable = [sender, recipient, server.host, server.ownName].allSatisfy { text in
      !text.isEmpty
        && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"<>/".utf8.contains($0) }
    }
    guard isPrintable else { return "an address or name contains an invalid character" }
    var last: UInt8 = 0
    for byte in content {
      // A line end that servers understand differently can smuggle a second mail in.
      guard (last == 0x0D) == (byte == 0x0A) else { return "the content contains a bare CR or LF" }
      last = byte
    }
    return last == 0x0A ? nil : "the last line has no line end"
  }
}

package struct MailServer: Hashable, Sendable {
  package enum Protection: Hashable, Sendable {
    /// TLS is asked for once connected; without it nothing is sent.
    case startTLS
    /// TLS from the first byte, as on port 465.
    case tls
    case none
  }

  package var host: String
  package var port: UInt16
  package var protection: Protection
  package var login: Login?
  /// Our name in `EHLO`.
  package var ownName: String

  /// The server's credentials. Has no `description`: a secret must not get into a log by accident.
  package struct Login: Hashable, Sendable {
    let name: String
    let password: String

    package init(name: String, password: String) {
      self.name = name
      self.password = password
    }
  }

  package init(
    host: String, port: UInt16 = 587, protection: Protection = .startTLS, login: Login? = nil,
    ownName: String
  ) {
    self.host = host
    self.port = port
    self.protection = protection
    self.login = login
    self.ownName = ownName
  }
}

package struct MailReply: Hashable, Sendable {
  /// Three digits: 2… accepted, 4… temporary failure, 5… permanent failure.
  package var status: Int
  /// The same in more detail, such as `5.1.1`, or `nil` if the server gave none.
  /// - Source: RFC 3463.
  package var enhancedStatus: String?

  package init(status: Int, enhancedStatus: String? = nil) {
    self.status = status
    self.enhancedStatus = enhancedStatus
  }

  /// Reads the last line of a reply.
  init(status: Int, line: String) {
    self.status = status
    let words = line.dropFirst(4).split(whereSeparator: \.isWhitespace)
    let parts = words.first?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    let isEnhanced =
      parts.count == 3
      && parts.allSatisfy { (1...3).contains($0.utf8.count) && Int($0) != nil }
    enhancedStatus = isEnhanced ? words.first.map { String($0) } : nil
  }
}
