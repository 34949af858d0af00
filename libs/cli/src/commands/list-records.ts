import type { ListOptions, TradePage } from '@tapeline/client'
import type { Arguments } from '../arguments.ts'
import {
  callOptions,
  type Command,
  l2Options,
  type Option,
  rangeOptions,
  selectionOptions,
  sideOption,
} from '../command.ts'
import { CommandError } from '../command-error.ts'
import { barColumns, type Columns, l2Columns, tradeColumns } from '../output/columns.ts'
import { withoutControls } from '../output/format-records.ts'
import { formatOf, takeRecords, writeBatches } from '../output/output.ts'
import { connect, PATIENT } from '../profiles/connect.ts'

const LIMIT_DEFAULT = 100
const PAGE_SIZE = 1_000
/** Lines about missing records: a range of years may have many gaps. */
const MISSING_SHOWN_MAX = 5

const listOptions = {
  ...selectionOptions,
  ...rangeOptions,
  limit: { type: 'string', value: 'n|all', text: 'Maximum number of records. Default: 100; all with --follow.' },
  order: {
    type: 'string',
    choices: ['asc', 'desc'],
    text: 'Order by time. Default: asc with --since or --follow, desc otherwise.',
  },
  follow: { type: 'boolean', text: 'Keeps waiting for new records until Ctrl-C; starts now unless --since is given.' },
  ...callOptions,
} as const satisfies Record<string, Option>

export const tradesCommand: Command = {
  name: 'trades',
  operands: '[symbol…]',
  summary: 'Trades',
  options: { ...sideOption, ...listOptions },
  run: async (args) => {
    const filter = { ...selectionOf(args), ...optional('side', args.text('side') as 'buy' | undefined) }
    const tapeline = await connect(args)
    await listRecords(args, tradeColumns, (options) => tapeline.trades.list(filter, options))
  },
}

export const l2Command: Command = {
  name: 'l2',
  operands: '[symbol…]',
  summary: 'Order-book snapshots and changes',
  options: { ...l2Options, ...listOptions },
  run: async (args) => {
    const types = args.list('type') as 'snapshot'[] | undefined
    const filter = { ...selectionOf(args), ...optional('types', types), ...optional('depth', args.count('depth')) }
    const tapeline = await connect(args)
    await listRecords(args, l2Columns, (options) => tapeline.l2events.list(filter, options))
  },
}

export const barsCommand: Command = {
  name: 'bars',
  operands: '[symbol…]',
  summary: 'Time, tick, volume or dollar bars',
  options: {
    interval: {
      type: 'string',
      choices: '1s 5s 10s 15s 30s 1m 5m 10m 15m 30m 1h 2h 4h 6h 12h 1d'.split(' '),
      text: 'Default 1m.',
    },
    'time-zone': { type: 'string', value: 'name', text: 'IANA time zone in which days and hours begin. Default UTC.' },
    ticks: { type: 'string', value: 'n', text: 'Trades per bar.' },
    volume: { type: 'string', value: 'decimal', text: 'Sum of sizes that completes a bar.' },
    dollars: { type: 'string', value: 'decimal', text: 'Sum of price × size that completes a bar.' },
    ...listOptions,
  },
  run: async (args) => {
    const filter = {
      ...selectionOf(args),
      ...optional('interval', args.text('interval') as '1m' | undefined),
      ...optional('time_zone', args.text('time-zone')),
      ...optional('ticks', args.count('ticks')),
      ...optional('volume', args.text('volume')),
      ...optional('dollars', args.text('dollars')),
    }
    const tapeline = await connect(args)
    await listRecords(args, barColumns, (options) => tapeline.bars.list(filter, options))
  },
}

async function listRecords(
  args: Arguments,
  columns: Columns,
  list: (options: ListOptions) => { pages: () => AsyncIterable<ListedPage> },
): Promise<void> {
  const follow = args.flag('follow')
  const format = formatOf(args)
  if (follow && format === 'json') throw new CommandError('--follow never completes a JSON array: use --format ndjson.')
  const pages = reportMissing(list(follow ? { follow, ...PATIENT } : {}).pages(), args.text('since') !== undefined)
  await writeBatches(takeRecords(pages, limitOf(args)), format, columns)
}

type ListedPage = Pick<TradePage, 'coverage' | 'warnings'> & { data: readonly object[] }

/** Passes pages on; why records of a range are missing goes to standard error, once. */
async function* reportMissing(pages: AsyncIterable<ListedPage>, hasStart: boolean): AsyncGenerator<ListedPage> {
  const reported = new Set<string>()
  let isFirst = true
  for await (const page of pages) {
    // A short page is continued by itself.
    const warnings = page.warnings.filter(({ code }) => code !== 'page.short').map(({ message }) => message)
    const lines = isFirst ? [...warnings, ...missingIn(page, hasStart)] : warnings
    isFirst = false
    for (const line of lines) {
      if (reported.has(line)) continue
      reported.add(line)
      process.stderr.write(`${withoutControls(line)}\n`)
    }
    yield page
  }
}

/** Without a start the gaps are those of the whole history. */
function missingIn({ data, coverage }: ListedPage, hasStart: boolean): string[] {
  const missing = coverage.filter(({ state, reason }) => {
    if (state === 'none') return data.length === 0
    return hasStart && (state === 'gap' || reason === 'retention')
  })
  const lines = missing.slice(0, MISSING_SHOWN_MAX).map(describeMissing)
  const others = missing.length - lines.length
  return others === 0 ? lines : [...lines, `${others} more parts of the range have no data.`]
}

function describeMissing({ venue, symbol, state, from, to, reason }: ListedPage['coverage'][number]): string {
  const stored = state === 'none' ? 'in this range' : `before ${from}`
  const range = state === 'gap' ? `from ${from ?? 'the start'} to ${to ?? 'now'}` : stored
  return `${venue} ${symbol}: no data ${range} (${reason}).`
}

/** Records at most. @throws CommandError */
function limitOf(args: Arguments): number {
  if (args.text('limit') === 'all') return Infinity
  return args.count('limit') ?? (args.flag('follow') ? Infinity : LIMIT_DEFAULT)
}

/** The fields that all lists share. @throws CommandError for options that exclude each other */
function selectionOf(args: Arguments) {
  const follow = args.flag('follow')
  const start = args.time('since') ?? (follow ? new Date().toISOString() : undefined)
  const order = args.text('order') ?? (start === undefined ? 'desc' : 'asc')
  if (follow && (order === 'desc' || args.text('until') !== undefined)) {
    throw new CommandError('--follow has no end: omit --until and --order desc.')
  }
  return {
    ...optional('symbols', args.symbols),
    ...optional('venues', args.list('venue')),
    ...optional('start', start),
    ...optional('end', args.time('until')),
    order: order as 'asc' | 'desc',
    limit: Math.min(PAGE_SIZE, limitOf(args)),
  }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value })
}
