import Cryptography
import Foundation
import JSONText

/// The folder of credentials that the service manager gives a service.
package enum ServiceCredentials: Sendable, Equatable {
  /// The service's, as this program sees it; `nil`: the service has none.
  case folder(String?)
  /// The service may have some, and this program is another that does not see them.
  case unseen
}

/// The files that a file of settings names. A relative path is looked for among the credentials of
/// the service manager, then beside the file that names it.
package struct NamedFiles {
  private let folders: [String]
  private let credentials: ServiceCredentials

  init(beside path: String, credentials: ServiceCredentials) {
    self.credentials = credentials
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if case .folder(let first?) = credentials {
      folders = [first, folder]
    } else {
      folders = [folder]
    }
  }

  /// What is wrong with a name whose file may be a credential that this program does not see.
  static let unseen = "names a file that is not visible here"

  func contents(_ name: String, _ fields: JSONFields)
    throws(BodyFault) -> (path: String, bytes: [UInt8])
  {
    let named = try fields.required(name, fields.text(name, min: 1, max: 4_096))
    for path in named.hasPrefix("/") ? [named] : folders.map({ "\($0)/\(named)" }) {
      if let bytes = Self.read(path) { return (path, bytes) }
    }
    let isUnseen = credentials == .unseen && !named.hasPrefix("/")
    throw BodyFault(
      at: fields.place(name), isUnseen ? Self.unseen : "names a file that cannot be read")
  }

  func key(_ fields: JSONFields) throws(BodyFault) -> EllipticPrivateKey {
    let pem = String(decoding: try contents("keyFile", fields).bytes, as: UTF8.self)
    guard let key = EllipticPrivateKey(pem: pem) else {
      throw BodyFault(at: fields.place("keyFile"), "must name a P-256 key in PEM")
    }
    return key
  }

  /// A file of at most 1 MiB; `nil` if it cannot be read.
  package static func read(_ path: String) -> [UInt8]? {
    guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else {
      return nil
    }
    return Array(data)
  }
}
