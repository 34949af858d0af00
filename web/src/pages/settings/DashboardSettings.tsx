import { settings } from '../../platform.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Choice, SettingsSection, Switch } from './Rows.tsx'
import { ITEM_OPTIONS, shownView, VIEW_OPTIONS } from './setting-words.ts'

const ITEMS = { '10': 10, '20': 20, '50': 50 } as const

export function DashboardSettings() {
  const { dashboardDefaultView, dashboardItemsPerPage, dashboardCompactMode } = useSettings()
  return (
    <SettingsSection title="Dashboard" lead="Where you land, and how much fits.">
      <Choice
        label="Default view"
        sub="Where signing in leads"
        options={VIEW_OPTIONS}
        value={shownView(dashboardDefaultView)}
        onChoose={(view) => settings.change({ dashboardDefaultView: view })}
      />
      <Choice
        label="Items per page"
        sub="In every list that has pages"
        options={ITEM_OPTIONS}
        value={`${dashboardItemsPerPage}`}
        onChoose={(count) => settings.change({ dashboardItemsPerPage: ITEMS[count] })}
      />
      <Switch
        label="Compact mode"
        sub="Table rows of 32 instead of 40 pixels"
        isOn={dashboardCompactMode}
        onChange={(isOn) => settings.change({ dashboardCompactMode: isOn })}
      />
    </SettingsSection>
  )
}
