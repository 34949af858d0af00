import type { DataFile } from '@tapeline/contracts/market-data/files'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { expect, test } from 'vitest'
import { monthLabels, weekLabels } from './calendar/axis.ts'
import { coverageLines } from './calendar/coverage-days.ts'
import { dayWords, gapWords, lineSentence, lineWords } from './calendar/coverage-words.ts'
import { readDownloadsFilter, writeDownloadsFilter } from './downloads-filter.ts'
import type { BookGap } from '../../api/book-gaps.queries.ts'
import { fileCall, filesScript, listCall } from './files/calls.ts'
import { listedFiles, totalsOf } from './files/listed-files.ts'
import { chosenInstrument, isListed, shownDays, shownInstruments } from './shown.ts'

const BTC: Instrument = {
  instrument_id: 1,
  venue: 'binance',
  symbol: 'BTC-USDT',
  venue_symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  size_unit: 'BTC',
  ts_event_precision: 'us',
  kind: 'spot',
  tick: null,
  lot: null,
  multiplier: null,
  aliases: [],
  valid_from: null,
  valid_to: null,
  first_ts_event: '2026-11-02T04:00:00.000000000Z',
  last_ts_event: '2026-11-07T12:00:00.000000000Z',
  trades: 900,
  l2_events: 0,
}
const SPY: Instrument = { ...BTC, instrument_id: 2, venue: 'us-equity', symbol: 'SPY-USD' }

function file(date: string, changed: Partial<DataFile> = {}): DataFile {
  const channel = changed.channel ?? 'trades'
  return {
    id: `${date} ${channel}`,
    name: `binance_BTC-USDT_${channel}_${date}_r1.parquet`,
    venue: 'binance',
    symbol: 'BTC-USDT',
    channel,
    date,
    dates: [date],
    rows: 300,
    bytes: 4_000,
    sha256: 'ab'.repeat(32),
    revision: 1,
    finality: 'final',
    sealed_at: '2026-11-08T00:00:00.000Z',
    ...changed,
  }
}

function gap(from: string | null, to: string): BookGap {
  return { venue: 'binance', symbol: 'BTC-USDT', from, to, reason: 'disconnected' }
}

const DAYS = { first: '2026-11-01', last: '2026-11-08' }

test('each day is sealed, final, only recorded, without records, or outside of the recording', () => {
  const files = [file('2026-11-02'), file('2026-11-03', { finality: 'revisable' }), file('2026-11-05')]
  const [line] = coverageLines([BTC], { files, gaps: [] }, DAYS)
  expect(line?.days.map(({ date, state }) => `${date.slice(8)} ${state}`)).toEqual([
    '01 none',
    '02 final',
    '03 revisable',
    '04 empty',
    '05 final',
    '06 recorded',
    '07 recorded',
    '08 none',
  ])
  expect(line).toMatchObject({ sealed: 3, empty: 1, gaps: 0, finalTo: '2026-11-02' })
})

test('without a file nothing is final, and with every file final the last one is', () => {
  const finalTo = (files: DataFile[]) => coverageLines([BTC], { files, gaps: [] }, DAYS)[0]?.finalTo
  expect(finalTo([])).toBeUndefined()
  expect(finalTo([file('2026-11-02', { finality: 'revisable' })])).toBeUndefined()
  expect(finalTo([file('2026-11-05'), file('2026-11-02')])).toBe('2026-11-05')
})

test('files and gaps belong to their instrument and channel; a gap over midnight marks both days', () => {
  const withBook = { ...BTC, l2_events: 10 }
  const files = [file('2026-11-02'), file('2026-11-02', { channel: 'l2events' })]
  const gaps = [
    gap('2026-11-02T23:59:30Z', '2026-11-03T00:01:19Z'),
    { ...gap(null, '2026-11-04T01:00:00Z'), symbol: 'X' },
  ]
  const lines = coverageLines([withBook, SPY], { files, gaps }, DAYS)
  expect(lines.map(({ instrument, channel, sealed }) => [instrument.symbol, channel, sealed])).toEqual([
    ['BTC-USDT', 'trades', 1],
    ['BTC-USDT', 'l2events', 1],
    ['SPY-USD', 'trades', 0],
  ])
  const marked = lines.map(({ days }) => days.filter((day) => day.gaps.length > 0).map(({ date }) => date))
  expect(marked).toEqual([[], ['2026-11-02', '2026-11-03'], []])
})

