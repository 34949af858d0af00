import { plural, t } from '@lingui/core/macro'
import { i18n } from '../../language/i18n.ts'
import { settings } from '../../platform.ts'
import type { SettingsState } from '../../settings/settings-state.ts'
import { settingsIn } from '../../settings/settings-store.ts'
import { useSettingsState } from '../../settings/use-settings.ts'
import { settingNames } from '../../settings/user-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { describeChanges, LABELS, wordFor } from './setting-words.ts'

/** Its space is reserved, so that nothing moves when there are changes to save. */
export function SaveBar() {
  const state = useSettingsState()
  const hasChanges = settingNames(state.changed).length > 0
  return (
    <div className="savebar-slot">
      <div role="status">
        {state.outcome === 'saved' && !hasChanges && (
          <div className="savebar">
            <StateBadge tone="ok">{t`Settings saved successfully!`}</StateBadge>
          </div>
        )}
      </div>
      {hasChanges && <Unsaved state={state} />}
    </div>
  )
}

function Unsaved({ state }: { state: SettingsState }) {
  const isInConflict = state.conflict.length > 0
  return (
    <div className={isInConflict ? 'savebar' : 'savebar is-live'}>
      <div aria-live="polite">
        <UnsavedChanges state={state} />
      </div>
      <span className="end row">
        <Button onClick={settings.discard}>{isInConflict ? t`Use the current version` : t`Discard`}</Button>
        <Button variant="primary" isBusy={state.isSaving} onClick={() => void settings.save()}>
          {t`Save Changes`}
        </Button>
      </span>
    </div>
  )
}

function UnsavedChanges({ state }: { state: SettingsState }) {
  const { saved, changed, outcome, conflict, failure } = state
  if (outcome === 'failed') {
    return (
      <p>
        <StateBadge tone="bad">{t`Failed to save settings`}</StateBadge>{' '}
        <span className="small muted">{failure?.status === 0 ? t`API not available` : failure?.message}</span>
      </p>
    )
  }
  if (saved === undefined) return null
  if (conflict.length > 0) {
    const local = settingsIn(state)
    const values = conflict.map(
      (name) =>
        t`${i18n._(LABELS[name])}: now ${wordFor(name, saved.user_settings)}, in this browser ${wordFor(name, local)}`,
    )
    return (
      <p>
        <StateBadge tone="warn">{t`Changed elsewhere`}</StateBadge> <span className="muted">{values.join('; ')}</span>
      </p>
    )
  }
  const count = settingNames(changed).length
  return (
    <p>
      <b className="medium">{plural(count, { one: t`# unsaved change`, other: t`# unsaved changes` })}</b>{' '}
      <span className="muted">{describeChanges(saved.user_settings, changed)}</span>
    </p>
  )
}
