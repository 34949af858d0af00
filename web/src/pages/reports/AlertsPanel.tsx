import { t } from '@lingui/core/macro'
import type { UsageAlert } from '@tapeline/contracts/audit/alerts'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Pause, Pencil, Play, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatAgo } from '../../format/duration.ts'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { keysQuery } from '../api-keys/api-keys.queries.ts'
import { ConfirmDialog } from '../api-keys/ConfirmDialog.tsx'
import { AlertDialog } from './AlertDialog.tsx'
import { announce } from './announce.ts'
import { CHANNELS, keyName, WINDOWS } from './report-words.ts'
import { alertsQuery, bodyOfAlert, deleteAlert, saveAlert } from './reports.queries.ts'

/** Levels of the account's own at which it is notified, on every plan. */
export function AlertsPanel() {
  const alerts = useQuery(alertsQuery)
  const [isCreating, setCreating] = useState(false)
  const list = alerts.data?.alerts ?? []
  return (
    <section className="panel reports-panel" aria-labelledby="alerts">
      <div className="panel-head">
        <h2 id="alerts">{t`Alerts`}</h2>
        <span className="tools">
          <Button
            size="small"
            icon={<Plus className="icon" aria-hidden="true" />}
            isDisabled={alerts.data === undefined || list.length >= alerts.data.max}
            onClick={() => setCreating(true)}
          >
            {t`Create alert`}
          </Button>
        </span>
      </div>
      {list.map((alert) => (
        <AlertRow key={alert.id} alert={alert} />
      ))}
      {list.length === 0 && (
        <p className="muted nothing">
          {alerts.error?.message ??
            (alerts.isPending
              ? t`Loading the alerts`
              : t`You are notified at 70, 80 and 100 percent of the day and the month. Add an alert for another limit, percentage or key.`)}
        </p>
      )}
      {isCreating && <AlertDialog onClose={() => setCreating(false)} />}
    </section>
  )
}

function AlertRow({ alert }: { alert: UsageAlert }) {
  const nowMs = useNow()
  const { channels, active, last_raised_at: last } = alert
  const sent = CHANNELS.filter(({ value }) => channels.includes(value)).map(({ label }) => i18n._(label))
  return (
    <article className="report" aria-label={alert.name}>
      <div className="name">
        <h3>{alert.name}</h3>
        <p className="muted small clip">
          <Level alert={alert} />
        </p>
      </div>
      <p className="small muted">{sent.length === 0 ? t`dashboard only` : sent.join(', ')}</p>
      <div className="small">
        <StateBadge tone={active ? 'ok' : 'off'}>{active ? t`Active` : t`Paused`}</StateBadge>
        <p className="faint">{last === null ? t`never raised` : t`raised ${formatAgo(last, nowMs)}`}</p>
      </div>
      <Actions alert={alert} />
    </article>
  )
}

/** `50% of requests per second`, and the key. */
function Level({ alert: { percent, policy, api_key_id: keyId } }: { alert: UsageAlert }) {
  const keys = useQuery(keysQuery)
  const window = WINDOWS.find(({ value }) => value === policy)
  const level = t`${percent}% of ${window === undefined ? policy : i18n._(window.label)}`
  if (keyId === null) return level
  return `${level}, ${keyName(keys.data, keyId)}`
}

function Actions({ alert }: { alert: UsageAlert }) {
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const close = (): void => setDialog(undefined)
  const { active } = alert
  const toggle = () => saveAlert(alert.id, { ...bodyOfAlert(alert), active: !active })
  const Toggle = active ? Pause : Play
  return (
    <div className="row-menu">
      <Menu
        label={t`Actions for ${alert.name}`}
        variant="quiet"
        size="small"
        isIconOnly
        trigger={<Ellipsis className="icon" aria-hidden="true" />}
        items={[
          { label: t`Edit`, icon: <Pencil className="icon" />, onSelect: () => setDialog('edit') },
          {
            label: active ? t`Pause` : t`Resume`,
            icon: <Toggle className="icon" />,
            onSelect: () => void announce(toggle(), active ? t`The alert is paused` : t`The alert is active`),
          },
          {
            label: t`Delete`,
            icon: <Trash2 className="icon" />,
            onSelect: () => setDialog('delete'),
            isDangerous: true,
            isNewGroup: true,
          },
        ]}
      />
      {dialog === 'edit' && <AlertDialog alert={alert} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t`Delete the alert`}
          text={t`It will no longer be raised. Existing notifications are kept.`}
          impact={alert.name}
          action={t`Delete`}
          failure={t`Failed to delete the alert. Please try again.`}
          onConfirm={() => deleteAlert(alert.id)}
          onClose={close}
        />
      )}
    </div>
  )
}
