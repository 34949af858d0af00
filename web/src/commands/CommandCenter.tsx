import { t } from '@lingui/core/macro'
import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { paths } from '../paths.ts'
import { chooseTheme } from '../platform.ts'
import { useLocation, useNavigate } from '../router.ts'
import { leaveDashboard } from '../session/leave-dashboard.ts'
import { useUser } from '../session/use-session.ts'
import { nextTheme } from '../theme/theme.ts'
import { themeStore } from '../theme/use-theme.ts'
import { Button } from '../ui/Button.tsx'
import { topLayer } from '../ui/layers.ts'
import { bindKeys, isTypingIn } from './bind-keys.ts'
import './commands.css'
import { type Action, type Command, commandsFor, keyOf } from './commands.ts'
import { ariaKeys } from './key-names.ts'
import { Keys } from './Keys.tsx'
import { areSingleKeysOn } from './single-keys.ts'

const loadPalette = () => import('./Palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))
const Shortcuts = lazy(async () => ({ default: (await import('./Shortcuts.tsx')).Shortcuts }))
const RECENT_MAX = 5
const PALETTE_KEYS = keyOf('palette') ?? ''

/** The command palette and the keyboard shortcuts of its commands. */
export function CommandCenter({ onSidebar }: { onSidebar: () => void }) {
  const user = useUser()
  const here = useLocation()
  const navigate = useNavigate()
  const [shown, setShown] = useState<'palette' | 'shortcuts'>()
  /** Kept only while the page is open; searches are not stored. */
  const [recent, setRecent] = useState<readonly string[]>([])
  const commands = commandsFor(user)

  const actions: Record<Action, () => void> = {
    palette: () => setShown('palette'),
    shortcuts: () => setShown('shortcuts'),
    theme: () => chooseTheme(nextTheme(themeStore.get())),
    sidebar: onSidebar,
    'sign-out': leaveDashboard,
  }

  function run(command: Command): void {
    if ('to' in command) void navigate(command.to(here))
    else if ('action' in command) actions[command.action]()
  }

  /** URLs outside the dashboard are separate documents. */
  function open(path: string): void {
    if (path.startsWith(paths.profile)) void navigate(path)
    else location.assign(path)
  }

  function choose(id: string, path: string | undefined): void {
    setShown(undefined)
    setRecent([id, ...recent.filter((one) => one !== id)].slice(0, RECENT_MAX))
    const command = commands.find((one) => one.id === id)
    if (path !== undefined) open(path)
    else if (command !== undefined) run(command)
  }

  useKeys(commands, run)

  return (
    <>
      <SearchBox onOpen={actions.palette} />
      <Suspense fallback={null}>
        {shown === 'palette' && (
          <Palette commands={commands} recent={recent} onChoose={choose} onClose={() => setShown(undefined)} />
        )}
        {shown === 'shortcuts' && <Shortcuts commands={commands} onClose={() => setShown(undefined)} />}
      </Suspense>
    </>
  )
}

function SearchBox({ onOpen }: { onOpen: () => void }) {
  return (
    <>
      <button
        type="button"
        className="searchbox only-wide"
        aria-haspopup="dialog"
        aria-keyshortcuts={ariaKeys(PALETTE_KEYS)}
        onPointerEnter={() => void loadPalette()}
        onFocus={() => void loadPalette()}
        onClick={onOpen}
      >
        <Search className="icon" aria-hidden="true" />
        {t`Search or jump to`}
        <Keys keys={PALETTE_KEYS} />
      </button>
      <Button
        variant="quiet"
        isIconOnly
        className="only-narrow"
        aria-label={t`Search or jump to`}
        aria-haspopup="dialog"
        onClick={onOpen}
        icon={<Search className="icon" aria-hidden="true" />}
      />
    </>
  )
}

/** Shortcuts are off while a dialog is open. */
function useKeys(commands: readonly Command[], run: (command: Command) => void): void {
  const latest = useRef({ commands, run })
  useEffect(() => {
    latest.current = { commands, run }
  })
  useEffect(() => {
    const press = bindKeys({ commands: () => latest.current.commands, areSingleKeysOn, now: () => performance.now() })
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || topLayer() !== undefined) return
      const { key, ctrlKey, metaKey, altKey } = event
      const command = press({ key, ctrlKey, metaKey, altKey, isTyping: isTypingIn(event.target) })
      if (command === undefined) return
      event.preventDefault()
      latest.current.run(command)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
