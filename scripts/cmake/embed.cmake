# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the given files into a C file, with a function of HEADER's that gives each by its name.
# usage: cmake -DOUT=FILE.c -DFILES=A;B;… -DHEADER=FILE.h -DFUNCTION=NAME -P embed.cmake
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
