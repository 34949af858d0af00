import type { Event } from '@tapeline/contracts/event'
import type { Policy, UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { raiseNotification } from '../notifications/raise-notification.ts'
import { listKeyNames } from '../requests/key-name-queries.ts'
import type { Tables } from '../tables.ts'
import { enqueue } from '../webhooks/sources/enqueue.ts'
import { type AlertRow, listActiveAlerts, updateAlert } from './alert-queries.ts'

type UsageEvent = Event<UsageRequestServed>
type Window = UsageRequestServed['decision']['windows'][number]
type Reached = { alert: AlertRow; event: UsageEvent; window: Window }

const MINUTE_MS = 60_000
/** An alert about a short window is raised at most once in this time. */
const PAUSE_MS = 10 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const FULL = 100

/**
 * Raises an account's own alerts when a request reaches their share of a limit: once per alert and period. Idempotent:
 * the notification identifies the cause, and the webhook is queued in its transaction.
 */
export async function watchAlerts(
  deps: Pick<Deps, 'now' | 'newId' | 'settings'>,
  trx: Transaction<Tables>,
  events: readonly UsageEvent[],
): Promise<void> {
  const accounts = new Set(events.map(({ data }) => data.account_id.toLowerCase()))
  const alerts = await listActiveAlerts(trx, [...accounts])
  const causes = new Map<string, Reached>()
  for (const alert of alerts) {
    for (const event of events) {
      const window = windowOf(alert, event.data)
      if (window === undefined || window.used * FULL < window.limit * alert.percent) continue
      const scope = scopeOf(alert, event, window)
      if (!causes.has(scope)) causes.set(scope, { alert, event, window })
    }
  }
  for (const [scope, reached] of causes) await raiseAlert(deps, trx, scope, reached)
}

/** The window of a request that an alert watches; undefined when the request does not concern it. */
function windowOf(alert: AlertRow, { account_id, key_id, decision }: UsageRequestServed): Window | undefined {
  if (account_id.toLowerCase() !== alert.account_id || decision.degraded) return undefined
  const isOf = ({ policy }: Window): boolean => policy === alert.policy
  if (alert.api_key_id === null) return decision.windows.find(isOf)
  if (alert.api_key_id !== key_id) return undefined
  return decision.key_windows?.find(isOf) ?? decision.windows.find(isOf)
}

/** A month is identified by its end; rolling windows by the part of the clock that the request is in. */
const PERIOD_MS: Record<Exclude<Policy, 'month'>, number> = {
  burst: PAUSE_MS,
  conc: PAUSE_MS,
  min: PAUSE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
}

/** An alert that is moved to another key, or from the account to a key, is another cause. */
function scopeOf(alert: AlertRow, { time }: UsageEvent, { reset_ms, limit }: Window): string {
  const { id, policy, percent, api_key_id: keyId } = alert
  const atMs = Date.parse(time)
  const period =
    policy === 'month' ? Math.round((atMs + (reset_ms ?? 0)) / DAY_MS) : Math.floor(atMs / PERIOD_MS[policy])
  return `alert/${id}/${percent}/${limit}/${period}${keyId === null ? '' : `/${keyId}`}`
}

async function raiseAlert(
  deps: Pick<Deps, 'now' | 'newId' | 'settings'>,
  trx: Transaction<Tables>,
  scope: string,
  { alert, event, window }: Reached,
): Promise<void> {
  const { id, account_id: accountId, name, policy, percent, channels, api_key_id: keyId } = alert
  const { used, limit } = window
  const keyName = keyId === null ? null : ((await listKeyNames(trx, accountId, [keyId])).get(keyId) ?? keyId)
  const data = { alert_id: id, name, policy, percent, used, limit, key_name: keyName, channels }
  const withKey = keyName === null ? '' : ` with API key “${keyName}”`
  const isNew = await raiseNotification(deps, trx, {
    accountId,
    about: { kind: 'usage_alert', data },
    scope,
    level: percent,
    title: `Alert “${name}”: ${percent}% of the limit is used`,
    text: `${used.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} requests are used${withKey}.`,
  })
  if (!isNew) return
  await updateAlert(trx, alert, { last_raised_at: event.time })
  if (!channels.includes('webhook')) return
  const { channels: _channels, ...shown } = data
  await enqueue(deps, trx, {
    eventId: deps.newId(),
    accountId,
    type: 'usage.alert',
    subject: name,
    occurredAt: new Date(event.time),
    data: { account_id: accountId, ...shown, key_id: keyId },
  })
}
