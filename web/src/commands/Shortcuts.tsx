import { t } from '@lingui/core/macro'
import { i18n } from '../language/i18n.ts'
import { Dialog } from '../ui/Dialog.tsx'
import type { Command } from './commands.ts'
import { labelOf } from './found-by.ts'
import { Keys } from './Keys.tsx'
import { useSingleKeys } from './single-keys.ts'
import { useId } from 'react'

/** Lists all shortcuts, from the table that binds them. */
export function Shortcuts({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const [isOn, setOn] = useSingleKeys()
  const bound = commands.filter(({ keys }) => keys !== undefined)
  return (
    <Dialog title={t`Keyboard Shortcuts`} onClose={onClose} className="shortcuts">
      <label className="row one-switch">
        <span>
          {t`Single-key shortcuts`}
          <span className="sub">{t`Also in Settings. Ctrl+K keeps working.`}</span>
        </span>
        <input
          className="switch"
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          onChange={({ currentTarget }) => setOn(currentTarget.checked)}
        />
      </label>
      <div className={isOn ? 'sheet' : 'sheet is-off'}>
        <Sheet title={t`Go to`} commands={bound.filter(({ group }) => group === 'pages')} />
        <Sheet title={t`Do`} commands={bound.filter(({ group }) => group === 'actions')} />
      </div>
    </Dialog>
  )
}

function Sheet({ title, commands }: { title: string; commands: readonly Command[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <dl>
        {commands.map((command) => (
          <div key={command.id}>
            <dt>
              {labelOf(command)}
              {'where' in command && <span className="faint"> {i18n._(command.where)}</span>}
            </dt>
            <dd>{command.keys !== undefined && <Keys keys={command.keys} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
