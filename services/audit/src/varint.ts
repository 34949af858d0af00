const LOW_BITS = 128
/** Enough for all safe integers. */
export const VARINT_BYTES_MAX = 8

/** Writes a whole number, not negative and safe, as unsigned LEB128 (DWARF 5, 7.6): seven bits a byte, the lowest first. Returns its end. */
export function writeVarint(into: Uint8Array, value: number, start: number): number {
  let at = start
  let remaining = value
  while (remaining >= LOW_BITS) {
    into[at++] = (remaining % LOW_BITS) + LOW_BITS
    remaining = Math.floor(remaining / LOW_BITS)
  }
  into[at++] = remaining
  return at
}
