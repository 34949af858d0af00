import { flagChanged } from '@tapeline/contracts/config/events'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Deps } from '../deps.ts'
import { nextPlatformVersion } from '../platform-version-queries.ts'
import type { FeatureFlagRow } from '../tables.ts'
import { insertFlagIfAbsent, listAllFlags } from './flag-queries.ts'
import { presentState } from './present-flag.ts'
import { type SeededFlag, seededFlags } from './seeded-flags.ts'

const actor = { kind: 'service', service: 'config' } as const

/** Inserts the seeded flags that do not exist yet, and publishes them like any change. Idempotent. */
export async function seedFlags(deps: Pick<Deps, 'db' | 'now' | 'newId'>): Promise<void> {
  const existing = new Set((await listAllFlags(deps.db)).map(({ key, role }) => `${role} ${key}`))
  const absent = seededFlags.filter(({ key, role }) => !existing.has(`${role} ${key}`))
  if (absent.length === 0) return
  await deps.db.transaction().execute(async (trx) => {
    const version = await nextPlatformVersion(trx)
    for (const flag of absent) {
      const row = await insertFlagIfAbsent(trx, newRow(deps, flag))
      if (row === undefined) continue
      const about = { id: deps.newId(), time: row.created_at, subject: row.id, account: null, actor }
      const change = { flag_id: row.id, flag_version: row.version, before: null, after: presentState(row) }
      await recordEvent(trx, newEvent(flagChanged, { ...about, data: { ...change, reason: null, version } }))
    }
  })
}

function newRow({ now, newId }: Pick<Deps, 'now' | 'newId'>, { isPublic, ...flag }: SeededFlag): FeatureFlagRow {
  const at = now()
  return {
    ...flag,
    id: newId(),
    version: 1,
    enabled: true,
    is_active: true,
    is_public: isPublic,
    rollout_percent: 100,
    enabled_from: null,
    enabled_until: null,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  }
}
