import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUSY_SHARE } from './estimate.ts'

type Pages = {
  source: string
  way: string
  clients: number
  serviceCpuMsPerPage?: number
  postgresCpuMsPerPage?: number
}
type LakeResult = { at: string; measured: { lake: { rows: number; bytes: number; days: number }; pages: Pages[] }[] }
type ImportResult = { at: string; measured: { into: string; cpuMicrosPerRow: number }[] }

const LAKE = 'lake.json'
const IMPORT = 'import.json'
const TRADES = [1e9, 1e11, 1e13] as const
const NAMES: Record<number, string> = { 1e9: '1 billion', 1e11: '100 billion', 1e13: '10 trillion' }
const PAGES_PER_SECOND = 1_000
const MS_PER_SECOND = 1_000
const MICROS_PER_HOUR = 3_600_000_000
const BYTES_PER_GB = 1e9

/** Storage, import and readers of sealed days for more trades than were measured, calculated from the stored figures. */
export function historySection(benchmarksDir: string): string {
  const lake = read<LakeResult>(benchmarksDir, LAKE)
  const sizes = lake.measured
  const largest = sizes.at(-1)
  const perRow = read<ImportResult>(benchmarksDir, IMPORT).measured.find(({ into }) => into === 'lake')?.cpuMicrosPerRow
  if (largest === undefined || perRow === undefined) throw new Error(`${LAKE} or ${IMPORT} has no figures`)
  const bytesPerRow = largest.lake.bytes / largest.lake.rows
  const cpuMs = cpuOf(largest.pages)
  const readers = Math.ceil((PAGES_PER_SECOND * cpuMs) / MS_PER_SECOND / BUSY_SHARE)
  const measured = sizes.map(
    ({ lake: { rows }, pages }) => `${cpuOf(pages).toFixed(1)} ms with ${millions(rows)} trades`,
  )
  const rows = TRADES.map((trades) => {
    const gigabytes = (trades * bytesPerRow) / BYTES_PER_GB
    const hours = (trades * perRow) / MICROS_PER_HOUR
    return [
      NAMES[trades] ?? '',
      storage(gigabytes),
      `${Math.ceil(hours).toLocaleString('en')} core hours`,
      `${readers} cores`,
    ]
  })
  return `## Storage of historical data

Sealed days of trades in a folder or a bucket: ${bytesPerRow.toFixed(1)} bytes per trade ([${LAKE}](benchmarks/${LAKE}), ${lake.at.slice(0, 10)},
${millions(largest.lake.rows)} trades) and ${perRow.toFixed(1)} µs of CPU to import a trade ([${IMPORT}](benchmarks/${IMPORT})). A page of 1,000 trades at a random position
costs ${measured.join(', ')}.

${[
  ['Trades', 'Storage', 'Import', `Readers for ${PAGES_PER_SECOND.toLocaleString('en')} pages/s`],
  ['---', '---', '---', '---'],
  ...rows,
]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n')}

Figures beyond ${millions(largest.lake.rows)} trades are calculated. A page reads one row of the manifest and two ranges of its file,
unless they are in the cache (\`LAKE_MEMORY_MB\`), so pages that are spread over more days cost more. Beyond the measured number of days, the
cost of the largest measured size is assumed. To grow, add storage (a larger bucket) and readers: a process of the role \`http\` has
no state except a cache, so any number of them can read the same bucket. Imports of different instruments run in parallel. The manifest in
PostgreSQL has one row per instrument, channel and day.`
}

/** CPU time of service and PostgreSQL together, for one client at random times of sealed days. */
function cpuOf(pages: Pages[]): number {
  const found = pages.find(({ source, way, clients }) => source === 'lake' && way === 'random place' && clients === 1)
  return (found?.serviceCpuMsPerPage ?? 0) + (found?.postgresCpuMsPerPage ?? 0)
}

function storage(gigabytes: number): string {
  return gigabytes < 1_000
    ? `${Math.ceil(gigabytes)} GB`
    : `${(gigabytes / 1_000).toFixed(gigabytes < 10_000 ? 1 : 0)} TB`
}

function millions(rows: number): string {
  return `${Math.round(rows / 1e6).toLocaleString('en')} M`
}

/** The files are written by this repository's benchmarks. */
function read<T>(dir: string, name: string): T {
  return JSON.parse(readFileSync(join(dir, name), 'utf8')) as T
}
