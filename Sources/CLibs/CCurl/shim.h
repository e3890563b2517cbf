#pragma once
/* Types and constants only: the library is loaded when something is fetched. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/* curl_easy_setopt and curl_easy_getinfo take their value as a variable argument, which Swift cannot pass. */
typedef CURLcode (*editor_curl_setopt)(CURL *, CURLoption, ...);
typedef CURLcode (*editor_curl_getinfo)(CURL *, CURLINFO, ...);
static inline CURLcode editor_curl_set_long(void *function, CURL *handle, CURLoption option, long value) {
    return ((editor_curl_setopt)function)(handle, option, value);
}
static inline CURLcode editor_curl_set_large(void *function, CURL *handle, CURLoption option, curl_off_t value) {
    return ((editor_curl_setopt)function)(handle, option, value);
}
static inline CURLcode editor_curl_set_pointer(void *function, CURL *handle, CURLoption option, const void *value) {
    return ((editor_curl_setopt)function)(handle, option, value);
}
static inline CURLcode editor_curl_get_long(void *function, CURL *handle, CURLINFO info, long *value) {
    return ((editor_curl_getinfo)function)(handle, info, value);
}
static inline CURLcode editor_curl_set_write(void *function, CURL *handle, curl_write_callback value) {
    return ((editor_curl_setopt)function)(handle, CURLOPT_WRITEFUNCTION, value);
}
static inline CURLcode editor_curl_set_header(void *function, CURL *handle, curl_write_callback value) {
    return ((editor_curl_setopt)function)(handle, CURLOPT_HEADERFUNCTION, value);
}
static inline CURLcode editor_curl_set_progress(void *function, CURL *handle, curl_xferinfo_callback value) {
    return ((editor_curl_setopt)function)(handle, CURLOPT_XFERINFOFUNCTION, value);
}
static inline CURLcode editor_curl_set_socket(void *function, CURL *handle, curl_opensocket_callback value) {
    return ((editor_curl_setopt)function)(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}
static const long editor_CURL_GLOBAL_DEFAULT = CURL_GLOBAL_DEFAULT;
