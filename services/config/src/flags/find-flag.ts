import type { Actor } from '@tapeline/contracts/actor'
import type { UserFlags } from '@tapeline/contracts/config/http'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { listFlags } from './list-flags.ts'

/**
 * One flag in the shape of the list. A flag of a higher role looks like one that does not exist.
 * @throws AppError when the caller has no such flag
 */
export async function findFlag(
  deps: Pick<Deps, 'db' | 'now' | 'settings'>,
  actor: Actor,
  key: string,
): Promise<UserFlags> {
  const { flags, featureFlags } = await listFlags(deps, actor)
  const found = flags.filter((flag) => flag.key === key)
  if (found.length === 0) throw new AppError('flag.not_found', 'There is no such feature flag.')
  return { featureFlags: featureFlags.filter((name) => name === key), flags: found }
}
