// What GzipEncoding needs of zlib: the functions that compress.
#include <zlib.h>
