import type { UserActor } from '@tapeline/contracts/actor'
import {
  type DataFile,
  type FileList,
  FILES_PER_PAGE_DEFAULT,
  type ListFiles,
} from '@tapeline/contracts/market-data/files'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { SIM_VENUE } from '../instruments/instrument.ts'
import {
  type FileSelection,
  findNamedFile,
  listNamedFiles,
  type NamedFile,
  placeOfFile,
} from '../lake/list-files-queries.ts'
import { dayOf, dayStart, formatRfc3339, parseTime } from '../nanoseconds.ts'
import { invalid } from '../records/filter.ts'
import type { ChannelName } from '../tables.ts'
import { requireDataExport } from './require-data-export.ts'

const CHANNELS: Record<NonNullable<ListFiles['channel']>, ChannelName> = { trades: 'trade', l2events: 'l2_event' }

/** Current files of the days, by their last day, oldest first. */
export async function listFiles(deps: Deps, actor: UserActor, query: ListFiles, requestId: string): Promise<FileList> {
  requireDataExport(deps, actor)
  const { limit = FILES_PER_PAGE_DEFAULT } = query
  const files = await listNamedFiles(deps.pool, { ...(await filterOf(deps, actor, query)), limit: limit + 1 })
  const shown = files.slice(0, limit)
  const instruments = await deps.instruments.list()
  const last = files.length > limit ? shown.at(-1) : undefined
  return {
    data: shown.map((file) => presentFile(file, instruments)),
    next_cursor: last?.fileId ?? null,
    request_id: requestId,
  }
}

async function filterOf(deps: Deps, actor: UserActor, query: ListFiles): Promise<Omit<FileSelection, 'limit'>> {
  const { venue, symbol, channel, cursor } = query
  const isForTests = actor.environment === 'test'
  if (isForTests && venue !== undefined && venue !== SIM_VENUE) throw otherVenue()
  return {
    venue: isForTests ? SIM_VENUE : venue?.toLowerCase(),
    symbol: symbol?.toUpperCase(),
    channel: channel && CHANNELS[channel],
    from: dayIn('/from', query.from),
    to: dayIn('/to', query.to),
    after: cursor === undefined ? undefined : await placeOf(deps, cursor),
  }
}

const DATE_LENGTH = 'YYYY-MM-DD'.length
const MONTH_LENGTH = 'YYYY-MM'.length

export function presentFile(file: NamedFile, instruments: readonly RegisteredInstrument[]): DataFile {
  const { ref, venue, symbol, days } = file
  const channel = ref.channel === 'trade' ? 'trades' : 'l2events'
  const dates = days.map((day) => formatRfc3339(String(dayStart(day))).slice(0, DATE_LENGTH))
  const [date = ''] = dates
  const period = file.isShared ? date.slice(0, MONTH_LENGTH) : date
  const end = dayStart(Math.max(...days) + 1)
  const instrument = instruments.find(({ instrumentId }) => instrumentId === file.instrumentId)
  const completeThrough = instrument?.channels[ref.channel].completeThrough ?? null
  const isFinal = completeThrough !== null && BigInt(completeThrough) >= end
  return {
    id: file.fileId,
    name: `${venue}_${symbol}_${channel}_${period}_r${file.revision}.parquet`,
    venue,
    symbol,
    channel,
    date,
    dates,
    rows: file.fileRows,
    bytes: ref.bytes,
    sha256: file.sha256,
    revision: file.revision,
    finality: isFinal ? 'final' : 'revisable',
    sealed_at: file.sealedAt.toISOString(),
  }
}

function dayIn(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (time === undefined) throw invalid(field, 'timestamp')
  return dayOf(String(time).padStart(10, '0'))
}

/** A cursor is the id of the last file of a page. */
async function placeOf({ pool }: Deps, cursor: string) {
  const last = await findNamedFile(pool, cursor)
  if (last !== undefined) return placeOfFile(last)
  const message = 'This cursor is not valid: use next_cursor of a response to the same call, unchanged.'
  throw new AppError('cursor.invalid', message, { errors: [{ field: '/cursor', message }] })
}

function otherVenue(): AppError {
  const message = `A test key reads the venue ${SIM_VENUE} only: use a live key for others.`
  return new AppError('tier.environment_not_included', message, { errors: [{ field: '/venue', message }] })
}
