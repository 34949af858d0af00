import { TOPICS } from '@tapeline/contracts/topics'
import { type Figures, SOURCES } from './read-figures.ts'
import { BUSY_SHARE, carriedByOne, gigabytesADay, needAt, type Part, partsOf } from './reckon.ts'
import { addFirst, testedOf } from './page-texts.ts'

const RATES = [1_000, 10_000, 100_000] as const
/** By the shape of a usage event: no benchmark writes it. */
const JOURNAL_EVENT_BYTES = 1_200

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
  ['Part', 'µs', `carried by one core at ${share(BUSY_SHARE)}`, 'from', 'more of it'],
  parts.map((part) => [
    part.name,
    part.microsPerRequest.toFixed(part.microsPerRequest < 20 ? 1 : 0),
    `${count(carriedByOne(part))}/s`,
    sourceOf(figures, part),
    part.scales,
  ]),
)}

${batchesOf(figures)}

${noteOf(figures)}`,
    sumOf(figures, parts),
    `## What a day leaves

${storageOf(figures)}`,
    ...sections,
    `## What to add first

One core of each kind is full at the rate in the first table, from the top downwards.

${addFirst(parts)}`,
    `## What of this was tested

${table(
  ['', 'Tested', 'Not tested'],
  testedOf(figures).map(({ what, tested, open }) => [what, tested, open]),
)}
`,
  ].join('\n\n')
}

function sumOf(figures: Figures, parts: readonly Part[]): string {
  return `## What it adds up to

Cores of work, and how many of each when one is never busier than ${share(BUSY_SHARE)}.

${table(
  ['Part', ...RATES.flatMap((rate) => [`${count(rate)}/s: cores`, 'how many'])],
  parts.map((part) => [
    part.name,
    ...RATES.flatMap((rate) => {
      const { cores, count: howMany } = needAt(part, rate)
      return [cores < 10 ? cores.toFixed(1) : cores.toFixed(0), String(howMany)]
    }),
  ]),
)}

${beyondPartitions(parts)}${memoryOf(figures)}`
}

function sourceOf(figures: Figures, { source }: Part): string {
  const file = {
    gateway: SOURCES.bench,
    consumer: SOURCES.consumer,
    load: SOURCES.load,
    dashboard: SOURCES.dashboard,
    rows: SOURCES.rows,
    soak: SOURCES.rows,
  }
  return `[${file[source]}](benchmarks/${file[source]}), ${figures[source]?.at.slice(0, 10) ?? ''}`
}

function noteOf({ load }: Figures): string {
  if (load === undefined) {
    return (
      'What market-data, Kafka and the rest of PostgreSQL cost is not measured: it comes from ' +
      '`npm run load -- verify-and-read average --write`, of which no result is stored yet.'
    )
  }
  const { requestsPerSecond, cores, loadAverage, at } = load
  return (
    `The rows from ${SOURCES.load} are of a whole platform at ${requestsPerSecond.toFixed(0)} requests per second, half of which read trades ` +
    `(${cores} cores, load average ${loadAverage.before} before and ${loadAverage.after} after, ${at.slice(0, 10)}): simulator, relays and ` +
    'reconciler are in them, and weigh the more the lower the rate. Read them as upper bounds; what is said of PostgreSQL there ' +
    "contains audit's part of it."
  )
}

/** More consumers than partitions of the topic would find nothing to do. */
function beyondPartitions(parts: readonly Part[]): string {
  const consumer = parts.find(({ source, name }) => source === 'consumer' && name.includes('consumer'))
  const { partitions } = TOPICS.usage
  const rate = RATES.find((one) => consumer !== undefined && needAt(consumer, one).count > partitions)
  if (rate === undefined) return ''
  return `\`usage\` has ${partitions} partitions, so at ${count(rate)}/s it needs more of them, or cheaper events.\n\n`
}

function memoryOf({ gateway, dashboard }: Figures): string {
  return (
    `Memory is not the bottleneck: a gateway process uses ${gateway.rssMb.toFixed(0)} MB at ${count(gateway.perSecond)}/s, where its p99 was ` +
    `${gateway.p99Ms.toFixed(1)} ms ([${SOURCES.bench}](benchmarks/${SOURCES.bench})). At ${count(dashboard.perSecond)}/s through a whole platform on this ` +
    `machine a request was in the dashboard's numbers after ${(dashboard.p99Ms / 1_000).toFixed(1)} s at p99 ` +
    `([${SOURCES.dashboard}](benchmarks/${SOURCES.dashboard})).`
  )
}

function batchesOf({ consumer: { steadyMicros, steadyPerSecond } }: Figures): string {
  return `Audit's figures are for full batches, as under high load; at ${count(steadyPerSecond)}/s, with batches of a tenth of a second, an event costs its consumer ${steadyMicros.toFixed(0)} µs.`
}

function storageOf({ rows }: Figures): string {
  const kafka = RATES.map((rate) => `${count(rate)}/s: ${count(gigabytesADay(JOURNAL_EVENT_BYTES, rate))} GB`).join(
    ', ',
  )
  const journal = `A usage event is about ${count(JOURNAL_EVENT_BYTES)} bytes in the journal and in Kafka before compression (estimated from its schema, not measured); a day of them: ${kafka}.`
  if (rows === undefined)
    return `${journal}\n\nThe size of a row in PostgreSQL is not measured (\`node load-tests/soak.ts\`).`
  const day = RATES.map((rate) => `${count(rate)}/s: ${count(gigabytesADay(rows.bytesPerRow, rate))} GB`).join(', ')
  return (
    `${journal}\n\nIn PostgreSQL a row of the request log takes ${rows.bytesPerRow.toFixed(0)} bytes with its indexes, the sums ` +
    `${rows.rollUpBytesPerRow.toFixed(0)} more per request (${count(rows.rows)} rows, [${SOURCES.rows}](benchmarks/${SOURCES.rows})); a day of rows: ${day}. ` +
    'Rows are kept 7, 30 or 90 days by tier, so at 100,000/s the log, not the counting, is what outgrows one server: then the rows ' +
    'go to a column store and PostgreSQL keeps the sums, which do not grow with the rate but with accounts, keys and minutes.'
  )
}

function share(part: number): string {
  return `${Math.round(100 * part)} %`
}

/** Two figures that mean something, with commas. */
function count(value: number): string {
  return value < 10 ? value.toFixed(1) : Number(value.toPrecision(2)).toLocaleString('en')
}

function table(heads: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}
