import { Activity, KeyRound, type LucideIcon, Settings, Shield, User } from 'lucide-react'
import { paths } from '../paths.ts'
import { NavLink } from '../router.ts'
import { FLAGS, hasFlag } from '../session/features.ts'
import type { ClientUser } from '../session/present-user.ts'

type Entry = { label: string; path: string; Icon: LucideIcon; isShown: (user: ClientUser) => boolean }

/** Every entry, and who sees it. */
const ENTRIES: readonly Entry[] = [
  { label: 'Profile', path: paths.profile, Icon: User, isShown: () => true },
  { label: 'API Keys', path: paths.apiKeys, Icon: KeyRound, isShown: (user) => hasFlag(user, FLAGS.apiKeys) },
  { label: 'API Key Audit', path: paths.metrics, Icon: Activity, isShown: (user) => hasFlag(user, FLAGS.audit) },
  { label: 'Settings', path: paths.settings, Icon: Settings, isShown: () => true },
  {
    label: 'Admin Controls',
    path: paths.admin,
    Icon: Shield,
    isShown: ({ role }) => role === 'admin' || role === 'tester',
  },
]

export function DashboardNav({ user, onNavigate }: { user: ClientUser; onNavigate?: () => void }) {
  return (
    <ul className="nav">
      {ENTRIES.filter(({ isShown }) => isShown(user)).map(({ label, path, Icon }) => (
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
