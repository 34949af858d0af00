/** A record as it is in a DBN file; prices in units of 1e-9. */
export type DbnRow = {
  instrumentId: number
  tsEvent: bigint
  tsRecv: bigint
  action: string
  side: string
  price: bigint
  size: number
  /** 0 if undefined. */
  flags?: number
  sequence: number
  levels: { bid: bigint; ask: bigint; bidSize: number; askSize: number }[]
}
export type DbnFile = {
  version: 1 | 2 | 3
  dataset: string
  schema: 'trades' | 'mbp-1' | 'mbp-10'
  /** The symbols of instrument ids, valid in 2023. */
  symbols: Record<number, string>
  rows: readonly DbnRow[]
}

const SCHEMAS = { trades: [4, 0], 'mbp-1': [1, 1], 'mbp-10': [2, 10] } as const
const PUBLISHER = 2

/** A whole file, written as the specification of DBN says. */
export function makeDbn({ version, dataset, schema, symbols, rows }: DbnFile): Buffer {
  const symbolBytes = version === 1 ? 22 : 71
  const text = (value: string, length: number) =>
    Buffer.concat([Buffer.from(value), Buffer.alloc(length)]).subarray(0, length)
  const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer)
  const u64 = (value: bigint) => Buffer.from(BigUint64Array.of(value).buffer)
  const names = Object.values(symbols)
  const list = (values: string[]) => [u32(values.length), ...values.map((value) => text(value, symbolBytes))]
  const mappings = Object.entries(symbols).flatMap(([id, symbol]) => [
    text(symbol, symbolBytes),
    u32(1),
    u32(20230101),
    u32(20240101),
    text(id, symbolBytes),
  ])
  const body = Buffer.concat([
    text(dataset, 16),
    Buffer.from(Uint16Array.of(SCHEMAS[schema][0]).buffer),
    u64(0n),
    u64(0n),
    u64(0n),
    ...(version === 1 ? [u64(BigInt(rows.length))] : []),
    // Symbols in are raw symbols, out are instrument ids; no ts_out.
    Buffer.from([1, 0, 0]),
    ...(version === 1 ? [Buffer.alloc(47)] : [Buffer.from(Uint16Array.of(symbolBytes).buffer), Buffer.alloc(53)]),
    u32(0),
    ...list(names),
    ...list([]),
    ...list([]),
    u32(names.length),
    ...mappings,
  ])
  const padding = version === 3 ? Buffer.alloc((8 - (body.length % 8)) % 8) : Buffer.alloc(0)
  const start = Buffer.concat([Buffer.from('DBN'), Buffer.from([version]), u32(body.length + padding.length)])
  return Buffer.concat([start, body, padding, ...rows.map((row) => recordOf(row, SCHEMAS[schema][1]))])
}

function recordOf(row: DbnRow, depth: number): Buffer {
  const bytes = Buffer.alloc(48 + 32 * depth)
  bytes[0] = bytes.length / 4
  bytes[1] = depth
  bytes.writeUInt16LE(PUBLISHER, 2)
  bytes.writeUInt32LE(row.instrumentId, 4)
  bytes.writeBigUInt64LE(row.tsEvent, 8)
  bytes.writeBigInt64LE(row.price, 16)
  bytes.writeUInt32LE(row.size, 24)
  bytes.write(row.action, 28, 'latin1')
  bytes.write(row.side, 29, 'latin1')
  bytes[30] = row.flags ?? 0
  bytes.writeBigUInt64LE(row.tsRecv, 32)
  bytes.writeUInt32LE(row.sequence, 44)
  for (let level = 0; level < depth; level += 1) {
    const { bid, ask, bidSize, askSize } = row.levels[level] ?? NO_LEVEL
    const at = 48 + 32 * level
    bytes.writeBigInt64LE(bid, at)
    bytes.writeBigInt64LE(ask, at + 8)
    bytes.writeUInt32LE(bidSize, at + 16)
    bytes.writeUInt32LE(askSize, at + 20)
  }
  return bytes
}

export const NO_PRICE = 0x7fff_ffff_ffff_ffffn
const NO_LEVEL = { bid: NO_PRICE, ask: NO_PRICE, bidSize: 0, askSize: 0 }
