import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { findTool, toolsFolder } from '../../../deploy/tools/find-tool.ts'
import { dayStart } from '../src/nanoseconds.ts'
import { FIRST_DAY, SECONDS_PER_DAY } from './busy-market.ts'
import { PAGE_ROWS, quantile } from './lake-pages.ts'

const CHDB = 'chdb==4.4.0'
const INSTALL_TIMEOUT_MS = 600_000
const RUN_TIMEOUT_MS = 600_000

type Answer = { times: number[]; cpuMs: number; version: string }

/** Pages at random places from the same files by ClickHouse's engine in a separate process; undefined without Python. */
export function measureClickHouse(folder: string, days: number, pages: number) {
  const python = installChdb()
  if (python === undefined) return undefined
  const random = seededRandom(7)
  const places = Array.from({ length: pages }, () => {
    const second = Math.floor(random() * (days * SECONDS_PER_DAY - 2 * PAGE_ROWS))
    const start = String(dayStart(FIRST_DAY) + BigInt(second) * 1_000_000_000n)
    const date = (day: number) => new Date(day * SECONDS_PER_DAY * 1_000).toISOString().slice(0, 10)
    const day = FIRST_DAY + Math.floor(second / SECONDS_PER_DAY)
    return { days: day + 1 < FIRST_DAY + days ? [date(day), date(day + 1)] : [date(day)], start }
  })
  const input = JSON.stringify({ folder, pages: places, rows: PAGE_ROWS })
  const out = execFileSync(python, [join(import.meta.dirname, 'clickhouse_pages.py')], {
    input,
    encoding: 'utf8',
    timeout: RUN_TIMEOUT_MS,
  })
  const { times, cpuMs, version } = JSON.parse(out) as Answer
  const sorted = times.toSorted((one, other) => one - other)
  return {
    source: 'clickhouse',
    version: JSON.parse(version) as string,
    days,
    way: 'random place',
    clients: 1,
    pages,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    cpuMsPerPage: Number((cpuMs / pages).toFixed(2)),
  }
}

function installChdb(): string | undefined {
  const python3 = findTool('python3')
  if (python3 === undefined) return undefined
  const folder = join(toolsFolder(), 'chdb')
  mkdirSync(folder, { recursive: true })
  const options = { timeout: INSTALL_TIMEOUT_MS, stdio: 'ignore' } as const
  execFileSync(python3, ['-m', 'venv', folder], options)
  execFileSync(join(folder, 'bin', 'pip'), ['install', '--quiet', CHDB], options)
  return join(folder, 'bin', 'python')
}
