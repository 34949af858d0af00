import { callOptions, type Command, selectionOptions } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { instrumentColumns, levelColumns, limitColumns } from '../output/columns.ts'
import { formatOf, writeBatches, writeOne } from '../output/output.ts'
import { connect } from '../profiles/connect.ts'

export const bookCommand: Command = {
  name: 'book',
  operands: '<symbol>',
  summary: 'The order book at a given time',
  options: {
    venue: { type: 'string', value: 'name', text: 'Venue, such as binance. Required.' },
    at: { type: 'string', value: 'time', text: 'Moment: 15m, 2h, 7d (ago), a date, or RFC 3339 in UTC. Default: now.' },
    depth: { type: 'string', value: 'n', text: 'Levels per side. Default 10.' },
    ...callOptions,
  },
  run: async (args) => {
    const venue = args.text('venue')
    const [symbol, ...others] = args.operands
    if (venue === undefined || symbol === undefined || others.length > 0) {
      throw new CommandError('Specify one venue and one symbol: tapeline book BTC-USDT --venue binance.')
    }
    const at = args.time('at')
    const tapeline = await connect(args)
    const depth = args.count('depth') ?? 10
    const book = await tapeline.l2events.book({ venue, symbol, depth, ...(at === undefined ? {} : { at }) })
    if (book.state === 'unknown') process.stderr.write(`The book is unknown: ${book.gap?.reason ?? 'no snapshot'}.\n`)
    const rowOf =
      (side: string) =>
      ([price, size]: [string, string]) => ({ side, price, size })
    const rows = [...book.asks.map(rowOf('ask')).toReversed(), ...book.bids.map(rowOf('bid'))]
    await writeOne({ whole: book, rows }, formatOf(args), levelColumns)
  },
}

export const instrumentsCommand: Command = {
  name: 'instruments',
  operands: '[symbol…]',
  summary: 'Instruments, with the time range and number of their records',
  options: { ...selectionOptions, ...callOptions },
  run: async (args) => {
    const { symbols } = args
    const venues = args.list('venue')
    const tapeline = await connect(args)
    const found = (await tapeline.instruments.list()).filter(
      ({ venue, symbol }) => (symbols?.includes(symbol) ?? true) && (venues?.includes(venue) ?? true),
    )
    await writeBatches([found], formatOf(args), instrumentColumns)
  },
}

export const limitsCommand: Command = {
  name: 'limits',
  summary: 'Remaining quota of every limit of the account and the key',
  options: callOptions,
  run: async (args) => {
    const report = await (await connect(args)).limits.read()
    await writeOne({ whole: report, rows: report.windows }, formatOf(args), limitColumns)
  },
}
