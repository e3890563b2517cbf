#pragma once
#include <dlfcn.h>
#include <libheif/heif.h>
#include <stdbool.h>

/// libheif's functions, found at run time.
typedef struct {
    __typeof__(&heif_context_alloc) context_alloc;
    __typeof__(&heif_context_free) context_free;
    __typeof__(&heif_context_read_from_memory_without_copy) context_read_from_memory_without_copy;
    __typeof__(&heif_context_get_primary_image_handle) context_get_primary_image_handle;
    __typeof__(&heif_image_handle_release) image_handle_release;
    __typeof__(&heif_image_handle_get_width) image_handle_get_width;
    __typeof__(&heif_image_handle_get_height) image_handle_get_height;
    __typeof__(&heif_image_handle_has_alpha_channel) image_handle_has_alpha_channel;
    __typeof__(&heif_image_handle_get_raw_color_profile_size) image_handle_get_raw_color_profile_size;
    __typeof__(&heif_image_handle_get_raw_color_profile) image_handle_get_raw_color_profile;
    __typeof__(&heif_decoding_options_alloc) decoding_options_alloc;
    __typeof__(&heif_decoding_options_free) decoding_options_free;
    __typeof__(&heif_decode_image) decode_image;
    __typeof__(&heif_image_get_width) image_get_width;
    __typeof__(&heif_image_get_height) image_get_height;
    __typeof__(&heif_image_get_plane_readonly) image_get_plane_readonly;
    __typeof__(&heif_image_release) image_release;
} editor_heif;

/// Loads libheif, which stays loaded; false when it is not installed.
static inline bool editor_heif_load(editor_heif *functions) {
    void *library = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
#define EDITOR_HEIF_FIND(name) \
    functions->name = (__typeof__(functions->name))dlsym(library, "heif_" #name); \
    if (!functions->name) return false
    EDITOR_HEIF_FIND(context_alloc);
    EDITOR_HEIF_FIND(context_free);
    EDITOR_HEIF_FIND(context_read_from_memory_without_copy);
    EDITOR_HEIF_FIND(context_get_primary_image_handle);
    EDITOR_HEIF_FIND(image_handle_release);
    EDITOR_HEIF_FIND(image_handle_get_width);
    EDITOR_HEIF_FIND(image_handle_get_height);
    EDITOR_HEIF_FIND(image_handle_has_alpha_channel);
    EDITOR_HEIF_FIND(image_handle_get_raw_color_profile_size);
    EDITOR_HEIF_FIND(image_handle_get_raw_color_profile);
    EDITOR_HEIF_FIND(decoding_options_alloc);
    EDITOR_HEIF_FIND(decoding_options_free);
    EDITOR_HEIF_FIND(decode_image);
    EDITOR_HEIF_FIND(image_get_width);
    EDITOR_HEIF_FIND(image_get_height);
    EDITOR_HEIF_FIND(image_get_plane_readonly);
    EDITOR_HEIF_FIND(image_release);
#undef EDITOR_HEIF_FIND
    return true;
}
