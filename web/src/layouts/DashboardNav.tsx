import { Activity, KeyRound, User } from 'lucide-react'
import { paths } from '../paths.ts'
import { NavLink } from '../router.ts'
import { FLAGS, hasFlag } from '../session/features.ts'
import type { ClientUser } from '../session/present-user.ts'

/** Every entry, and the flag that it needs. */
const ENTRIES = [
  { label: 'Profile', path: paths.profile, Icon: User, flag: undefined },
  { label: 'API Keys', path: paths.apiKeys, Icon: KeyRound, flag: FLAGS.apiKeys },
  { label: 'API Key Audit', path: paths.metrics, Icon: Activity, flag: FLAGS.audit },
] as const

export function DashboardNav({ user, onNavigate }: { user: ClientUser; onNavigate?: () => void }) {
  return (
    <ul className="nav">
      {ENTRIES.filter(({ flag }) => flag === undefined || hasFlag(user, flag)).map(({ label, path, Icon }) => (
        <li key={path}>
          <NavLink to={path} end={path === paths.profile} title={label} onClick={onNavigate}>
            <Icon className="i" aria-hidden="true" />
            <span className="lbl">{label}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  )
}
