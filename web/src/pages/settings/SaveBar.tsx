import { settings } from '../../platform.ts'
import type { SettingsState } from '../../settings/settings-state.ts'
import { settingsIn } from '../../settings/settings-store.ts'
import { useSettingsState } from '../../settings/use-settings.ts'
import { settingNames } from '../../settings/user-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { describeChanges, LABELS, wordFor } from './setting-words.ts'

/** Its place is kept, so that nothing moves when there is something to save. */
export function SaveBar() {
  const state = useSettingsState()
  const hasChanges = settingNames(state.changed).length > 0
  return (
    <div className="savebar-slot">
      <div role="status">
        {state.said === 'saved' && !hasChanges && (
          <div className="savebar">
            <StateBadge tone="ok">Settings saved successfully!</StateBadge>
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
        <WhatIsUnsaved state={state} />
      </div>
      <span className="end row">
        <Button onClick={settings.discard}>{isInConflict ? 'Take what is there' : 'Discard'}</Button>
        <Button variant="primary" isBusy={state.isSaving} onClick={() => void settings.save()}>
          Save Changes
        </Button>
      </span>
    </div>
  )
}

function WhatIsUnsaved({ state }: { state: SettingsState }) {
  const { saved, changed, said, conflict } = state
  if (said === 'failed') return <StateBadge tone="bad">Failed to save settings</StateBadge>
  if (saved === undefined) return null
  if (conflict.length > 0) {
    const there = conflict.map((name) => `${LABELS[name]} is ${wordFor(name, saved.user_settings)} by now`)
    const here = conflict.map((name) => wordFor(name, settingsIn(state)))
    return (
      <p>
        <StateBadge tone="warn">Changed elsewhere</StateBadge>{' '}
        <span className="t2">
          {there.join('; ')}. Here it is {here.join(', ')}.
        </span>
      </p>
    )
  }
  const count = settingNames(changed).length
  return (
    <p>
      <b className="med">{count === 1 ? '1 unsaved change' : `${count} unsaved changes`}</b>{' '}
      <span className="t2">{describeChanges(saved.user_settings, changed)}</span>
    </p>
  )
}
