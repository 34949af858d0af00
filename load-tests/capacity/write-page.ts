import { TOPICS } from '@tapeline/contracts/topics'
import { type Figures, SOURCES } from './read-figures.ts'
import { BUSY_SHARE, requestsPerInstance, gigabytesPerDay, needAt, type Part, partsOf } from './estimate.ts'
import { addFirst, testedOf } from './page-texts.ts'

const RATES = [1_000, 10_000, 100_000] as const
const LOG_DAYS = 90
const DAYS_IN_LOG = 7
/** Measured by gateway/bench/measure-journal.ts, with the checksum; gateway/src/usage/usage-event.test.ts compares it with an event. */
const JOURNAL_EVENT_BYTES = 1_300

/** Writes docs/capacity.md from the stored figures only; new measurements change the page. */
export function writePage(figures: Figures, sections: readonly string[]): string {
  const parts = partsOf(figures)
  return [
    `# Capacity

The cost of a request, the resources for 1,000, 10,000 and 100,000 requests a second, and what to add first. \`npm run golden\` generates this
page from the files in \`docs/benchmarks\` (\`load-tests/capacity/write-page.ts\`); run it after a new measurement and review the
diff. The machine has two shared cores and 24 GB, so the figures are costs, not speeds, and everything beyond a few thousand
requests per second is **arithmetic, not a measurement**.`,
    `## What a request costs

One counted read with an API key. CPU time of one core, in microseconds.

${table(
  ['Part', 'µs', `capacity of one core at ${share(BUSY_SHARE)} load`, 'source', 'how to add capacity'],
  parts.map((part) => [
    part.name,
    part.microsPerRequest.toFixed(part.microsPerRequest < 20 ? 1 : 0),
    `${count(requestsPerInstance(part))}/s`,
    sourceOf(figures, part),
    part.scales,
  ]),
)}

${batchesOf(figures)}

${noteOf(figures)}`,
    sumOf(figures, parts),
    `## Storage per day

${storageOf(figures)}`,
    ...sections,
    `## What to add first

Components reach their capacity in the order of the first table, at the rates given there for one core.

${addFirst(parts)}`,
    `## What was tested

${table(
  ['', 'Tested', 'Not tested'],
  testedOf(figures).map(({ what, tested, open }) => [what, tested, open]),
)}
`,
  ].join('\n\n')
}

function sumOf(figures: Figures, parts: readonly Part[]): string {
  return `## Resources by request rate

Cores of work, and the number of instances (processes, servers) if none is to exceed ${share(BUSY_SHARE)} of a core.

${table(
  ['Part', ...RATES.flatMap((rate) => [`${count(rate)}/s: cores`, 'instances'])],
  parts.map((part) => [
    part.name,
    ...RATES.flatMap((rate) => {
      const { cores, count: howMany } = needAt(part, rate)
      return [coresText(cores), String(howMany)]
    }),
  ]),
)}

${beyondPartitions(parts)}${memoryOf(figures)}`
}

function coresText(cores: number): string {
  if (cores < 0.05) return '< 0.1'
  return cores < 10 ? cores.toFixed(1) : cores.toFixed(0)
}

function sourceOf(figures: Figures, { source }: Part): string {
  const file = {
    gateway: SOURCES.bench,
    consumer: SOURCES.consumer,
    load: SOURCES.load,
    dashboard: SOURCES.dashboard,
    rows: SOURCES.consumer,
    soak: SOURCES.soak,
  }
  return `[${file[source]}](benchmarks/${file[source]}), ${figures[source]?.at.slice(0, 10) ?? ''}`
}

function noteOf({ load }: Figures): string {
  if (load === undefined) {
    return (
      'The cost of market-data, Kafka and the rest of PostgreSQL is not measured yet: ' +
      '`npm run load -- verify-and-read average --write` would measure it, and no result of it is stored.'
    )
  }
  const { requestsPerSecond, cores, loadAverage, at } = load
  return (
    `The rows from ${SOURCES.load} were measured on a whole platform at ${requestsPerSecond.toFixed(0)} requests per second, half of which read trades ` +
    `(${cores} cores, load average ${loadAverage.before} before and ${loadAverage.after} after, ${at.slice(0, 10)}): simulator, relays and ` +
    'reconciliation are included, and their share is higher at lower rates. The figures are therefore upper bounds; the row of PostgreSQL ' +
    "includes audit's database."
  )
}

