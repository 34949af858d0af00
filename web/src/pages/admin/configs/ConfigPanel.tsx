import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { GlobalConfig } from '@tapeline/contracts/config/global-configs'
import { History, Pencil } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../../format/date.ts'
import { useUser } from '../../../session/use-session.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { Button } from '../../../ui/Button.tsx'
import { whoChanged } from '../who-changed.ts'
import { checkJson, writeJson } from './check-json.ts'
import { ConfigHistoryPanel } from './ConfigHistoryPanel.tsx'
import { Differences } from '../Differences.tsx'
import { diffValues } from '../diff-values.ts'
import { JsonEditor, JsonView } from './JsonEditor.tsx'
import type { Draft } from './config-drafts.ts'

type ConfigPanelProps = {
  configKey: string
  config: GlobalConfig
  draft: Draft | undefined
  isSaving: boolean
  onEdit: () => void
  onType: (text: string) => void
  onCancel: () => void
  onSave: () => void
}

export function ConfigPanel({ configKey, config, draft, onEdit, onType, ...rest }: ConfigPanelProps) {
  const [isHistoryShown, setHistoryShown] = useState(false)
  const checked = draft && checkJson(draft.text)
  return (
    <section className="panel" aria-labelledby="config-name">
      <div className="panel-head">
        <h2 id="config-name" className="mono">
          {configKey}
        </h2>
        <Stored config={config} />
        <span className="tools">
          {draft === undefined ? (
            <Button variant="quiet" size="small" icon={<Pencil className="icon" aria-hidden="true" />} onClick={onEdit}>
              {t`Edit`}
            </Button>
          ) : (
            <Button
              variant="quiet"
              size="small"
              isDisabled={checked?.ok !== true}
              onClick={() => checked?.ok === true && onType(writeJson(checked.value))}
            >
              {t`Format`}
            </Button>
          )}
          <Button
            variant="quiet"
            size="small"
            aria-expanded={isHistoryShown}
            icon={<History className="icon" aria-hidden="true" />}
            onClick={() => setHistoryShown(!isHistoryShown)}
          >
            {t`History`}
          </Button>
        </span>
      </div>
      {config.description !== null && <p className="config-about">{config.description}</p>}
      {draft === undefined || checked === undefined ? (
        <JsonView text={writeJson(config.value)} label={configKey} />
      ) : (
        <>
          <JsonEditor text={draft.text} label={configKey} checked={checked} onChange={onType} />
          <EditFooter draft={draft} checked={checked} {...rest} />
        </>
      )}
      {isHistoryShown && <ConfigHistoryPanel configKey={configKey} version={config.version} />}
    </section>
  )
}

function Stored({ config: { id, updated_at, updated_by } }: { config: GlobalConfig }) {
  const user = useUser()
  const { timezone } = useSettings()
  if (id === null || updated_at === null) return <span className="small muted">{t`the default, not stored yet`}</span>
  return (
    <span className="small muted">
      <Trans>
        stored, last changed {formatDateTime(updated_at, timezone)} by {whoChanged(updated_by, user.id)}
      </Trans>
    </span>
  )
}

type EditFooterProps = Pick<ConfigPanelProps, 'isSaving' | 'onCancel' | 'onSave'> & {
  draft: Draft
  checked: ReturnType<typeof checkJson>
}

function EditFooter({ draft, checked, isSaving, onCancel, onSave }: EditFooterProps) {
  const changes = checked.ok ? diffValues(draft.base.value, checked.value) : []
  return (
    <>
      {changes.length > 0 && (
        <div className="config-changes">
          <h3>{t`Change so far`}</h3>
          <Differences changes={changes} />
        </div>
      )}
      <div className="config-foot">
        <p role="alert" className={draft.failure !== undefined || !checked.ok ? 'state state-bad' : undefined}>
          {draft.failure ?? (checked.ok ? '' : t`Enter valid JSON to save`)}
        </p>
        <Button className="end" isDisabled={isSaving} onClick={onCancel}>
          {t`Cancel`}
        </Button>
        <Button variant="primary" isBusy={isSaving} isDisabled={!checked.ok} onClick={onSave}>
          {t`Save`}
        </Button>
      </div>
    </>
  )
}
