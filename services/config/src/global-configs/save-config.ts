import type { UserActor } from '@tapeline/contracts/actor'
import { globalConfigChanged } from '@tapeline/contracts/config/events'
import type { ConfigState } from '@tapeline/contracts/config/global-configs'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../deps.ts'
import type { GlobalConfigRow, Tables } from '../tables.ts'
import { insertConfig, insertConfigChange, updateConfigRow } from './config-queries.ts'

export type Change = { reason: string | null; platformVersion: number }
type Saving = Change & { key: string; row: GlobalConfigRow | undefined; after: ConfigState | null }

/** Stores a configuration's next state with its history and event; an unchanged state is not a change. */
export async function saveConfig(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  actor: UserActor,
  { key, row, after, reason, platformVersion }: Saving,
): Promise<GlobalConfigRow> {
  if (row !== undefined && isDeepStrictEqual(row.state, after)) return row
  const before = row?.state ?? null
  const now = deps.now()
  const next = row === undefined ? { id: deps.newId(), version: 1 } : { id: row.id, version: row.version + 1 }
  const saved: GlobalConfigRow = { ...next, key, state: after, updated_by: actor.userId, updated_at: now }
  const text = { before: textOf(before), after: textOf(after) }
  const written = { ...saved, state: text.after }
  await (row === undefined ? insertConfig(trx, written) : updateConfigRow(trx, written))
  await insertConfigChange(trx, {
    config_id: saved.id,
    version: saved.version,
    ...text,
    changed_by: actor.userId,
    changed_at: now,
    reason,
  })
  const about = { id: deps.newId(), time: now, subject: key, account: null, actor }
  const data = { key, config_version: saved.version, before, after, reason, version: platformVersion }
  await recordEvent(trx, newEvent(globalConfigChanged, { ...about, data }))
  return saved
}

function textOf(state: ConfigState | null): string | null {
  return state && JSON.stringify(state)
}
