import { t } from '@lingui/core/macro'
import type { Notification, NotificationKind } from '@tapeline/contracts/audit/notifications'
import { paths, requestsPath } from '../paths.ts'
import type { StateTone } from '../ui/StateBadge.tsx'

type NotificationStyle = { tone: StateTone; link: (notification: Notification) => { path: string; label: string } }

const toKeys = (): { path: string; label: string } => ({ path: paths.apiKeys, label: t`Open API keys` })
const toMetrics = (): { path: string; label: string } => ({ path: paths.metrics, label: t`See the usage` })

const STYLES: Record<NotificationKind, NotificationStyle> = {
  quota: { tone: 'warn', link: toMetrics },
  key_created: { tone: 'ok', link: toKeys },
  key_revoked: { tone: 'off', link: toKeys },
  key_expiring: { tone: 'warn', link: toKeys },
  key_expired: { tone: 'bad', link: toKeys },
  key_used_from_new_network: { tone: 'live', link: ({ data }) => toRequestsOf(data['key_id']) },
  trial_ending: { tone: 'warn', link: () => ({ path: paths.plan, label: t`Compare plans` }) },
  webhook_disabled: { tone: 'bad', link: () => ({ path: paths.webhooks, label: t`Webhooks` }) },
  key_leaked: { tone: 'bad', link: toKeys },
  usage_alert: { tone: 'warn', link: () => ({ path: paths.reports, label: t`Reports` }) },
  trial_ended: { tone: 'off', link: () => ({ path: paths.plan, label: t`Compare plans` }) },
}

/** The tone of a notification, and the page with its cause. */
export function styleOf(notification: Notification): { tone: StateTone; path: string; label: string } {
  const { tone, link } = STYLES[notification.kind]
  return { tone, ...link(notification) }
}

function toRequestsOf(keyId: unknown): { path: string; label: string } {
  return { path: requestsPath(typeof keyId === 'string' ? { key: keyId } : {}), label: t`See the requests` }
}
