import { t } from '@lingui/core/macro'
import { Activity, ArrowRight, KeyRound, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { FLAGS, hasFlag } from '../../session/features.ts'
import type { ClientUser } from '../../session/present-user.ts'
import { Panel } from './Lines.tsx'

export function QuickActions({ user }: { user: ClientUser }) {
  return (
    <Panel title={t`Quick Actions`}>
      <div className="links">
        <Action to={paths.apiKeys} icon={<KeyRound className="icon" aria-hidden="true" />} title={t`API Keys`}>
          {t`Create, regenerate and revoke`}
        </Action>
        {hasFlag(user, FLAGS.audit) && (
          <Action to={paths.metrics} icon={<Activity className="icon" aria-hidden="true" />} title={t`Analytics`}>
            {t`Requests, errors, limits`}
          </Action>
        )}
        <Action to={paths.settings} icon={<Settings className="icon" aria-hidden="true" />} title={t`Settings`}>
          {t`Theme, language, time zone`}
        </Action>
      </div>
    </Panel>
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
      <ArrowRight className="icon" aria-hidden="true" />
    </Link>
  )
}
