import type { UserActor } from '@tapeline/contracts/actor'
import type { KeyUsageRequest, UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { findKey } from '../keys/key-queries.ts'
import { noSuchKey } from '../keys/no-such-key.ts'

type Question = { keyId: string; days: number; groupBy: KeyUsageRequest['group_by'] }

/**
 * Usage of one of the actor's keys, from audit. The ownership is checked here.
 * @throws AppError when the key does not exist or belongs to another user, `service.unavailable` when audit does not
 * respond
 */
export async function showKeyUsage(
  deps: Pick<Deps, 'db' | 'now' | 'readKeyUsage'>,
  actor: UserActor,
  { keyId, days, groupBy }: Question,
): Promise<UsageReport> {
  const key = await findKey(deps.db, actor, { keyId, now: deps.now() })
  if (key === undefined) throw noSuchKey()
  return deps.readKeyUsage({ owner: actor, key_id: keyId, days, group_by: groupBy })
}