test('a line and a day are described in words', () => {
  const withBook = { ...BTC, trades: 0, l2_events: 10 }
  const gaps = [gap('2026-11-02T10:00:00Z', '2026-11-02T10:01:49Z')]
  const files = [file('2026-11-02', { channel: 'l2events', rows: 1_200, revision: 2 })]
  const [line] = coverageLines([withBook], { files, gaps }, DAYS)
  if (line === undefined) throw new Error('there is no line')
  expect(lineWords(line)).toBe('1 gap')
  expect(lineSentence(line)).toBe('BTC-USDT, binance, L2 events: 1 sealed day, 0 days without a record, 1 gap')
  expect(line.days.slice(0, 2).map(dayWords)).toEqual([
    '1 Nov 2026: not recorded',
    '2 Nov 2026: sealed and final, 1,200 rows, revision 2, 1 gap, 1 min',
  ])
  expect(gapWords([...gaps, gap(null, '2026-11-02T11:00:00Z')])).toBe('2 gaps')
  expect(lineWords({ ...line, gaps: 0, empty: 3 })).toBe('3 empty days')
  expect(lineWords({ ...line, gaps: 0 })).toBe('every day')
  expect(lineWords({ ...line, gaps: 0, sealed: 0 })).toBe('no file yet')
  expect(lineWords({ ...line, gaps: 0, days: line.days.slice(0, 1) })).toBe('not recorded')
})

test('the files of the chosen days are listed newest first, trades before books', () => {
  const files = ['2026-11-02', '2026-11-03', '2026-11-04'].flatMap((date) => [
    file(date, { channel: 'l2events' }),
    file(date),
  ])
  const lines = coverageLines([{ ...BTC, l2_events: 1 }], { files, gaps: [] }, DAYS)
  const filter = readDownloadsFilter(new URLSearchParams('from=2026-11-03&to=2026-11-04'))
  const listed = listedFiles(lines, filter)
  expect(listed.map(({ id }) => id)).toEqual([
    '2026-11-04 trades',
    '2026-11-04 l2events',
    '2026-11-03 trades',
    '2026-11-03 l2events',
  ])
  expect(totalsOf(listed)).toEqual({ files: 4, rows: 1_200, bytes: 16_000 })
})

test('days that share a file are each marked, and their file is listed once with the gaps of all', () => {
  const dates = ['2026-11-02', '2026-11-03', '2026-11-05']
  const shared = file('2026-11-02', { dates, channel: 'l2events', rows: 900 })
  const single = file('2026-11-04', { channel: 'l2events' })
  const gaps = [gap('2026-11-02T23:59:30Z', '2026-11-03T00:01:19Z'), gap(null, '2026-11-05T01:00:00Z')]
  const book = { ...BTC, trades: 0, l2_events: 1 }
  const lines = coverageLines([book], { files: [shared, single], gaps }, DAYS)
  expect(lines[0]?.days.map(({ file: one }) => one?.id)).toEqual([
    undefined,
    shared.id,
    shared.id,
    single.id,
    shared.id,
    undefined,
    undefined,
    undefined,
  ])
  expect(lines).toMatchObject([{ sealed: 4, finalTo: '2026-11-05' }])
  expect(lines[0]?.days.slice(1, 2).map(dayWords)).toEqual([
    '2 Nov 2026: sealed and final, in a file of its month, revision 1, 1 gap, 1 min',
  ])
  const listed = listedFiles(lines, readDownloadsFilter(new URLSearchParams('from=2026-11-03')))
  expect(listed.map(({ id, gaps: shown }) => [id, shown.length])).toEqual([
    [single.id, 0],
    [shared.id, 2],
  ])
  const later = { ...single, finality: 'revisable' } as const
  expect(coverageLines([book], { files: [later, shared], gaps }, DAYS)).toMatchObject([{ finalTo: '2026-11-03' }])
})

