# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the given files into a C file, with a function of HEADER's that gives each by its name.
#   castled_embed(VARIABLE FUNCTION name HEADER file.h FILES file…)   VARIABLE becomes the path of the C file
# The same file is the script that does it during the build.
if(NOT CMAKE_SCRIPT_MODE_FILE)
    function(castled_embed variable)
        cmake_parse_arguments(PARSE_ARGV 1 embed "" "FUNCTION;HEADER" "FILES")
        set(out ${PROJECT_BINARY_DIR}/generated/${variable}.c)
        set(script ${PROJECT_SOURCE_DIR}/scripts/cmake/embed.cmake)
        add_custom_command(OUTPUT ${out}
            COMMAND ${CMAKE_COMMAND} -DOUT=${out} "-DFILES=${embed_FILES}" -DHEADER=${embed_HEADER}
                    -DFUNCTION=${embed_FUNCTION} -P ${script}
            DEPENDS ${embed_FILES} ${script} VERBATIM)
        set(${variable} ${out} PARENT_SCOPE)
    endfunction()
    return()
endif()

set(rows "")
set(code "")
set(number 0)
foreach(file IN LISTS FILES)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    get_filename_component(name ${file} NAME)
    string(APPEND code "static const unsigned char file_${number}[] = {${bytes}};\n")
    string(APPEND rows "    {\"${name}\", file_${number}, sizeof file_${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "#include \"${HEADER}\"\n\n${code}
static const struct { const char *name; const unsigned char *bytes; size_t len; } files[] = {\n${rows}};

Text ${FUNCTION}(const char *name)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (text_is(text_of(files[i].name), name))
            return (Text){ (const char *)files[i].bytes, files[i].len };
    return (Text){ 0 };
}\n")
