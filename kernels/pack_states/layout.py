"""The state snapshot's layout, to the byte: 16,384 bytes, little-endian.

====== ======= ========= ==========================================================================================
offset bytes   type      field
====== ======= ========= ==========================================================================================
0      4       bytes     magic ``SSE1``
4      2       uint16    version of this layout (1)
6      2       uint16    dimensions of a state (384)
8      1       uint8     rows kept, 0 to 42
9      1       uint8     language of the text: 0 unknown, 1 English, 2 Chinese
10     1       uint8     kind of the decision point (engine.states.decision_points)
11     1       uint8     flags: 1 = tokens were left out, 2 = the text was longer than the encoder's windows take
12     8       uint64    the encoder and its layers (first 8 bytes of a BLAKE2b digest)
20     2       uint16    tokens of the whole text (65,535 for more)
22     2       uint16    reserved, 0
24     4       uint32    start of the text in the canonical text of its document, code points
28     4       uint32    end of it
32     84      uint16*42 start of each kept token, counted from the text's start
116    42      uint8*42  length of each kept token (255 for more)
158    11      bits      class of each kept token, 2 bits a row, row 0 in the lowest bits of byte 158
169    3       uint8*3   reserved, 0
172    84      float16   42 row scales
256    16,128  E4M3      42 rows of 384 (float8_e4m3fn: 1 sign, 4 exponent bits with bias 7, 3 mantissa bits, no
                         infinity, 0x7F and 0xFF are NaN and never written)
====== ======= ========= ==========================================================================================

Row i of the states is ``scale[i] * e4m3[i]`` and has length 1 up to the scale's rounding: late interaction needs
directions, and a layer norm's output says nothing by its length. Rows that are not used are zero, scale included.
Token classes: 0 other, 1 value (an amount, a period, a date …), 2 modal, negation or condition, 3 party or term.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BLOCK_BYTES = 16_384
HEADER_BYTES = 172
ROWS = 42
DIMENSIONS = 384
SCALES_AT = HEADER_BYTES
STATES_AT = SCALES_AT + 2 * ROWS
COUNT_AT = 8
CLASSES_AT = 158
CLASS_BYTES = 11
MAGIC = b"SSE1"
VERSION = 1
#: The largest finite E4M3 value.
E4M3_MAX = 448.0
#: The smallest normal E4M3 value is 2**-6; its subnormals are multiples of 2**-9.
E4M3_SMALLEST_NORMAL = 2.0**-6
#: Adding and taking away 1.5 * 2**14 leaves a float32 rounded to a multiple of 2**-9, to nearest even.
E4M3_SUBNORMAL_ADDEND = 24576.0
CLASS_COUNT = 4

#: The header as numpy reads and writes it.
HEADER: np.dtype[Any] = np.dtype(
    [
        ("magic", "S4"),
        ("version", "<u2"),
        ("dimensions", "<u2"),
        ("rows", "u1"),
        ("language", "u1"),
        ("kind", "u1"),
        ("flags", "u1"),
        ("encoder", "<u8"),
        ("tokens", "<u2"),
        ("reserved_a", "<u2"),
        ("start", "<u4"),
        ("end", "<u4"),
        ("token_start", "<u2", (ROWS,)),
        ("token_length", "u1", (ROWS,)),
        ("classes", "u1", (CLASS_BYTES,)),
        ("reserved_b", "u1", (3,)),
    ]
)
if HEADER.itemsize != HEADER_BYTES or STATES_AT + ROWS * DIMENSIONS != BLOCK_BYTES:
    raise AssertionError("the state snapshot's layout does not add up")
