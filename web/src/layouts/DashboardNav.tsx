import { type Command, commandsFor } from '../commands/commands.ts'
import { i18n } from '../language/i18n.ts'
import { paths } from '../paths.ts'
import { Link, useLocation } from '../router.ts'
import type { ClientUser } from '../session/present-user.ts'

const GROUPS = [1, 2, 3] as const

type NavProps = { user: ClientUser; onNavigate?: () => void }

export function DashboardNav({ user, onNavigate }: NavProps) {
  const commands = commandsFor(user)
  return (
    <ul className="nav">
      {GROUPS.map((group) => {
        const entries = commands.filter(({ navGroup }) => navGroup === group)
        if (entries.length === 0) return null
        return (
          <li key={group}>
            <ul>
              {entries.map((command) => (
                <Entry key={command.id} command={command} onNavigate={onNavigate} />
              ))}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}

function Entry({ command, onNavigate }: { command: Command; onNavigate: (() => void) | undefined }) {
  const here = useLocation()
  const { label, Icon } = command
  if (!('to' in command) || Icon === undefined || label === undefined) return null
  const path = command.to(here)
  return (
    <li>
      <Link to={path} aria-current={isOf(path, here.pathname)} title={i18n._(label)} onClick={onNavigate}>
        <Icon className="icon" aria-hidden="true" />
        <span className="word">{i18n._(label)}</span>
      </Link>
    </li>
  )
}

/** Whether a page is this one or below it; the profile must match exactly, because all paths begin with its path. */
function isOf(path: string, here: string): 'page' | undefined {
  const isBelow = path !== paths.profile && here.startsWith(`${path}/`)
  return here === path || isBelow ? 'page' : undefined
}
