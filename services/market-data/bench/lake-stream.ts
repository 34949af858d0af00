import { ACTOR_HEADER } from '@tapeline/service/actor-token'
import { dayStart } from '../src/nanoseconds.ts'
import { FIRST_DAY } from './busy-market.ts'
import { actorToken, type Server } from './lake-pages.ts'

const ROWS_MAX = 1_000_000
const BYTES_PER_SAMPLE = 20_000_000
const LINE_END = 10

/** One NDJSON stream of up to a million trades: how fast, and how much memory the service needs for it. */
export async function measureStream({ port, used }: Server, symbol: string) {
  const before = await used()
  const startedMs = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/trades/list`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/x-ndjson', [ACTOR_HEADER]: actorToken() },
    body: JSON.stringify({ venues: ['sim'], symbols: [symbol], start: String(dayStart(FIRST_DAY)), limit: ROWS_MAX }),
  })
  if (!response.ok || response.body === null) throw new Error(`the stream was answered with ${response.status}`)
  let [lines, bytes, mostBytes, samples] = [0, 0, before.rssBytes, 0]
  for await (const part of response.body) {
    bytes += part.length
    for (const code of part) if (code === LINE_END) lines += 1
    if (bytes < (samples + 1) * BYTES_PER_SAMPLE) continue
    samples += 1
    mostBytes = Math.max(mostBytes, (await used()).rssBytes)
  }
  const after = await used()
  const rows = lines - 1
  const seconds = (performance.now() - startedMs) / 1_000
  return {
    symbol,
    rows,
    bytes,
    rowsPerSecond: Math.round(rows / seconds),
    serviceCpuMicrosPerRow: Number(((after.cpuMicros - before.cpuMicros) / rows).toFixed(2)),
    rssMbBefore: Math.round(before.rssBytes / 1024 / 1024),
    rssMbMost: Math.round(mostBytes / 1024 / 1024),
  }
}
