/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/wire.h"

static bool take_varint(Wire *wire, uint64_t *value)
{
    *value = 0;
    for (int shift = 0; shift < 64 && wire->left > 0; shift += 7) {
        uint8_t byte = *wire->at++;
        wire->left--;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool take_fixed(Wire *wire, size_t size, uint64_t *value)
{
    if (wire->left < size)
        return false;
    *value = 0;
    for (size_t i = 0; i < size; i++)
        *value |= (uint64_t)wire->at[i] << 8 * i;
    wire->at += size;
    wire->left -= size;
    return true;
}

static bool take_bytes(Wire *wire, Wire *bytes)
{
    uint64_t size;
    if (!take_varint(wire, &size) || size > wire->left)
        return false;
    *bytes = (Wire){ wire->at, (size_t)size };
    wire->at += size;
    wire->left -= (size_t)size;
    return true;
}

bool wire_next(Wire *wire, WireField *field, Error *err)
{
    uint64_t key;
    bool ok = false;
    if (wire->left == 0)
        return false;
    *field = (WireField){ 0 };
    if (take_varint(wire, &key) && key >> 3 <= UINT32_MAX && key >> 3 > 0) {
        field->number = (uint32_t)(key >> 3);
        field->kind = (WireKind)(key & 7);
        switch (field->kind) {
        case WIRE_VARINT:
            ok = take_varint(wire, &field->value);
            break;
        case WIRE_EIGHT:
            ok = take_fixed(wire, 8, &field->value);
            break;
        case WIRE_BYTES:
            ok = take_bytes(wire, &field->bytes);
            break;
        case WIRE_FOUR:
            ok = take_fixed(wire, 4, &field->value);
            break;
        }
    }
    if (!ok)
        error_set(err, ERR_INVALID, "cut short, or no protobuf message");
    return ok;
}
