import { callOptions, type Command } from '../command.ts'
import { usageColumns, usageRowColumns } from '../output/columns.ts'
import { formatOf, writeOne } from '../output/output.ts'
import { connectAccount } from '../profiles/connect.ts'

const USAGE = '/api/v1/internal/apikeyaudit'

type Latency = { p50: number; p95: number; p99: number } | null
type Counted = { total: number; failed: number; denied: number; latency_ms: Latency }
type Report = Counted & {
  as_of: string
  series: Counted[]
  rows: Counted[]
  locked: { feature: string; tier: string }[]
}

export const usageCommand: Command = {
  name: 'usage',
  summary: 'Requests of the account by time, or by endpoint, key, status, outcome, hour or network',
  options: {
    period: { type: 'string', choices: ['1h', '24h', '7d', '30d', '90d'], text: 'Period up to now. Default: 24h.' },
    by: {
      type: 'string',
      choices: ['endpoint', 'key', 'status', 'outcome', 'hour', 'network'],
      text: 'Groups by this instead of by time.',
    },
    route: { type: 'string', value: 'path', text: 'Only this endpoint, such as /api/v1/trades/list.' },
    'key-id': { type: 'string', value: 'id', text: 'Only this key, or "session".' },
    ...callOptions,
  },
  run: async (args) => {
    const groupBy = args.text('by')
    const path = `${USAGE}/${groupBy === undefined ? 'dashboard-metrics' : 'usage-breakdown'}`
    const filter = { route: args.text('route'), apiKeyId: args.text('key-id') }
    const query = { period: args.text('period') ?? '24h', groupBy, ...filter }
    const { data } = await (await connectAccount(args)).call<{ data: Report }>({ method: 'GET', path, query })
    const format = formatOf(args)
    if (format === 'table') process.stderr.write(`${summaryOf(data)}\n`)
    else if (data.locked.length > 0) process.stderr.write(`${lockedIn(data)}\n`)
    const rows = (groupBy === undefined ? data.series : data.rows).map(withPercentiles)
    await writeOne({ whole: data, rows }, format, groupBy === undefined ? usageColumns : usageRowColumns)
  },
}

function summaryOf({ total, failed, denied, latency_ms: latency, as_of: asOf, locked }: Report): string {
  const time = latency === null ? '' : `, p95 ${latency.p95.toFixed(1)} ms`
  const plans = locked.length === 0 ? '' : ` ${lockedIn({ locked })}`
  return `${total} requests, ${failed} failed, ${denied} of them over a limit${time}, counted up to ${asOf}.${plans}`
}

function lockedIn({ locked }: Pick<Report, 'locked'>): string {
  return locked.map(({ feature, tier }) => `${feature} requires the plan ${tier}.`).join(' ')
}

function withPercentiles({ latency_ms: latency, ...row }: Counted): object {
  return { ...row, p50_ms: latency?.p50 ?? null, p95_ms: latency?.p95 ?? null, p99_ms: latency?.p99 ?? null }
}
