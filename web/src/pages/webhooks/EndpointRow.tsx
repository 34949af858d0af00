import { plural, t } from '@lingui/core/macro'
import type { Webhook, WebhookWithSecret } from '@tapeline/contracts/audit/webhooks'
import { Ellipsis, Pause, Pencil, Play, RefreshCw, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatAgo } from '../../format/duration.ts'
import { formatPercent, formatShortCount } from '../../format/number.ts'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { StateBadge, type StateTone } from '../../ui/StateBadge.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { ConfirmDialog } from '../api-keys/ConfirmDialog.tsx'
import { DayTape } from './DayTape.tsx'
import { EndpointDialog } from './EndpointDialog.tsx'
import { RotateDialog } from './SigningSecret.tsx'
import { deleteWebhook, sendTest, updateWebhook } from './webhooks.queries.ts'

type EndpointRowProps = {
  endpoint: Webhook
  isChosen: boolean
  onChoose: () => void
  onRotated: (rotated: WebhookWithSecret) => void
}

export function EndpointRow({ endpoint, isChosen, onChoose, onRotated }: EndpointRowProps) {
  const nowMs = useNow()
  const { tone, text, note } = stateOf(endpoint, nowMs)
  const { sent, delivered, waiting } = countDay([endpoint])
  return (
    <article className={isChosen ? 'endpoint is-chosen' : 'endpoint'} aria-label={endpoint.name}>
      <div className="name">
        <h2>
          <button type="button" className="link" aria-pressed={isChosen} onClick={onChoose}>
            {endpoint.name}
          </button>
        </h2>
        <p className="mono muted small clip" title={endpoint.url}>
          {endpoint.url.replace(/^https:\/\//, '')}
        </p>
      </div>
      <div className="small health">
        <StateBadge tone={tone}>{text}</StateBadge>
        {note !== undefined && <p className="faint">{note}</p>}
      </div>
      <DayTape endpoint={endpoint} />
      <p className="numeric" data-k={t`Sent`}>
        <span className="sr-only">{t`Sent in 24 hours`} </span>
        {formatShortCount(sent)}
      </p>
      <p className="numeric" data-k={t`Delivered`}>
        <span className="sr-only">{t`Delivered in 24 hours`} </span>
        {sent === waiting ? '–' : formatPercent(delivered / sent)}
      </p>
      <EndpointActions endpoint={endpoint} onRotated={onRotated} />
    </article>
  )
}

/** Deliveries of the last 24 hours. */
export function countDay(endpoints: readonly Webhook[]): { sent: number; delivered: number; waiting: number } {
  const hours = endpoints.flatMap((endpoint) => endpoint.hours)
  const sum = (name: 'delivered' | 'failed' | 'waiting') => hours.reduce((total, hour) => total + hour[name], 0)
  const [delivered, waiting] = [sum('delivered'), sum('waiting')]
  return { sent: delivered + waiting + sum('failed'), delivered, waiting }
}

function stateOf(endpoint: Webhook, nowMs: number): { tone: StateTone; text: string; note?: string } {
  const { state, disabled_reason: reason, failing_since: since, previous_secret_until: until } = endpoint
  const { waiting } = countDay([endpoint])
  const backlog = plural(waiting, { one: '# event waits', other: '# events wait' })
  if (state === 'paused')
    return { tone: 'off', text: t`Paused`, note: waiting === 0 ? t`new events are queued` : backlog }
  if (state === 'disabled') {
    return { tone: 'bad', text: t`Disabled`, note: reason === 'gone' ? t`It returned 410` : t`Every attempt failed` }
  }
  if (since !== null) return { tone: 'warn', text: t`Retrying`, note: t`first failure ${formatAgo(since, nowMs)}` }
  const note = until === null ? undefined : t`Two active secrets`
  return { tone: 'ok', text: t`Active`, ...(note === undefined ? {} : { note }) }
}

type OpenDialog = 'edit' | 'rotate' | 'delete'

function EndpointActions({ endpoint, onRotated }: Pick<EndpointRowProps, 'endpoint' | 'onRotated'>) {
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = (): void => setDialog(undefined)
  return (
    <div className="row-menu">
      <Menu
        label={t`Actions for ${endpoint.name}`}
        variant="quiet"
        size="small"
        isIconOnly
        trigger={<Ellipsis className="icon" aria-hidden="true" />}
        items={itemsFor(endpoint, setDialog)}
      />
      {dialog === 'edit' && <EndpointDialog endpoint={endpoint} onClose={close} />}
      {dialog === 'rotate' && <RotateDialog endpoint={endpoint} onRotated={onRotated} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t`Delete the endpoint`}
          text={t`Nothing more is sent to it, and its delivery log is deleted.`}
          impact={endpoint.url}
          action={t`Delete`}
          failure={t`Failed to delete the endpoint. Please try again.`}
          onConfirm={() => deleteWebhook(endpoint.id)}
          onClose={close}
        />
      )}
    </div>
  )
}

function itemsFor(endpoint: Webhook, setDialog: (dialog: OpenDialog) => void): MenuItem[] {
  const isActive = endpoint.state === 'active'
  const item = (label: string, Icon: typeof Send, onSelect: () => void): MenuItem => ({
    label,
    icon: <Icon className="icon" aria-hidden="true" />,
    onSelect,
  })
  return [
    item(t`Send a test event`, Send, () => void toastAfter(sendTest(endpoint.id), t`A test event is on its way`)),
    item(t`Edit`, Pencil, () => setDialog('edit')),
    isActive
      ? item(
          t`Pause`,
          Pause,
          () => void toastAfter(updateWebhook(endpoint.id, { state: 'paused' }), t`The endpoint is paused`),
        )
      : item(
          t`Resume`,
          Play,
          () => void toastAfter(updateWebhook(endpoint.id, { state: 'active' }), t`The endpoint is active`),
        ),
    item(t`Rotate the secret`, RefreshCw, () => setDialog('rotate')),
    { ...item(t`Delete`, Trash2, () => setDialog('delete')), isDangerous: true, isNewGroup: true },
  ]
}

/** Shows the outcome of a change that has no dialog. */
export async function toastAfter(change: Promise<unknown>, done: string): Promise<void> {
  try {
    await change
    showToast({ type: 'success', title: done })
  } catch (error) {
    showToast({ type: 'error', title: error instanceof Error ? error.message : String(error) })
  }
}
