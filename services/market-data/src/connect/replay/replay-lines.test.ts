import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { NO_RECORDINGS, recording } from '@tapeline/testing/recordings'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, expect, test } from 'vitest'
import { canonicalDecimal } from '../../decimal.ts'
import { openSource } from '../../importers/sources/open-source.ts'
import { readLines } from '../../importers/sources/read-lines.ts'
import { FLAGS, type L2Record, type TradeRecord } from '../../store/record.ts'
import { createPriceLevels } from '../../venues/price-levels.ts'
import { parseConnect } from '../parse-connect.ts'
import { createRawFrames } from '../run/raw-frames.ts'
import { createReplay, type Replay } from './replay-lines.ts'

const files = ['spot_btcusdt_20240808.gz', 'spot_btcusdt_20240809.gz'].map(
  (name) => recording('binance-spot', name) ?? '',
)
const coinbaseFile = recording('coinbase', 'COINBASE.ws.28.0.gz') ?? ''
const hasRecordings = ![...files, coinbaseFile].includes('')
const COINBASE_SYMBOLS = 'SKL-USD,SKL-BTC,BAND-GBP,NMR-EUR,BAND-BTC,YFI-BTC,DASH-BTC,NU-GBP,CRV-EUR,SKL-GBP'
const dir = await mkdtemp(join(tmpdir(), 'tapeline-raw-'))
afterAll(() => rm(dir, { recursive: true }))

if (!hasRecordings) test.skip(NO_RECORDINGS, () => {})

function replayOf(connect: string): Replay {
  const [plan] = parseConnect(connect)
  if (plan === undefined) throw new Error(`${connect} has no instrument`)
  return createReplay(plan)
}

async function linesOf(file: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) lines.push(line)
  return lines
}

type Recorded = { trades: TradeRecord[]; l2Events: L2Record[] }

function play(
  replay: Replay,
  lines: readonly string[],
  onEvent: (event: L2Record) => void = () => undefined,
): Recorded {
  const recorded: Recorded = { trades: [], l2Events: [] }
  for (const line of lines) {
    for (const { trades, l2Events } of replay.line(line)?.outputs ?? []) {
      recorded.trades.push(...trades)
      recorded.l2Events.push(...l2Events)
      l2Events.forEach(onEvent)
    }
  }
  return recorded
}

test.skipIf(!hasRecordings)(
  'the best bid and offer of the recorded Binance book are those of the venue, without a gap',
  async () => {
    const lines = (await Promise.all(files.map(linesOf))).flat()
    const quotes = new Map<string, string>()
    for (const line of lines.filter((one) => one.includes('@bookTicker'))) {
      const { data } = JSON.parse(line.slice(line.indexOf('{'))) as {
        data: Record<'u' | 'b' | 'B' | 'a' | 'A', string>
      }
      quotes.set(String(data.u), [data.b, data.B, data.a, data.A].map(canonicalDecimal).join(' '))
    }
    const [bids, asks] = [createPriceLevels('bids'), createPriceLevels('asks')]
    let compared = 0
    const { trades, l2Events } = play(replayOf('binance:BTC-USDT'), lines, (event) => {
      bids.apply(event.bids)
      asks.apply(event.asks)
      const quote = event.type === 'update' ? quotes.get(event.venueLastId ?? '') : undefined
      if (quote === undefined) return
      compared += 1
      expect([bids.best(), asks.best()].flat().join(' ')).toBe(quote)
    })
    expect(compared).toBe(564 + 508)
    expect(l2Events.filter(({ type }) => type === 'gap')).toEqual([])
    expect([trades.length, l2Events.length]).toEqual([19_904, 1 + 6_493])
    expect(new Set(trades.map(({ flags }) => flags))).toEqual(new Set([FLAGS.replayed]))
  },
)

test.skipIf(!hasRecordings).each([2, 7, 100])(
  'with 1 of %i depth messages dropped, the next one is a gap, and no update follows',
  async (every) => {
    let position = 0
    const lines = (await linesOf(files[0] ?? '')).filter((line) => {
      if (!line.includes('depthUpdate')) return true
      position += 1
      return position < 20 || position % every !== 0
    })
    const { l2Events } = play(replayOf('binance:BTC-USDT'), lines)
    const gap = l2Events.findIndex(({ type }) => type === 'gap')
    expect(l2Events[gap]?.venueFirstId).not.toBe(String(Number(l2Events[gap - 1]?.venueLastId) + 1))
    // The recording has only one snapshot, so the book stays invalid after the gap.
    expect(l2Events).toHaveLength(gap + 1)
  },
)

test.skipIf(!hasRecordings)('the recorded Coinbase books are never crossed, and matches are complete', async () => {
  const { trades, l2Events } = play(replayOf(`coinbase:${COINBASE_SYMBOLS}`), await linesOf(coinbaseFile))
  const types = Map.groupBy(l2Events, ({ type }) => type)
  expect([...types].map(([type, events]) => [type, events.length])).toEqual([
    ['snapshot', 10],
    ['update', 9_719],
  ])
  expect(trades).toHaveLength(107)
})

test('raw frames are read as they were written', async () => {
  const raw = createRawFrames({ dir, maxBytes: 1_000_000, logger: silentLogger })
  const snapshot = '{"lastUpdateId":10,"bids":[["1.0","2"]],"asks":[["2.0","3"]]}'
  raw.write('1723161254206652067', 'open', 'wss://venue')
  raw.write('1723161254206652068', 'snapshot:BTCUSDT', snapshot)
  const update = { e: 'depthUpdate', E: 1723161255508, s: 'BTCUSDT', U: 11, u: 12, b: [['1.0', '0']], a: [] }
  raw.write('1723161254206652069', 'frame', JSON.stringify({ stream: 'btcusdt@depth@100ms', data: update }))
  raw.write('1723161254206652070', 'close', 'connection_lost')
  await raw.stop()
  const [name = ''] = await readdir(dir)
  const lines: string[] = []
  for await (const some of readLines(await openSource(join(dir, name)))) lines.push(...some)
  const { l2Events } = play(replayOf('binance:BTC-USDT,ETH-USDT'), lines)
  expect(l2Events.map(({ type, tsRecv, gap }) => [type, tsRecv, gap?.reason])).toEqual([
    ['snapshot', '1723161254206652068', undefined],
    ['update', '1723161254206652069', undefined],
    ['gap', '1723161254206652070', 'connection_lost'],
  ])
})

test('the oldest raw files are deleted when the total size exceeds the limit', async () => {
  for (let count = 0; count < 3; count += 1) {
    const raw = createRawFrames({ dir, maxBytes: 1, logger: silentLogger })
    raw.write('1723161254206652067', 'open', 'wss://venue')
    await raw.stop()
  }
  expect(await readdir(dir)).toEqual([])
})
