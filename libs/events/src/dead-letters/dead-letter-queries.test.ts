import { randomUUIDv7 } from 'node:crypto'
import { keyCreated, noteMigrations, type NoteTables } from '@tapeline/testing/note-tables'
import { storeDeadLetter, storedDeadLetters } from '@tapeline/testing/kafka/stored-dead-letters'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { deleteDeadLettersOf } from './dead-letter-queries.ts'

const { db, drop } = await openTestDatabase<NoteTables>(noteMigrations)
afterAll(drop)

// Of several pages, of exactly one, and of one that is not full.
test.each([2, 5, 9, 1_000])(
  'dead letters about a deleted account are deleted in pages of %i, and no others',
  async (rows) => {
    const [deleted, other] = [randomUUIDv7(), randomUUIDv7()]
    const own = keyCreated(deleted, 'Ünforgettable \\ "quoted"')
    const kept = [
      keyCreated(other, 'theirs'),
      { ...keyCreated(other, 'revoked by an admin'), actorkind: 'user', actorid: deleted },
      { ...keyCreated('tiers', 'of the platform'), account: null, actorkind: 'user', actorid: deleted },
    ]
    for (const event of kept) await storeDeadLetter(db, event)
    await storeDeadLetter(db, `torn {"account_id":"${other}"`)
    const before = await storedDeadLetters(db)
    await storeDeadLetter(db, own)
    await storeDeadLetter(db, JSON.stringify(own, undefined, 2))
    await storeDeadLetter(db, JSON.stringify(own).slice(0, -1))
    await storeDeadLetter(db, `{"account_id":"${deleted}"}`)
    await storeDeadLetter(db, Buffer.concat([Buffer.from([0, 255, 92]), Buffer.from(deleted)]))
    await db.transaction().execute((trx) => deleteDeadLettersOf(trx, deleted, rows))
    expect(await storedDeadLetters(db)).toEqual(before)
    await db.deleteFrom('dead_letter').execute()
  },
)
