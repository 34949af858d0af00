import { type Actor, type Role, ROLES, roleIncludes } from '@tapeline/contracts/actor'
import type { FlagView, UserFlags } from '@tapeline/contracts/config/http'
import type { Deps } from './deps.ts'
import { listActiveFlags } from './flag-queries.ts'
import { presentFlag } from './present-flag.ts'
import type { FeatureFlagRow } from './tables.ts'

/** The flags of a caller: of all roles up to their own; a visitor gets the user's that are public. */
export async function listFlags(deps: Pick<Deps, 'db'>, actor: Actor): Promise<UserFlags> {
  if (actor.kind === 'user') return listFlagsOfRole(deps, actor.role)
  const rows = await listActiveFlags(deps.db, ['user'])
  return presentFlags(rows.filter(({ is_public }) => is_public))
}

export async function listFlagsOfRole(deps: Pick<Deps, 'db'>, role: Role): Promise<UserFlags> {
  const roles = ROLES.filter((lower) => roleIncludes(role, lower))
  return presentFlags(await listActiveFlags(deps.db, roles))
}

function presentFlags(rows: FeatureFlagRow[]): UserFlags {
  const flags = [...Map.groupBy(rows, ({ key }) => key).values()].flatMap(union)
  return { featureFlags: flags.filter(({ enabled }) => enabled).map(({ key }) => key), flags }
}

/** A key that several roles have is on when it is on for one of them, and reads as that one says. */
function union(rows: FeatureFlagRow[]): FlagView[] {
  const shown = rows.find(({ enabled }) => enabled) ?? rows[0]
  return shown === undefined ? [] : [presentFlag(shown)]
}
