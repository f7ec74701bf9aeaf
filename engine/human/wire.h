/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.h - the fields of a protobuf message, one by one, from bytes of any origin. Pure.
 * After: protobuf.dev, "Encoding". */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *at;
    size_t left;
} Wire;

typedef enum { WIRE_VARINT, WIRE_EIGHT, WIRE_BYTES, WIRE_FOUR = 5 } WireKind;

typedef struct {
    uint32_t number;
    WireKind kind;
    uint64_t value; /* of WIRE_VARINT, and the little-endian bits of WIRE_EIGHT and WIRE_FOUR */
    Wire bytes;     /* of WIRE_BYTES */
} WireField;

/* Takes the next field; false at the message's end, and with *err set where the bytes are none. */
bool wire_next(Wire *wire, WireField *field, Error *err);
