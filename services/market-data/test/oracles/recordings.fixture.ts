import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { recording } from '@tapeline/testing/recordings'
import { openSource } from '../../src/importers/sources/open-source.ts'
import { readLines } from '../../src/importers/sources/read-lines.ts'

export const binanceFiles = ['spot_btcusdt_20240808.gz', 'spot_btcusdt_20240809.gz'].map(
  (name) => recording('binance-spot', name) ?? '',
)
export const krakenFile = recording('kraken', 'KRAKEN.ws.50.0.gz') ?? ''
export const coinbaseFile = recording('coinbase', 'COINBASE.ws.28.0.gz') ?? ''
export const equityFiles = {
  spyTrades: recording('us-equity', 'spy_20131007_trade.zip') ?? '',
  ibmTrades: recording('us-equity', 'ibm_20131008_trade.zip') ?? '',
  ibmQuotes: recording('us-equity', 'ibm_20131008_quote.zip') ?? '',
}
export const hasRecordings = ![...binanceFiles, krakenFile, coinbaseFile, ...Object.values(equityFiles)].includes('')

export const CONNECT = {
  binance: 'binance:BTC-USDT',
  kraken: 'kraken:WAVES-EUR,XMR-USD,KSM-BTC,GRT-ETH,SC-EUR,ETH-CHF,OCEAN-BTC,OMG-USD,BTC-CHF,ADA-BTC',
  coinbase: 'coinbase:SKL-USD,SKL-BTC,BAND-GBP,NMR-EUR,BAND-BTC,YFI-BTC,DASH-BTC,NU-GBP,CRV-EUR,SKL-GBP',
} as const
export type VenueName = keyof typeof CONNECT

export async function linesOf(file: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) lines.push(line)
  return lines
}

/** The rows of the only entry of an archive. */
export async function rowsOfZip(file: string): Promise<string[]> {
  const rows: string[] = []
  for await (const some of readLines(await openSource(file))) rows.push(...some)
  return rows.filter((row) => row !== '')
}

const KRAKEN_BOOK = /^(?<at>\d{10}\.\d+): (?<frame>\[.*"book-1000","(?<pair>[A-Z/]+)"\])$/
type LevelV1 = [price: string, size: string, seconds: string]
type PartV1 = Partial<Record<'as' | 'bs' | 'a' | 'b', LevelV1[]> & { c: string }>

/** The book frames of a recording of Kraken's API v1 as its API v2 writes them: numbers with the digits of the original. */
export function krakenV2Lines(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const { at, frame, pair } = KRAKEN_BOOK.exec(line)?.groups ?? {}
    if (at === undefined || frame === undefined || pair === undefined) return []
    const parts = (JSON.parse(frame) as unknown[]).slice(1, -2) as PartV1[]
    const of = (name: 'as' | 'bs' | 'a' | 'b') => parts.flatMap((part) => part[name] ?? [])
    const isSnapshot = parts.some(({ as }) => as !== undefined)
    const [asks, bids] = isSnapshot ? [of('as'), of('bs')] : [of('a'), of('b')]
    const checksum = parts.flatMap(({ c }) => c ?? [])[0]
    const fields = [
      `"symbol":${JSON.stringify(pair.replace('XBT', 'BTC'))}`,
      `"bids":${levelsText(bids)}`,
      `"asks":${levelsText(asks)}`,
      `"timestamp":"${latestTime([...asks, ...bids])}"`,
      ...(checksum === undefined ? [] : [`"checksum":${checksum}`]),
    ]
    const type = isSnapshot ? 'snapshot' : 'update'
    return [`${at}: {"channel":"book","type":"${type}","data":[{${fields.join(',')}}]}`]
  })
}

function levelsText(levels: readonly LevelV1[]): string {
  return `[${levels.map(([price, size]) => `{"price":${price},"qty":${size}}`).join(',')}]`
}

function latestTime(levels: readonly LevelV1[]): string {
  const latest = levels.map(([, , seconds]) => seconds).reduce((one, other) => (one > other ? one : other))
  const [seconds = '', fraction = ''] = latest.split('.')
  return `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 19)}.${fraction}Z`
}
