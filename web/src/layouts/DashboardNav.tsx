import { i18n } from '../language/i18n.ts'
import { commandsFor } from '../commands/commands.ts'
import { paths } from '../paths.ts'
import { Link, useLocation } from '../router.ts'
import type { ClientUser } from '../session/present-user.ts'

export function DashboardNav({ user, onNavigate }: { user: ClientUser; onNavigate?: () => void }) {
  const here = useLocation()
  return (
    <ul className="nav">
      {commandsFor(user).map((command) => {
        if (command.isInNav !== true || !('to' in command)) return null
        const { id, label, Icon } = command
        const path = command.to(here)
        return (
          <li key={id}>
            <Link to={path} aria-current={isOf(path, here.pathname)} title={i18n._(label)} onClick={onNavigate}>
              <Icon className="i" aria-hidden="true" />
              <span className="lbl">{i18n._(label)}</span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** Whether a page is this one or below it; every page is below the profile, which is only itself. */
function isOf(path: string, here: string): 'page' | undefined {
  const isBelow = path !== paths.profile && here.startsWith(`${path}/`)
  return here === path || isBelow ? 'page' : undefined
}
