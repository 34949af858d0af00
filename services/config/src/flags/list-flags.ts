import type { Actor } from '@tapeline/contracts/actor'
import type { UserFlags } from '@tapeline/contracts/config/http'
import { flagsOf, type Viewer, viewerOf } from '@tapeline/service/settings/flag-rules'
import type { Deps } from '../deps.ts'
import { listActiveFlags } from './flag-queries.ts'
import { presentRule } from './present-flag.ts'

type Reading = Pick<Deps, 'db' | 'now' | 'settings'>

/** The flags of a caller: of all roles up to their own; visitors get the public flags of role user. */
export function listFlags(deps: Reading, actor: Actor): Promise<UserFlags> {
  return listFlagsOf(deps, viewerOf(actor))
}

/** Falls back to the snapshot when the database is unavailable. */
export async function listFlagsOf(deps: Reading, viewer: Viewer): Promise<UserFlags> {
  try {
    const rows = await listActiveFlags(deps.db)
    return flagsOf(rows.map(presentRule), viewer, deps.now().getTime())
  } catch (error) {
    const cached = deps.settings.flagsFor(viewer)
    if (cached === undefined) throw error
    return cached
  }
}
