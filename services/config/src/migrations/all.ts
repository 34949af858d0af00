import { createConfig } from './0001-create-config.ts'
import { addFlagRulesAndGlobalConfigs } from './0002-add-flag-rules-and-global-configs.ts'
import { addPlans } from './0012-add-plans.ts'
import { createUserSettings } from './0013-create-user-settings.ts'
import { hearOfAccounts } from './0020-hear-of-accounts.ts'
import { tellFlagFlips } from './0022-tell-flag-flips.ts'
import { tellRestoredVersionsApart } from './0023-tell-restored-versions-apart.ts'
import { addStreamLimits } from './0024-add-stream-limits.ts'
import { addShadowLimits } from './0025-add-shadow-limits.ts'
import { holdInvoices } from './0026-hold-invoices.ts'
import { createInvoice } from './0014-create-invoice.ts'

export const migrations = {
  '0001-create-config': createConfig,
  '0002-add-flag-rules-and-global-configs': addFlagRulesAndGlobalConfigs,
  '0012-add-plans': addPlans,
  '0013-create-user-settings': createUserSettings,
  '0020-hear-of-accounts': hearOfAccounts,
  '0014-create-invoice': createInvoice,
  '0022-tell-flag-flips': tellFlagFlips,
  '0023-tell-restored-versions-apart': tellRestoredVersionsApart,
  '0024-add-stream-limits': addStreamLimits,
  '0025-add-shadow-limits': addShadowLimits,
  '0026-hold-invoices': holdInvoices,
}
