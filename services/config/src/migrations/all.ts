import { createConfig } from './0001-create-config.ts'
import { addFlagRulesAndGlobalConfigs } from './0002-add-flag-rules-and-global-configs.ts'
import { addPlans } from './0012-add-plans.ts'
import { createUserSettings } from './0013-create-user-settings.ts'

export const migrations = {
  '0001-create-config': createConfig,
  '0002-add-flag-rules-and-global-configs': addFlagRulesAndGlobalConfigs,
  '0012-add-plans': addPlans,
  '0013-create-user-settings': createUserSettings,
}
