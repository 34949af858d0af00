import { NO_RECORDINGS, recording } from '@tapeline/testing/recordings'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { importFiles } from '../../../test/import-files.fixture.ts'
import { createDeps } from '../../deps.ts'
import { migrations } from '../../migrations/all.ts'
import type { Tables } from '../../tables.ts'

const quotes = recording('us-equity', 'ibm_20131008_quote.zip') ?? ''
const TIMEOUT_MS = 300_000
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
afterAll(drop)

if (quotes === '') test.skip(NO_RECORDINGS, () => {})

test.skipIf(quotes === '')(
  'every row of a recorded day becomes a quote, equal rows included, and a second import adds nothing',
  async () => {
    expect(await importFiles(deps, undefined, [quotes])).toMatchObject([
      { kind: 'lean-quote', l2_events: { found: 125_750, added: 125_750 }, refused: { count: 0 } },
    ])
    const { rows } = await pool.query(`
      select count(*)::int as quotes, max(sequence)::int as last, count(*) filter (where bids = '[]')::int as without_bid,
             count(*) filter (where asks = '[]')::int as without_ask
      from l2_event`)
    expect(rows).toEqual([{ quotes: 125_750, last: 125_750, without_bid: 0, without_ask: 1 }])
    expect(await importFiles(deps, 'lean-quote', [quotes])).toMatchObject([{ l2_events: { added: 0 } }])
  },
  TIMEOUT_MS,
)
