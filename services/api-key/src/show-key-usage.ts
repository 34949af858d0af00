import type { UserActor } from '@tapeline/contracts/actor'
import type { KeyUsageQuestion, UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from './deps.ts'
import { findKey } from './key-queries.ts'
import { noSuchKey } from './no-such-key.ts'

type Question = { keyId: string; days: number; groupBy: KeyUsageQuestion['group_by'] }

/** What audit counted of one of the actor's keys: whose key it is, is decided here, what was counted, there. */
export async function showKeyUsage(
  deps: Pick<Deps, 'db' | 'now' | 'askKeyUsage'>,
  actor: UserActor,
  { keyId, days, groupBy }: Question,
): Promise<UsageReport> {
  const key = await findKey(deps.db, actor.userId, { keyId, now: deps.now() })
  if (key === undefined) throw noSuchKey()
  return deps.askKeyUsage({ owner: actor, key_id: keyId, days, group_by: groupBy })
}
