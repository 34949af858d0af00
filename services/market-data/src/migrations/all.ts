import type { Migrations } from '@tapeline/database/migrate'
import { createMarketData } from './0001-create-market-data.ts'
import { createSealedFiles } from './0002-create-sealed-files.ts'
import { describeInstruments } from './0003-describe-instruments.ts'
import { recordIngestTimes } from './0004-record-ingest-times.ts'
import { createOutbox } from './0005-create-outbox.ts'
import { createBookCheckpoints } from './0006-create-book-checkpoints.ts'
import { createMinuteBars } from './0007-create-minute-bars.ts'
import { createVenueLeases } from './0008-create-venue-leases.ts'
import { shareFilesByMonth } from './0009-share-files-by-month.ts'
import { createVenues } from './0020-create-venues.ts'
import { createTradeGaps } from './0021-create-trade-gaps.ts'
import { dropDaySha256 } from './0022-drop-day-sha256.ts'
import { storeGapEnds } from './0023-store-gap-ends.ts'
import { reopenPartsOfBooks } from './0024-reopen-parts-of-books.ts'
import { recordOpeningsOfBooks } from './0025-record-openings-of-books.ts'
import { listAwaitedEventsOfCheckpoints } from './0026-list-awaited-events-of-checkpoints.ts'

export const migrations: Migrations = {
  '0001-create-market-data': createMarketData,
  '0002-create-sealed-files': createSealedFiles,
  '0003-describe-instruments': describeInstruments,
  '0004-record-ingest-times': recordIngestTimes,
  '0005-create-outbox': createOutbox,
  '0006-create-book-checkpoints': createBookCheckpoints,
  '0007-create-minute-bars': createMinuteBars,
  '0008-create-venue-leases': createVenueLeases,
  '0009-share-files-by-month': shareFilesByMonth,
  '0020-create-venues': createVenues,
  '0021-create-trade-gaps': createTradeGaps,
  '0022-drop-day-sha256': dropDaySha256,
  '0023-store-gap-ends': storeGapEnds,
  '0024-reopen-parts-of-books': reopenPartsOfBooks,
  '0025-record-openings-of-books': recordOpeningsOfBooks,
  '0026-list-awaited-events-of-checkpoints': listAwaitedEventsOfCheckpoints,
}
