import type { UserActor } from '@tapeline/contracts/actor'
import type { RequestDetail } from '@tapeline/contracts/audit/requests'
import { Tier } from '@tapeline/contracts/actor'
import { Decision, RejectedField } from '@tapeline/contracts/usage/events'
import { AppError } from '@tapeline/service/app-error'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Deps } from '../deps.ts'
import { isRequestId } from '../is-request-id.ts'
import { isUuid } from '../is-uuid.ts'
import { explainDecision } from './explain-decision.ts'
import { listKeyNames } from './key-name-queries.ts'
import { presentRequest, toMs } from './present-request.ts'
import { retainedFrom } from './read-scan.ts'
import { findLoggedRequest } from './scan-requests.ts'

const RejectedFields = Type.Array(RejectedField)

/**
 * One request of the account, by event id or request id, with its decision explained.
 * @throws AppError when the account has no such request in its log
 */
export async function showRequest(deps: Deps, actor: UserActor, id: string): Promise<RequestDetail> {
  const by = isRequestId(id) ? { requestId: id } : isUuid(id) ? { eventId: id } : undefined
  const row = by && (await findLoggedRequest(deps, actor.userId, by, retainedFrom(deps, actor)))
  if (row === undefined) throw new AppError('logged_request.not_found', 'There is no such request.')
  const names = await listKeyNames(deps.db, actor.userId, [row.key_id])
  const decision = Value.Parse(Decision, row.decision)
  const tier = Value.Parse(Tier, row.tier)
  const tiers = deps.settings.tiers()
  const { key_shadow: keyShadow } = decision
  const upstreamUs = row.upstream_latency_us
  return {
    ...presentRequest(row, names.get(row.key_id)),
    kid: row.kid,
    tier,
    gateway_id: row.gateway_id,
    latency: {
      total_ms: toMs(row.latency_us),
      upstream_ms: upstreamUs === null ? null : toMs(upstreamUs),
      gateway_ms: toMs(String(Math.max(0, Number(row.latency_us) - Number(upstreamUs ?? 0)))),
    },
    explanation: explainDecision({
      time: row.time,
      route: row.route,
      status: row.status,
      code: row.code,
      hasReachedService: upstreamUs !== null,
      rejectedFields: Value.Parse(RejectedFields, row.rejected_fields ?? []),
      decision,
      tier,
      tiers,
    }),
    ...tierShadow(actor, decision),
    ...(keyShadow === undefined ? {} : { key_shadow: keyShadow }),
  }
}

/** Proposed limits of a tier are known to admins alone until they are in force. */
function tierShadow({ role }: UserActor, { shadow }: Decision) {
  if (role !== 'admin' || shadow === undefined) return {}
  const { denied_by: deniedBy, retry_after_ms: waitMs } = shadow
  return { shadow_denied_by: deniedBy, ...(waitMs === undefined ? {} : { shadow_retry_after_ms: waitMs }) }
}
