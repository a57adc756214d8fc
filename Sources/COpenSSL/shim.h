// EVP: digests. crypto: comparison in constant time. No function of ours: all that Cryptography
// calls is plain C that Swift imports as it is.
#include <openssl/crypto.h>
#include <openssl/evp.h>
