// What QREncoding needs of libqrencode: one function that makes a code, and one that frees it.
#include <qrencode.h>
