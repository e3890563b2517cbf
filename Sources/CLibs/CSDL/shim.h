#pragma once
#include <dlfcn.h>
#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>

/* SDL is not linked but opened by those who need it: it brings some thirty libraries along, and every other command would
   wait for them at its start. This list is what is used of it. */
#define EDITOR_SDL_FUNCTIONS(X)                                                                                        \
    X(InitSubSystem) X(QuitSubSystem) X(GetError) X(SetHint) X(GetCurrentVideoDriver) X(CreateWindow) X(DestroyWindow)  \
    X(SetWindowTitle) X(GetDesktopDisplayMode) X(CreateRenderer) X(DestroyRenderer) X(GetRendererOutputSize)            \
    X(SetRenderDrawColor) X(RenderClear) X(RenderCopy) X(RenderFillRect) X(RenderPresent) X(CreateTexture)              \
    X(DestroyTexture) X(UpdateTexture) X(UpdateYUVTexture) X(SetTextureBlendMode) X(SetTextureScaleMode)                \
    X(SetYUVConversionMode) X(ComposeCustomBlendMode) X(PollEvent) X(WaitEventTimeout) X(OpenAudioDevice)               \
    X(CloseAudioDevice) X(QueueAudio) X(GetQueuedAudioSize) X(ClearQueuedAudio) X(PauseAudioDevice)

struct editor_sdl {
#define X(name) __typeof__(&SDL_##name) name;
    EDITOR_SDL_FUNCTIONS(X)
#undef X
};

/* Fills the table. Returns nil, or what is missing. */
static inline const char *_Nullable editor_sdl_open(struct editor_sdl *_Nonnull sdl) {
    void *library = dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return "libSDL2-2.0.so.0";
#define X(name)                                                                                                        \
    sdl->name = (__typeof__(&SDL_##name))dlsym(library, "SDL_" #name);                                                 \
    if (!sdl->name) return "SDL_" #name;
    EDITOR_SDL_FUNCTIONS(X)
#undef X
    return 0;
}

static inline int editor_pass_over_x_error(void *_Nullable display, void *_Nullable error) { return 0; }

/* Xlib ends the program at any error that the X server tells of, such as an event for a window that has just gone. A
   recording must not end with that. Does nothing where SDL has not opened Xlib. */
static inline void editor_outlive_x_errors(void) {
    typedef int (*handler)(void *, void *);
    void *library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (!library) return;
    handler (*set)(handler) = (handler(*)(handler))dlsym(library, "XSetErrorHandler");
    if (set) set(editor_pass_over_x_error);
    dlclose(library);
}

/* Macros that Swift does not import. */
static const int editor_SDL_WINDOWPOS_CENTERED = SDL_WINDOWPOS_CENTERED;
static const Uint32 editor_SDL_PIXELFORMAT_RGBA32 = SDL_PIXELFORMAT_RGBA32;
static const Uint32 editor_SDL_PIXELFORMAT_IYUV = SDL_PIXELFORMAT_IYUV;
static const Uint16 editor_AUDIO_F32 = AUDIO_F32SYS;
