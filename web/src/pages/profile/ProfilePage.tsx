import { useQuery } from '@tanstack/react-query'
import { Activity, ArrowRight, KeyRound, Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTime, formatMonth } from '../../format/date.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { FLAGS, hasFlag } from '../../session/features.ts'
import type { ClientUser } from '../../session/present-user.ts'
import { useUser } from '../../session/use-session.ts'
import { Stat, Stats } from '../../ui/Stat.tsx'
import { StateBadge, Tag } from '../../ui/StateBadge.tsx'
import { keysQuery } from '../api-keys/api-keys.queries.ts'
import './profile.css'

const PLAN_NAMES = { free: 'Free', basic: 'Basic', pro: 'Pro' } as const

export function ProfilePage() {
  const user = useUser()
  return (
    <div className="profile">
      <div className="pagebar">
        <p>
          <b>{[user.firstName, user.lastName].filter(Boolean).join(' ')}</b> <span className="t3">·</span>{' '}
          <span className="mono">{user.email}</span>{' '}
          {user.role !== undefined && <Tag tone={user.role}>{user.role}</Tag>}
        </p>
      </div>
      <Stats>
        <Stat label="API Keys, active of all" value={<KeyCounts />} />
        <Stat label="Member Since" value={user.createdAt === null ? 'N/A' : formatMonth(user.createdAt)} isWords />
      </Stats>
      <div className="cols">
        <PersonalInformation user={user} />
        <AccountOverview user={user} />
      </div>
      {hasFlag(user, FLAGS.apiKeys) && <QuickActions user={user} />}
    </div>
  )
}

function KeyCounts() {
  const keys = useQuery(keysQuery)
  if (keys.data === undefined) return <span className="t3">{keys.isError ? 'N/A' : '–'}</span>
  return (
    <>
      {keys.data.filter(({ status }) => status === 'active').length}
      <span className="t3">/{keys.data.length}</span>
    </>
  )
}

function PersonalInformation({ user }: { user: ClientUser }) {
  return (
    <section className="panel" aria-labelledby="personal">
      <div className="panel-head">
        <h2 id="personal">Personal Information</h2>
      </div>
      <dl className="lines">
        <Line label="First name">{orNotSet(user.firstName)}</Line>
        <Line label="Last name">{orNotSet(user.lastName)}</Line>
        <Line label="Email">
          <span className="mono">{user.email}</span>
          {user.emailVerified && <StateBadge tone="ok">Verified</StateBadge>}
        </Line>
        <Line label="Mobile">{orNotSet(user.mobile)}</Line>
      </dl>
    </section>
  )
}

function AccountOverview({ user }: { user: ClientUser }) {
  const isActive = user.status === 'active'
  return (
    <section className="panel" aria-labelledby="overview">
      <div className="panel-head">
        <h2 id="overview">Account Overview</h2>
      </div>
      <dl className="lines">
        <Line label="Status">
          <StateBadge tone={isActive ? 'ok' : 'bad'}>{isActive ? 'Active' : user.status}</StateBadge>
        </Line>
        <Line label="Plan">{PLAN_NAMES[user.subscriptionTier]}</Line>
        <Line label="Last login">
          {user.lastLoginAt === null ? (
            <span className="t3">Never</span>
          ) : (
            <>
              <span className="mono">{formatDateTime(user.lastLoginAt)}</span> <span className="t3">UTC</span>
            </>
          )}
        </Line>
        <Line label="Email notifications">{reminderOf(user)}</Line>
      </dl>
      {user.isSuperuser && (
        <div className="foot">
          <p className="banner admin">
            <Shield className="i" aria-hidden="true" />
            <span>
              <b className="med">Admin Access</b> <span className="t2">for flags and configuration</span>
            </span>
          </p>
        </div>
      )}
    </section>
  )
}

function reminderOf({ reminderEnabled, reminderTime, reminderMethod }: ClientUser): ReactNode {
  if (!reminderEnabled) return <span className="t3">Off</span>
  return (
    <>
      Daily at <span className="mono">{String(reminderTime).padStart(2, '0')}:00</span> by{' '}
      {reminderMethod === 'email' ? 'Email' : 'Push'}
    </>
  )
}

function QuickActions({ user }: { user: ClientUser }) {
  return (
    <section className="panel" aria-labelledby="quick">
      <div className="panel-head">
        <h2 id="quick">Quick Actions</h2>
      </div>
      <div className="go">
        <Action to={paths.apiKeys} icon={<KeyRound className="i" aria-hidden="true" />} title="API Keys">
          Create, regenerate and revoke
        </Action>
        {hasFlag(user, FLAGS.audit) && (
          <Action to={paths.metrics} icon={<Activity className="i" aria-hidden="true" />} title="Analytics">
            Requests, errors, limits
          </Action>
        )}
      </div>
    </section>
  )
}

function Action({ to, icon, title, children }: { to: string; icon: ReactNode; title: string; children: string }) {
  return (
    <Link to={to}>
      {icon}
      <span>
        {title}
        <small>{children}</small>
      </span>
      <ArrowRight className="i" aria-hidden="true" />
    </Link>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function orNotSet(value: string): ReactNode {
  return value === '' ? <span className="t3">Not set</span> : value
}
