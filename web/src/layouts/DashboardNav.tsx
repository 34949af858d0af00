import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { Activity, KeyRound, type LucideIcon, Settings, Shield, User } from 'lucide-react'
import { i18n } from '../language/i18n.ts'
import { paths } from '../paths.ts'
import { NavLink } from '../router.ts'
import { FLAGS, hasFlag } from '../session/features.ts'
import type { ClientUser } from '../session/present-user.ts'

type Entry = { label: MessageDescriptor; path: string; Icon: LucideIcon; isShown: (user: ClientUser) => boolean }

/** Every entry, and who sees it. */
const ENTRIES: readonly Entry[] = [
  { label: msg`Profile`, path: paths.profile, Icon: User, isShown: () => true },
  { label: msg`API Keys`, path: paths.apiKeys, Icon: KeyRound, isShown: (user) => hasFlag(user, FLAGS.apiKeys) },
  { label: msg`API Key Audit`, path: paths.metrics, Icon: Activity, isShown: (user) => hasFlag(user, FLAGS.audit) },
  { label: msg`Settings`, path: paths.settings, Icon: Settings, isShown: () => true },
  {
    label: msg`Admin Controls`,
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
          <NavLink to={path} end={path === paths.profile} title={i18n._(label)} onClick={onNavigate}>
            <Icon className="i" aria-hidden="true" />
            <span className="lbl">{i18n._(label)}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  )
}
