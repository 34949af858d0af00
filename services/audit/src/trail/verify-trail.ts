import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { hashStoredEntry, NO_HASH } from './hash-entry.ts'
import { findHead, listChain, listScopes } from './trail-queries.ts'

export type TrailVerdict = {
  isRight: boolean
  entries: number
  chains: number
  /** First invalid entry of each broken chain. */
  broken: string[]
}

const PAGE_ROWS = 1_000

/** Verifies every chain from its start: a changed, added or removed entry breaks it. */
export async function verifyTrail(db: Kysely<Tables>, scope: string | null): Promise<TrailVerdict> {
  const verdict: TrailVerdict = { isRight: true, entries: 0, chains: 0, broken: [] }
  for (const one of scope === null ? await listScopes(db) : [scope]) {
    verdict.chains += 1
    const broken = await walk(db, one, () => (verdict.entries += 1))
    if (broken !== undefined) verdict.broken.push(`${one}: ${broken}`)
  }
  return { ...verdict, isRight: verdict.broken.length === 0 }
}

async function walk(db: Kysely<Tables>, scope: string, count: () => void): Promise<string | undefined> {
  let hash: Buffer = NO_HASH
  let last = '0'
  for (;;) {
    const rows = await listChain(db, scope, last, PAGE_ROWS)
    for (const { position, time, ...entry } of rows) {
      count()
      const expected = hashStoredEntry(hash, { ...entry, time: time.toISOString() })
      if (expected?.equals(entry.hash) !== true) {
        return `entry ${entry.id} is not what was written, or one before it is missing`
      }
      hash = entry.hash
      last = position
    }
    if (rows.length < PAGE_ROWS) break
  }
  const head = await findHead(db, scope)
  return head === undefined || head.equals(hash) ? undefined : 'the newest entries are missing'
}
