import { t } from '@lingui/core/macro'
import type { CustomReport } from '@tapeline/contracts/audit/reports'
import { useQuery } from '@tanstack/react-query'
import { Download, Ellipsis, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../format/date.ts'
import { formatAgo } from '../../format/duration.ts'
import { i18n } from '../../language/i18n.ts'
import { useUser } from '../../session/use-session.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Menu } from '../../ui/Menu.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { ConfirmDialog } from '../api-keys/ConfirmDialog.tsx'
import { keysQuery } from '../api-keys/api-keys.queries.ts'
import { ROUTES } from '../metrics/metrics-filter.ts'
import { BREAKDOWNS, FORMATS, keyName, WEEKDAYS } from './report-words.ts'
import { ReportDialog } from './ReportDialog.tsx'
import { bodyOfReport, deleteReport, fetchPreview, saveReport, sendReport } from './reports.queries.ts'
import { announce } from './announce.ts'

type ReportRowProps = { report: CustomReport; isLocked: boolean }

export function ReportRow({ report, isLocked }: ReportRowProps) {
  const { weekday, hour } = report
  const day = i18n._(WEEKDAYS[weekday - 1] ?? WEEKDAYS[0] ?? { id: '' })
  const format = FORMATS.find(({ value }) => value === report.format)?.label
  return (
    <article className="report" aria-label={report.name}>
      <div className="name">
        <h2>{report.name}</h2>
        <p className="muted small clip">
          <View report={report} />
        </p>
      </div>
      <p className="small">
        {t`${day}, ${String(hour).padStart(2, '0')}:00`} <span className="faint">{format}</span>
      </p>
      <State report={report} isLocked={isLocked} />
      <Actions report={report} isLocked={isLocked} />
    </article>
  )
}

/** Whether it is mailed, and when next or last. */
function State({ report, isLocked }: ReportRowProps) {
  const nowMs = useNow()
  const { timezone } = useSettings()
  const { emailVerified } = useUser()
  const { active, next_at: next, last_made_at: last } = report
  if (isLocked) {
    return (
      <div className="small">
        <StateBadge tone="off">{t`Not in your plan`}</StateBadge>
      </div>
    )
  }
  if (active && !emailVerified) {
    return (
      <div className="small">
        <StateBadge tone="warn">{t`Not mailed`}</StateBadge>
        <p className="faint">{t`your email is not verified`}</p>
      </div>
    )
  }
  const sent = last === null ? t`never sent` : t`sent ${formatAgo(last, nowMs)}`
  return (
    <div className="small">
      <StateBadge tone={active ? 'ok' : 'off'}>{active ? t`Active` : t`Paused`}</StateBadge>
      <p className="faint">{active && next !== null ? t`next ${formatDateTime(next, timezone)}` : sent}</p>
    </div>
  )
}

/** The requests that the report counts, in a few words. */
function View({ report }: { report: CustomReport }) {
  const keys = useQuery(keysQuery)
  const { api_key_id: keyId, status, route, breakdown } = report
  const by = BREAKDOWNS.find(({ value }) => value === breakdown)
  const listed = ROUTES.find(({ value }) => value === route)
  const parts = [
    keyId === null ? t`all keys` : keyName(keys.data, keyId),
    ...(route === null ? [] : [listed === undefined ? route : i18n._(listed.label)]),
    ...(status === null ? [] : [status]),
    ...(by === undefined ? [] : [i18n._(by.label)]),
  ]
  return parts.join(', ')
}

type OpenDialog = 'edit' | 'delete'

function Actions({ report, isLocked }: ReportRowProps) {
  const { emailVerified } = useUser()
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = (): void => setDialog(undefined)
  const send = () =>
    emailVerified
      ? void announce(sendReport(report.id), t`The report is on its way to your mailbox`)
      : showToast({ type: 'warning', title: t`Verify your email first: reports are not mailed before.` })
  const remove = {
    label: t`Delete`,
    icon: <Trash2 className="icon" />,
    onSelect: () => setDialog('delete'),
    isDangerous: true,
  }
  return (
    <div className="row-menu">
      <Menu
        label={t`Actions for ${report.name}`}
        variant="quiet"
        size="small"
        isIconOnly
        trigger={<Ellipsis className="icon" aria-hidden="true" />}
        items={isLocked ? [remove] : [...itemsFor(report, { setDialog, send }), { ...remove, isNewGroup: true }]}
      />
      {dialog === 'edit' && <ReportDialog report={report} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t`Delete the report`}
          text={t`It will no longer be mailed. Mails already sent are not affected.`}
          impact={report.name}
          action={t`Delete`}
          failure={t`Failed to delete the report. Please try again.`}
          onConfirm={() => deleteReport(report.id)}
          onClose={close}
        />
      )}
    </div>
  )
}

type Items = { setDialog: (dialog: OpenDialog) => void; send: () => void }

function itemsFor(report: CustomReport, { setDialog, send }: Items) {
  const { active } = report
  const toggle = () => saveReport(report.id, { ...bodyOfReport(report), active: !active })
  return [
    {
      label: t`Send now`,
      icon: <Send className="icon" />,
      onSelect: send,
    },
    {
      label: t`Preview`,
      icon: <Download className="icon" />,
      onSelect: () => void announce(fetchPreview(report).then(({ name, file }) => saveFile(name, file))),
    },
    { label: t`Edit`, icon: <Pencil className="icon" />, onSelect: () => setDialog('edit') },
    active
      ? {
          label: t`Pause`,
          icon: <Pause className="icon" />,
          onSelect: () => void announce(toggle(), t`The report is paused`),
        }
      : {
          label: t`Resume`,
          icon: <Play className="icon" />,
          onSelect: () => void announce(toggle(), t`The report is active`),
        },
  ]
}
