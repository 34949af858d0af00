import { i18n } from '../language/i18n.ts'
import { commandsFor } from '../commands/commands.ts'
import { paths } from '../paths.ts'
import { NavLink, useLocation } from '../router.ts'
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
            <NavLink to={path} end={path === paths.profile} title={i18n._(label)} onClick={onNavigate}>
              <Icon className="i" aria-hidden="true" />
              <span className="lbl">{i18n._(label)}</span>
            </NavLink>
          </li>
        )
      })}
    </ul>
  )
}
