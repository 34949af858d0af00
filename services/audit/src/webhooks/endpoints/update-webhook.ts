import { isDeepStrictEqual } from 'node:util'
import type { UserActor } from '@tapeline/contracts/actor'
import { webhookUpdated } from '@tapeline/contracts/audit/events'
import type { UpdateWebhook, Webhook } from '@tapeline/contracts/audit/webhooks'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { WebhookDeps } from '../webhook-deps.ts'
import { checkUrl, noSuchWebhook, requireWebhooks } from './check-fields.ts'
import { type EndpointRow, lockEndpoint, updateEndpoint } from './endpoint-queries.ts'
import { presentEndpoint } from './present-endpoint.ts'

const FIELDS = ['name', 'url', 'event_types', 'state'] as const

/**
 * Changes an endpoint. Activating it or changing its URL also clears its record of failures. It can be paused with any
 * tier.
 * @throws AppError webhook.not_found
 */
export async function updateWebhook(
  deps: WebhookDeps,
  actor: UserActor,
  id: string,
  input: UpdateWebhook,
): Promise<Webhook> {
  if (!isDeepStrictEqual(input, { state: 'paused' })) requireWebhooks(deps, actor)
  if (input.url !== undefined) checkUrl(deps, input.url)
  return deps.db.transaction().execute(async (trx) => {
    const row = await lockEndpoint(trx, actor.userId, id)
    if (row === undefined) throw noSuchWebhook()
    const changed = changesOf(row, input)
    const [before, after] = [pick(row, changed), pick({ ...row, ...trimmed(input) }, changed)]
    if (changed.length === 0) return presentEndpoint(row, deps.now())
    const isActivated = input.state === 'active' && row.state !== 'active'
    const saved = await updateEndpoint(trx, row, {
      ...after,
      ...(isActivated ? { disabled_reason: null } : {}),
      ...(isActivated || changed.includes('url') ? { failing_since: null } : {}),
    })
    const event = newEvent(webhookUpdated, {
      id: deps.newId(),
      time: deps.now(),
      subject: id,
      account: actor.userId,
      actor,
      data: { endpoint_id: id, account_id: actor.userId, name: saved.name, before, after },
    })
    await recordEvent(trx, event)
    return presentEndpoint(saved, deps.now())
  })
}

type Fields = Pick<EndpointRow, (typeof FIELDS)[number]>

function changesOf(row: Fields, input: UpdateWebhook): (typeof FIELDS)[number][] {
  const updated = trimmed(input)
  return FIELDS.filter((field) => updated[field] !== undefined && !isDeepStrictEqual(updated[field], row[field]))
}

function trimmed(input: UpdateWebhook): UpdateWebhook {
  return input.name === undefined ? input : { ...input, name: input.name.trim() }
}

function pick(fields: Partial<Fields>, names: readonly (typeof FIELDS)[number][]): Partial<Fields> {
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}
