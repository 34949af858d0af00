import { useId } from 'react'
import { useSearchParams } from '../../router.ts'
import { useUser } from '../../session/use-session.ts'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import './admin.css'
import { ConfigsTab } from './configs/ConfigsTab.tsx'
import { FlagsTab } from './flags/FlagsTab.tsx'

const TABS = [
  { id: 'flags', label: 'Feature Flags' },
  { id: 'configs', label: 'Global Configurations' },
] as const
type TabId = (typeof TABS)[number]['id']

/** What testers and admins set for everybody; which part is open is in the address. */
export function AdminPage() {
  const { role } = useUser()
  const panelId = useId()
  const [search, setSearch] = useSearchParams()
  if (role !== 'admin' && role !== 'tester') return <Restricted />
  const selected: TabId = TABS.find(({ id }) => id === search.get('tab'))?.id ?? 'flags'
  return (
    <>
      <Tabs
        label="Admin"
        tabs={TABS}
        selected={selected}
        onSelect={(tab) => setSearch(tab === 'flags' ? {} : { tab }, { replace: true })}
        panelId={panelId}
      />
      <TabPanel id={panelId} selected={selected}>
        {selected === 'flags' && <FlagsTab role={role} />}
        {selected === 'configs' && (role === 'admin' ? <ConfigsTab /> : <OnlyAdmins />)}
      </TabPanel>
    </>
  )
}

function OnlyAdmins() {
  return (
    <section className="panel empty admin-first">
      <p>Global configurations can only be managed by administrators.</p>
    </section>
  )
}

function Restricted() {
  return (
    <section className="panel empty">
      <h2>Access Restricted</h2>
      <p>Access Restricted: You need admin or tester privileges to access this section.</p>
    </section>
  )
}
