import type { StreamFilter, StreamOptions } from '@tapeline/client'
import { callOptions, type Command, l2Options, rangeOptions, selectionOptions, sideOption } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { barColumns, bookColumns, type Columns, l2Columns, quoteColumns, tradeColumns } from '../output/columns.ts'
import { describeReconnect } from '../output/describe-reconnect.ts'
import { formatRecords, type Formatter } from '../output/format-records.ts'
import { formatOf, writeText } from '../output/output.ts'
import { connect } from '../profiles/connect.ts'

const BARS = ['bars.1s', 'bars.1m', 'bars.5m', 'bars.1h', 'bars.1d'] as const
const BOOKS = ['book.10', 'book.50', 'book.full'] as const

export const streamCommand: Command = {
  name: 'stream',
  operands: '[symbol…]',
  summary: 'Live trades, order books, quotes or bars; resumes after a disconnection',
  options: {
    channel: {
      type: 'string',
      choices: ['trades', 'l2events', 'bbo', ...BOOKS, ...BARS],
      text: 'Kind of records: trades by default, order-book events, best bid and offer, books, bars.',
    },
    ...selectionOptions,
    since: { ...rangeOptions.since, text: 'Starts at this time and catches up to now. Same forms as trades --since.' },
    ...sideOption,
    ...l2Options,
    limit: { type: 'string', value: 'n', text: 'Stops after this number of records. Default: never.' },
    ...callOptions,
  },
  run: async (args) => {
    const format = formatOf(args)
    const limit = args.count('limit') ?? Infinity
    if (format === 'json' && limit === Infinity) {
      throw new CommandError('A stream never completes a JSON array: use --format ndjson, or --limit.')
    }
    const filter = {
      venues: args.list('venue'),
      symbols: args.symbols,
      start: args.time('since'),
      side: args.text('side'),
      types: args.list('type'),
      depth: args.count('depth'),
    }
    const present = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
    const tapeline = await connect(args)
    const channel = args.text('channel') ?? 'trades'
    const open = (options: StreamOptions) =>
      tapeline.stream({ ...(present as Partial<StreamFilter>), channel }, options).batches()
    return writeStream(open, { limit, formatter: formatRecords(format, columnsOf(channel)) })
  },
}

type Open = (options: StreamOptions) => AsyncIterable<{ data: readonly object[] }>

/** Writes batches and late records as they arrive, until the limit. */
async function writeStream(open: Open, { limit, formatter }: { limit: number; formatter: Formatter }): Promise<void> {
  const ended = new AbortController()
  let remaining = limit
  const take = (records: readonly object[]): string => {
    const taken = records.slice(0, remaining)
    remaining -= taken.length
    return taken.length === 0 ? '' : formatter.next(taken)
  }
  const onNotice = (notice: Notice): void => {
    reportNotice(notice)
    if (notice.type === 'late' && Array.isArray(notice['data'])) process.stdout.write(take(notice['data']))
    if (remaining <= 0) ended.abort()
  }
  try {
    for await (const { data } of open({ onNotice, signal: ended.signal })) {
      await writeText(take(data))
      if (remaining <= 0) break
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error
  }
  await writeText(formatter.end())
}

/** Streamed records have the time at which they were sent, too. */
function columnsOf(channel: string): Columns {
  const { table, csv } = listedColumnsOf(channel)
  return { table, csv: [...csv, 'ts_out'] }
}

function listedColumnsOf(channel: string): Columns {
  if (channel.startsWith('bars.')) return barColumns
  if (channel.startsWith('book.')) return bookColumns
  if (channel === 'bbo') return quoteColumns
  return channel === 'l2events' ? l2Columns : tradeColumns
}

type Notice = Parameters<NonNullable<StreamOptions['onNotice']>>[0]

function reportNotice(notice: Notice): void {
  const line = describeReconnect(notice) ?? describeOmitted(notice)
  if (line !== undefined) process.stderr.write(`${line}\n`)
}

function describeOmitted({ type, omitted }: Notice): string | undefined {
  if (type !== 'late' || typeof omitted !== 'number' || omitted === 0) return undefined
  return `${omitted} records that were stored late were not sent: list the range again`
}
