const POLYNOMIAL = 0x82f63b78
const TABLES = 8
const ENTRIES = 256

const tables = makeTables()

/** CRC-32C (Castagnoli) of `bytes` from offset `from` to `to` (exclusive), eight bytes at a time. */
export function crc32c(bytes: Uint8Array, from: number, to: number): number {
  const at = (n: number): number => bytes[n] ?? 0
  const entry = (table: number, byte: number): number => tables[table * ENTRIES + (byte & 0xff)] ?? 0
  let crc = -1
  let n = from
  for (; n + TABLES <= to; n += TABLES) {
    const low = crc ^ (at(n) | (at(n + 1) << 8) | (at(n + 2) << 16) | (at(n + 3) << 24))
    crc =
      entry(7, low) ^
      entry(6, low >>> 8) ^
      entry(5, low >>> 16) ^
      entry(4, low >>> 24) ^
      entry(3, at(n + 4)) ^
      entry(2, at(n + 5)) ^
      entry(1, at(n + 6)) ^
      entry(0, at(n + 7))
  }
  for (; n < to; n += 1) crc = entry(0, crc ^ at(n)) ^ (crc >>> 8)
  return ~crc >>> 0
}

/** Table t is the effect of one byte on the checksum t bytes later. */
function makeTables(): Int32Array {
  const tables = new Int32Array(TABLES * ENTRIES)
  for (let byte = 0; byte < ENTRIES; byte += 1) {
    let crc = byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    tables[byte] = crc
  }
  for (let n = ENTRIES; n < tables.length; n += 1) {
    const earlier = tables[n - ENTRIES] ?? 0
    tables[n] = (earlier >>> 8) ^ (tables[earlier & 0xff] ?? 0)
  }
  return tables
}
