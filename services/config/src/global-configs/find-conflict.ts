import {
  type ConfigState,
  type ConfigUpdate,
  type FailedConfig,
  type GlobalConfig,
  isPlatformConfig,
  PLATFORM_CONFIGS,
} from '@tapeline/contracts/config/global-configs'
import type { Kysely } from 'kysely'
import { diffJson } from '../diff-json.ts'
import type { GlobalConfigRow, Tables } from '../tables.ts'
import { findConfigChange } from './config-queries.ts'
import { presentConfig } from './present-config.ts'

/** The conflict of an update that was based on an outdated version; undefined when it was not. */
export async function findConflict(
  db: Kysely<Tables>,
  { key, id, version }: ConfigUpdate,
  row: GlobalConfigRow | undefined,
): Promise<FailedConfig | undefined> {
  const current = presentConfig(key, row)
  if (typeof id === 'string' && id !== (row?.id ?? null)) return noSuchConfig(key, current)
  const baseVersion = version ?? (id === null && current.id !== null ? 0 : current.version)
  if (baseVersion === current.version) return undefined
  return conflictOf(key, { current, baseVersion, before: await valueAt(db, key, row, baseVersion) })
}

export function noSuchConfig(key: string, current: GlobalConfig | undefined): FailedConfig {
  const error = `There is no configuration ${key} with this id.`
  return { key, error, code: 'global_config.not_found', errors: [], ...(current === undefined ? {} : { current }) }
}

type Overtaken = { current: GlobalConfig; baseVersion: number; before: unknown }

/** Describes a conflict to a client that edited version `seen`: the current value and the differences. */
export function conflictOf(key: string, { current, baseVersion, before }: Overtaken): FailedConfig {
  const changed = diffJson(before, current.value)
  const error = `${key} was changed in the meantime: its version is ${current.version}, not ${baseVersion}${describeChange(changed)}.`
  return { key, error, code: 'global_config.changed_meanwhile', errors: [], current, changed }
}

function describeChange(changed: FailedConfig['changed'] = []): string {
  const [first] = changed
  if (first === undefined) return ''
  const more = changed.length > 1 ? `, and ${changed.length - 1} more` : ''
  return `; ${first.path} is now ${JSON.stringify(first.after ?? null).slice(0, 100)}${more}`
}

async function valueAt(
  db: Kysely<Tables>,
  key: string,
  row: GlobalConfigRow | undefined,
  version: number,
): Promise<unknown> {
  const change = row && version > 0 ? await findConfigChange(db, row.id, version) : undefined
  return valueOfState(key, change?.after ?? null)
}

/** The stored value, or the default of a known key. */
export function valueOfState(key: string, state: ConfigState | null): unknown {
  if (state !== null) return state.value
  return isPlatformConfig(key) ? PLATFORM_CONFIGS[key].default : undefined
}
