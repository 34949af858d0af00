import type { ListOptions, RecordList } from '@tapeline/client'
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
import { formatOf, takeRecords, writeBatches } from '../output/output.ts'
import { connect } from '../profiles/connect.ts'

const LIMIT_DEFAULT = 100
const PAGE_SIZE = 1_000

const listOptions = {
  ...selectionOptions,
  ...rangeOptions,
  limit: { type: 'string', value: 'n|all', text: 'Records at most. Default 100; all with --follow.' },
  order: { type: 'string', choices: ['asc', 'desc'], text: 'Default: asc with --since or --follow, desc otherwise.' },
  follow: { type: 'boolean', text: 'Waits for new records; from now on without --since. Ctrl-C ends it.' },
  ...callOptions,
} as const satisfies Record<string, Option>

export const tradesCommand: Command = {
  name: 'trades',
  operands: '[symbol…]',
  summary: 'Trades',
  options: { ...sideOption, ...listOptions },
  run: async (given) => {
    const filter = { ...selectionOf(given), ...optional('side', given.text('side') as 'buy' | undefined) }
    const tapeline = await connect(given)
    await listRecords(given, tradeColumns, (options) => tapeline.trades.list(filter, options))
  },
}

export const l2Command: Command = {
  name: 'l2',
  operands: '[symbol…]',
  summary: 'Order-book snapshots and changes',
  options: { ...l2Options, ...listOptions },
  run: async (given) => {
    const types = given.list('type') as 'snapshot'[] | undefined
    const filter = { ...selectionOf(given), ...optional('types', types), ...optional('depth', given.count('depth')) }
    const tapeline = await connect(given)
    await listRecords(given, l2Columns, (options) => tapeline.l2events.list(filter, options))
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
    'time-zone': { type: 'string', value: 'name', text: 'IANA name: days and hours begin there. Default UTC.' },
    ticks: { type: 'string', value: 'n', text: 'Trades per bar.' },
    volume: { type: 'string', value: 'decimal', text: 'Sum of sizes that completes a bar.' },
    dollars: { type: 'string', value: 'decimal', text: 'Sum of price × size that completes a bar.' },
    ...listOptions,
  },
  run: async (given) => {
    const filter = {
      ...selectionOf(given),
      ...optional('interval', given.text('interval') as '1m' | undefined),
      ...optional('time_zone', given.text('time-zone')),
      ...optional('ticks', given.count('ticks')),
      ...optional('volume', given.text('volume')),
      ...optional('dollars', given.text('dollars')),
    }
    const tapeline = await connect(given)
    await listRecords(given, barColumns, (options) => tapeline.bars.list(filter, options))
  },
}

async function listRecords(
  given: Arguments,
  columns: Columns,
  list: (options: ListOptions) => Pick<RecordList<object>, 'pages'>,
): Promise<void> {
  const follow = given.flag('follow')
  const format = formatOf(given)
  if (follow && format === 'json') throw new CommandError('--follow never completes a JSON array: use --format ndjson.')
  await writeBatches(takeRecords(list({ follow }).pages(), limitOf(given)), format, columns)
}

/** Records at most. @throws CommandError */
function limitOf(given: Arguments): number {
  if (given.text('limit') === 'all') return Infinity
  return given.count('limit') ?? (given.flag('follow') ? Infinity : LIMIT_DEFAULT)
}

/** The fields that all lists share. @throws CommandError for options that exclude each other */
function selectionOf(given: Arguments) {
  const follow = given.flag('follow')
  const start = given.time('since') ?? (follow ? new Date().toISOString() : undefined)
  const order = given.text('order') ?? (start === undefined ? 'desc' : 'asc')
  if (follow && (order === 'desc' || given.text('until') !== undefined)) {
    throw new CommandError('--follow reads on without an end: leave out --until and --order desc.')
  }
  return {
    ...optional('symbols', given.symbols),
    ...optional('venues', given.list('venue')),
    ...optional('start', start),
    ...optional('end', given.time('until')),
    order: order as 'asc' | 'desc',
    limit: Math.min(PAGE_SIZE, limitOf(given)),
  }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value })
}
