import type { Summary } from './summarize.ts'

const PERCENT = 100

export function printTable(summary: Summary[], yardstick: string): void {
  const rows = summary.map((one) => ({
    '': one.target,
    'CPU µs / request': one.isDirect ? '' : one.cpuMicrosPerRequest.toFixed(1),
    [`× ${yardstick}`]: one.isDirect ? '' : one.cpuToYardstick.toFixed(2),
    'requests / s and core': one.isDirect ? '' : one.requestsPerSecondAndCore.toLocaleString('en'),
    'requests / s seen': Math.round(one.requestsPerSecond).toLocaleString('en'),
    'p50 ms': latency(one.p50Ms),
    'p99 ms': latency(one.p99Ms),
    'p50 added ms': one.addedP50Ms === undefined || one.isDirect ? '' : one.addedP50Ms.toFixed(2),
    'Redis µs': one.redisMicrosPerRequest === 0 ? '' : one.redisMicrosPerRequest.toFixed(1),
    'RSS MB': one.rssMb.toFixed(0),
    'core taken by others': `${(one.coreTakenByOthers * PERCENT).toFixed(0)} %`,
  }))
  console.log('\nMedians over the rounds; p50 and p99 at a fixed rate, from the intended start.\n')
  console.log(table(rows))
  for (const { target, threadMicrosPerRequest } of summary) {
    const split = Object.entries(threadMicrosPerRequest).map(([kind, micros]) => `${kind} ${micros.toFixed(1)}`)
    if (split.length > 1) console.log(`${target}, µs by thread: ${split.join(', ')}`)
  }
}

function latency(ms: number): string {
  return Number.isNaN(ms) ? 'not reached' : ms.toFixed(2)
}

function table(rows: Record<string, string>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => row[name]?.length ?? 0)))
  const line = (cells: string[]): string => cells.map((cell, index) => pad(cell, widths[index] ?? 0, index)).join('  ')
  return [line(names), ...rows.map((row) => line(names.map((name) => row[name] ?? '')))].join('\n')
}

/** Aligns names to the left and figures to the right. */
function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}
