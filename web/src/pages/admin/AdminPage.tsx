import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { lazy, Suspense, useId } from 'react'
import type { Role } from '@tapeline/contracts/actor'
import { useQuery } from '@tanstack/react-query'
import { i18n } from '../../language/i18n.ts'
import { useSearchParams } from '../../router.ts'
import { useUser } from '../../session/use-session.ts'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import './admin.css'
import { ConfigsTab } from './configs/ConfigsTab.tsx'
import { configsQuery } from './configs/configs.queries.ts'
import { FlagsTab } from './flags/FlagsTab.tsx'

const UsersTab = lazy(async () => ({ default: (await import('./users/UsersTab.tsx')).UsersTab }))
const TiersTab = lazy(async () => ({ default: (await import('./tiers/TiersTab.tsx')).TiersTab }))
const ReplayTab = lazy(async () => ({ default: (await import('./replay/ReplayTab.tsx')).ReplayTab }))
const ShadowTab = lazy(async () => ({ default: (await import('./shadow/ShadowTab.tsx')).ShadowTab }))
const VenuesTab = lazy(async () => ({ default: (await import('./venues/VenuesTab.tsx')).VenuesTab }))

type TabId = 'flags' | 'configs' | 'users' | 'tiers' | 'venues' | 'replay' | 'shadow'
/** Testers see a notice instead of configurations; the tabs for accounts, tiers and venues are hidden. */
const TABS: readonly { id: TabId; label: MessageDescriptor; roles: readonly Role[] }[] = [
  { id: 'flags', label: msg`Feature Flags`, roles: ['tester', 'admin'] },
  { id: 'configs', label: msg`Global Configurations`, roles: ['tester', 'admin'] },
  { id: 'users', label: msg`Users`, roles: ['admin'] },
  { id: 'tiers', label: msg`Tiers`, roles: ['admin'] },
  { id: 'venues', label: msg`Venues`, roles: ['admin'] },
  { id: 'replay', label: msg`Limits replay`, roles: ['admin'] },
  { id: 'shadow', label: msg`Shadow limits`, roles: ['admin'] },
]

/** Platform-wide settings for testers and admins; the open tab is in the URL. */
export function AdminPage() {
  const { role } = useUser()
  const panelId = useId()
  const [search, setSearch] = useSearchParams()
  // Loaded with the page, whichever tab is open.
  useQuery({ ...configsQuery, enabled: role === 'admin' })
  if (role !== 'admin' && role !== 'tester') return <Restricted />
  const tabs = TABS.filter(({ roles }) => roles.includes(role))
  const selected: TabId = tabs.find(({ id }) => id === search.get('tab'))?.id ?? 'flags'
  return (
    <>
      <Tabs
        label={t`Admin`}
        tabs={tabs.map(({ id, label }) => ({ id, label: i18n._(label) }))}
        selected={selected}
        onSelect={(tab) => setSearch(tab === 'flags' ? {} : { tab }, { replace: true })}
        panelId={panelId}
      />
      <TabPanel id={panelId} selected={selected}>
        <Suspense fallback={null}>
          <SelectedTab id={selected} role={role} />
        </Suspense>
      </TabPanel>
    </>
  )
}

function SelectedTab({ id, role }: { id: TabId; role: 'admin' | 'tester' }) {
  switch (id) {
    case 'flags':
      return <FlagsTab role={role} />
    case 'configs':
      return role === 'admin' ? <ConfigsTab /> : <OnlyAdmins />
    case 'users':
      return <UsersTab />
    case 'tiers':
      return <TiersTab />
    case 'venues':
      return <VenuesTab />
    case 'replay':
      return <ReplayTab />
    case 'shadow':
      return <ShadowTab />
  }
}

function OnlyAdmins() {
  return (
    <section className="panel empty admin-first">
      <p>{t`Global configurations can only be managed by administrators.`}</p>
    </section>
  )
}

function Restricted() {
  return (
    <section className="panel empty">
      <h2>{t`Access Restricted`}</h2>
      <p>{t`Access Restricted: You need admin or tester privileges to access this section.`}</p>
    </section>
  )
}
