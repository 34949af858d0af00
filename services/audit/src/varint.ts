const LOW_BITS = 128

/** Appends a whole number, not negative and safe, as unsigned LEB128 (DWARF 5, 7.6): seven bits a byte, the lowest first. */
export function pushVarint(bytes: number[], value: number): void {
  let remaining = value
  while (remaining >= LOW_BITS) {
    bytes.push((remaining % LOW_BITS) + LOW_BITS)
    remaining = Math.floor(remaining / LOW_BITS)
  }
  bytes.push(remaining)
}
