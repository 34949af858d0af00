import { t } from '@lingui/core/macro'
import { useSingleKeys } from '../../commands/single-keys.ts'
import { settings } from '../../platform.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Choice, SettingsSection, Switch } from './Rows.tsx'
import { ITEM_OPTIONS, shownView, VIEW_OPTIONS } from './setting-words.ts'

const ITEMS = { '10': 10, '20': 20, '50': 50 } as const

export function DashboardSettings() {
  const { dashboardDefaultView, dashboardItemsPerPage, dashboardCompactMode } = useSettings()
  const [hasSingleKeys, setSingleKeys] = useSingleKeys()
  return (
    <SettingsSection title={t`Dashboard`} lead={t`Start page, rows per page and density.`}>
      <Choice
        label={t`Default view`}
        sub={t`Page opened after sign-in`}
        options={VIEW_OPTIONS}
        value={shownView(dashboardDefaultView)}
        onChoose={(view) => settings.change({ dashboardDefaultView: view })}
      />
      <Choice
        label={t`Items per page`}
        sub={t`In all paged lists`}
        options={ITEM_OPTIONS}
        value={`${dashboardItemsPerPage}`}
        onChoose={(count) => settings.change({ dashboardItemsPerPage: ITEMS[count] })}
      />
      <Switch
        label={t`Compact mode`}
        sub={t`Table rows of 32 instead of 40 pixels`}
        isOn={dashboardCompactMode}
        onChange={(isOn) => settings.change({ dashboardCompactMode: isOn })}
      />
      <Switch
        label={t`Single-key shortcuts`}
        sub={t`In this browser. Press ? to see them`}
        isOn={hasSingleKeys}
        onChange={setSingleKeys}
      />
    </SettingsSection>
  )
}
