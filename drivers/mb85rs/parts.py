"""The parts of the family. Entry point: `PARTS`, loaded when a part is identified and not needed after that."""

# Product id (third and fourth byte of RDID), bytes, address bytes, name
PARTS = (
    (0x0101, 2 << 10, 2, "MB85RS16"),
    (0x0302, 8 << 10, 2, "MB85RS64V"),
    (0x2303, 8 << 10, 2, "MB85RS64T"),
    (0x0409, 16 << 10, 2, "MB85RS128B"),
    (0x2403, 16 << 10, 2, "MB85RS128TY"),
    (0x0509, 32 << 10, 2, "MB85RS256B"),
    (0x2503, 32 << 10, 2, "MB85RS256TY"),
    (0x2603, 64 << 10, 2, "MB85RS512T"),
    (0x2703, 128 << 10, 3, "MB85RS1MT"),
    (0x4803, 256 << 10, 3, "MB85RS2MTA"),
    (0x4903, 512 << 10, 3, "MB85RS4MT"),
)
