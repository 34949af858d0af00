import { t } from '@lingui/core/macro'
import type { WebhookDelivery, WebhookDeliveryState } from '@tapeline/contracts/audit/webhooks'
import { StateBadge, type StateTone } from '../../ui/StateBadge.tsx'

const TONES: Record<WebhookDeliveryState, StateTone> = { delivered: 'ok', waiting: 'warn', failed: 'bad' }

export function DeliveryState({ delivery: { state, tries } }: { delivery: Pick<WebhookDelivery, 'state' | 'tries'> }) {
  const words = { delivered: t`Delivered`, waiting: tries === 0 ? t`Waiting` : t`Retrying`, failed: t`Failed` }
  return <StateBadge tone={TONES[state]}>{words[state]}</StateBadge>
}
