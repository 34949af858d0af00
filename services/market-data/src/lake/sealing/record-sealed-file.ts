import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { dataCorrected, daySealed } from '@tapeline/contracts/market-data/events'
import { recordEventOn } from '@tapeline/events/outbox'
import type pg from 'pg'
import { dayStart, formatRfc3339 } from '../../nanoseconds.ts'
import type { FileCounts } from '../encoding/encode-day.ts'
import { insertSealedFile, type NewSealedFile, type PreviousRevision } from './seal-queries.ts'

const ACTOR: Actor = { kind: 'service', service: 'market-data' }

/**
 * The commit point of a seal, with its events: the day is sealed, and corrected if the previous revision had other
 * rows. Rows are only added and never change, so their number and sequences decide; a newer encoder may write the same
 * rows as other bytes.
 */
export async function recordSealedFile(client: pg.ClientBase, sealed: NewSealedFile): Promise<void> {
  const { instrumentId, day, file, counts } = sealed
  const { fileId, revision, sealedAt, venue, symbol, previous } = await insertSealedFile(client, sealed)
  const channel = sealed.channel === 'trade' ? 'trades' : 'l2events'
  const date = formatRfc3339(String(dayStart(day))).slice(0, 10)
  const rows = Number(counts.row_count)
  const about = { time: sealedAt, subject: `${venue}:${symbol}:${channel}`, account: null, actor: ACTOR }
  const place = { venue, symbol, instrument_id: instrumentId, channel, date, file_id: fileId, revision } as const
  const data = { ...place, rows, bytes: file.bytes.length, sha256: file.sha256 }
  await recordEventOn(client, newEvent(daySealed, { ...about, id: randomUUIDv7(), data }))
  if (previous === undefined || holdsSameRows(previous, counts)) return
  const corrected = { ...place, previous_revision: previous.revision, rows_before: previous.rows, rows_after: rows }
  await recordEventOn(client, newEvent(dataCorrected, { ...about, id: randomUUIDv7(), data: corrected }))
}

function holdsSameRows(previous: PreviousRevision, { row_count, sequence_min, sequence_max }: FileCounts): boolean {
  const { rows, sequenceMin, sequenceMax } = previous
  return String(rows) === row_count && sequenceMin === sequence_min && sequenceMax === sequence_max
}