/** Consumers beyond the number of partitions stay idle. */
function beyondPartitions(parts: readonly Part[]): string {
  const consumer = parts.find(({ source, name }) => source === 'consumer' && name.includes('consumer'))
  const { partitions } = TOPICS.usage
  const rate = RATES.find((one) => consumer !== undefined && needAt(consumer, one).count > partitions)
  if (rate === undefined) return ''
  return `\`usage\` has ${partitions} partitions, so ${count(rate)}/s needs more partitions, or cheaper events.\n\n`
}

function memoryOf({ gateway, dashboard }: Figures): string {
  return (
    `Memory is not the bottleneck: a gateway process uses ${gateway.rssMb.toFixed(0)} MB at ${count(gateway.perSecond)}/s, where its p99 was ` +
    `${gateway.p99Ms.toFixed(1)} ms ([${SOURCES.bench}](benchmarks/${SOURCES.bench})). With ${count(dashboard.perSecond)}/s through a whole platform on this ` +
    `machine, a request was in the dashboard's numbers after ${(dashboard.p99Ms / 1_000).toFixed(1)} s at p99 ` +
    `([${SOURCES.dashboard}](benchmarks/${SOURCES.dashboard})).`
  )
}

function batchesOf({ consumer: { steadyMicros, steadyPerSecond } }: Figures): string {
  return `Audit's figures are for full batches, as under high load; at ${count(steadyPerSecond)}/s, with batches of a tenth of a second, its consumer uses ${steadyMicros.toFixed(0)} µs per event.`
}

function storageOf({ rows }: Figures): string {
  const kafka = RATES.map((rate) => `${count(rate)}/s: ${count(gigabytesPerDay(JOURNAL_EVENT_BYTES, rate))} GB`).join(
    ', ',
  )
  const journal = `A usage event takes about ${count(JOURNAL_EVENT_BYTES)} bytes in the journal and in Kafka before compression (an admitted request by key with six limits, \`gateway/bench/measure-journal.ts\`). Per day: ${kafka}.`
  if (rows === undefined)
    return `${journal}\n\nThe size of a row in PostgreSQL is not measured (\`node load-tests/soak.ts\`).`
  const day = RATES.map((rate) => `${count(rate)}/s: ${count(gigabytesPerDay(rows.bytesPerRow, rate))} GB`).join(', ')
  return (
    `${journal}\n\nIn PostgreSQL a row of the request log takes ${rows.bytesPerRow.toFixed(0)} bytes with its indexes (${count(rows.rows)} rows, ` +
    `[${SOURCES.consumer}](benchmarks/${SOURCES.consumer})), and the sums take ${rows.rollUpBytesPerRow.toFixed(0)} bytes per request ` +
    `([${SOURCES.soak}](benchmarks/${SOURCES.soak})); rows of one day: ${day}. ` +
    `After seven days (\`USAGE_ARCHIVE_AFTER_DAYS\`), rows move to the object store, where a request takes ${rows.archivedBytes.toFixed(0)} bytes ` +
    `([${SOURCES.archive}](benchmarks/${SOURCES.archive})): 90 days at 1,000/s are ${count(archivedGigabytes(rows.bytesPerRow, rows.archivedBytes))} GB ` +
    `in all, instead of ${count(gigabytesPerDay(rows.bytesPerRow, 1_000) * LOG_DAYS)} GB in PostgreSQL. One thread archives at most ` +
    `${count(1_000_000 / rows.archiveMicros)} requests per second, besides what PostgreSQL needs to read them. At 100,000/s neither that nor one server for two days of ` +
    'rows is enough: accounts would have to be divided among several databases, which is not implemented. The sums can stay in PostgreSQL: their size depends on accounts, keys and minutes, not on the rate.'
  )
}

/** Size of 90 days at 1,000 requests per second. */
function archivedGigabytes(loggedBytes: number, archivedBytes: number): number {
  const archivedDays = LOG_DAYS - DAYS_IN_LOG
  return gigabytesPerDay(loggedBytes, 1_000) * DAYS_IN_LOG + gigabytesPerDay(archivedBytes, 1_000) * archivedDays
}

function share(part: number): string {
  return `${Math.round(100 * part)} %`
}

/** Two significant digits, with thousands separators. */
function count(value: number): string {
  return value < 10 ? value.toFixed(1) : Number(value.toPrecision(2)).toLocaleString('en')
}

function table(heads: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}
