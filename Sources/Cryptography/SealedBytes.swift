internal import COpenSSL

/// `bytes`, encrypted with AES-128-GCM, followed by the tag of 16 bytes. `key` has 16 bytes;
/// `nonce` has 12, never used with this key before.
public func sealAES128GCM(_ bytes: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
  precondition(key.count == 16 && nonce.count == 12, "a key of 16 bytes and a nonce of 12")
  let context = unsafe EVP_CIPHER_CTX_new()
  defer { unsafe EVP_CIPHER_CTX_free(context) }
  var sealed = [UInt8](repeating: 0, count: bytes.count)
  var tag = [UInt8](repeating: 0, count: 16)
  var written: Int32 = 0
  var rest: Int32 = 0
  var none: UInt8 = 0
  let isSealed =
    unsafe EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1
    && EVP_EncryptUpdate(context, &sealed, &written, bytes, Int32(bytes.count)) == 1
    && EVP_EncryptFinal_ex(context, &none, &rest) == 1
    && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
  precondition(isSealed && Int(written) == bytes.count, "the OpenSSL at hand has no AES-GCM")
  return sealed + tag
}
