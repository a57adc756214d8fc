/// The version of the programs and of the Debian package.
public let productVersion = "0.1.0"