test('the URL contains the selection without defaults, and invalid values are ignored', () => {
  const text = 'venue=binance&symbol=BTC-USDT&channel=trades&until=2026-11-30&from=2026-11-01&to=2026-11-05&span=year'
  expect(writeDownloadsFilter(readDownloadsFilter(new URLSearchParams(text))).toString()).toBe(text)
  const wrong = new URLSearchParams('channel=cats&span=eon&until=tomorrow&from=2026-11-05&to=2026-11-01')
  expect(writeDownloadsFilter(readDownloadsFilter(wrong)).toString()).toBe('from=2026-11-01&to=2026-11-05')
})

test('the calendar ends with the last record of the chosen instrument, unless the URL has another end', () => {
  const filter = readDownloadsFilter(new URLSearchParams('span=month'))
  expect(shownDays(filter, BTC)).toEqual({ first: '2026-10-09', last: '2026-11-07' })
  expect(shownDays({ ...filter, until: '2026-02-28' }, BTC)).toEqual({ first: '2026-01-30', last: '2026-02-28' })
  // A linked day far before the last record is shown.
  expect(shownDays({ ...filter, from: '2024-08-08', to: '2024-08-08' }, BTC).last).toBe('2024-08-08')
})

test('the chosen instrument is always among those that are shown', () => {
  const many = Array.from({ length: 9 }, (_, n) => ({ ...BTC, instrument_id: n, symbol: `S${n}` }))
  const last = chosenInstrument(many, { venue: 'binance', symbol: 'S8' })
  expect(shownInstruments(many, last, 5).map(({ symbol }) => symbol)).toEqual(['S8', 'S0', 'S1', 'S2', 'S3'])
  expect(chosenInstrument(many, { venue: undefined, symbol: 'unknown' }).symbol).toBe('S0')
})

test('a list of files is not taken for that of other days or of another instrument', () => {
  const of = { ...DAYS, names: [BTC] }
  expect([isListed(of, BTC, DAYS), isListed(of, SPY, DAYS), isListed(undefined, BTC, DAYS)]).toEqual([
    true,
    false,
    false,
  ])
  expect(isListed(of, BTC, { ...DAYS, last: '2026-11-09' })).toBe(false)
})

test('months and weeks are labeled where they begin, if there is room', () => {
  const days = { first: '2026-08-30', last: '2026-11-28' }
  expect(monthLabels(days).map(({ text }) => text)).toEqual(['September', 'October', 'November'])
  expect(monthLabels({ first: '2026-01-01', last: '2026-12-31' }).map(({ text }) => text.slice(0, 3))).toHaveLength(11)
  expect(weekLabels(days).map(({ text }) => text)).toEqual([
    '31',
    '7',
    '14',
    '21',
    '28',
    '5',
    '12',
    '19',
    '26',
    '2',
    '9',
    '16',
    '23',
  ])
  expect(weekLabels({ first: '2026-01-01', last: '2026-12-31' })).toEqual([])
})

test('calls contain the selection, and no call contains a secret', () => {
  const api = 'https://api.example'
  const call = { venue: 'binance', symbol: 'BTC-USDT', channel: undefined, from: '2026-11-02', to: '2026-11-03' }
  expect(listCall(call, api)).toBe(
    `curl '${api}/api/v1/files?venue=binance&symbol=BTC-USDT&from=2026-11-02&to=2026-11-03' -H "Authorization: Bearer $TAPELINE_API_KEY"`,
  )
  const one = file('2026-11-02', { id: 'f1' })
  expect(fileCall(one, api)).toContain(`-C - -o '${one.name}' '${api}/api/v1/files/f1'`)
  const script = filesScript([one, file('2026-11-03', { id: 'f2' })], api)
  expect(script).toContain(`get f1 '${one.name}'\nget f2 `)
  expect(script).toContain(`${'ab'.repeat(32)}  ${one.name}`)
})
