# SPDX-License-Identifier: GPL-3.0-or-later
# How every file here is compiled: `castled_flags` is linked by each target of ours.
add_library(castled_flags INTERFACE)
target_include_directories(castled_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(castled_flags INTERFACE
    _GNU_SOURCE CASTLED_VERSION="${PROJECT_VERSION}"
    $<$<BOOL:${CASTLED_PORTABLE}>:CASTLED_PORTABLE>
    $<$<BOOL:${CASTLED_STATIC}>:CASTLED_STATIC>
    $<$<BOOL:${CASTLED_TUNE}>:CASTLED_TUNE>)
target_compile_options(castled_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
    -Wvla -Wundef -Wformat=2 -Wcast-align $<$<BOOL:${CASTLED_WERROR}>:-Werror> -fno-common -fvisibility=hidden)

# Our enums hold integers, and clang 19 warns of each that meets a double.
target_compile_options(castled_flags INTERFACE $<$<C_COMPILER_ID:Clang>:-Wno-enum-float-conversion>)
# On some processors clang 19 finds fault with what it makes of -march=native itself.
if(CMAKE_C_COMPILER_ID STREQUAL "Clang" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
    target_compile_options(castled_flags INTERFACE -Wno-invalid-feature-combination)
endif()

if(CASTLED_PORTABLE)
    # What is given away has the same bytes in whatever folder it was built.
    target_compile_options(castled_flags INTERFACE
        -ffile-prefix-map=${PROJECT_BINARY_DIR}=build -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        target_compile_options(castled_flags INTERFACE -march=x86-64-v2)
    endif()
else()
    target_compile_options(castled_flags INTERFACE -march=native)
endif()

if(CASTLED_SANITIZE)
    target_compile_options(castled_flags INTERFACE
        -fsanitize=${CASTLED_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(castled_flags INTERFACE -fsanitize=${CASTLED_SANITIZE})
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
    if(CASTLED_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        # Programs with the property LINK_TIME_OPTIMISED are optimised across files; the many tests link the same
        # objects as they are.
        target_compile_options(castled_flags INTERFACE -flto=auto -ffat-lto-objects)
        target_link_options(castled_flags INTERFACE
            $<IF:$<BOOL:$<TARGET_PROPERTY:LINK_TIME_OPTIMISED>>,-flto=auto,-fno-lto>)
    endif()
endif()

include(scripts/cmake/hardening.cmake)
