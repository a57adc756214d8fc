// EVP: digests, keys, ciphers. crypto: comparison in constant time. ec: the two numbers of a
// signature. hmac: keyed digests. x509: public keys as bytes. No function of ours: all that
// Cryptography calls is plain C that Swift imports as it is.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/x509.h>
