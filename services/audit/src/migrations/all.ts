import type { Migrations } from '@tapeline/database/migrate'
import { createUsage } from './0001-create-usage.ts'
import { compareUsage } from './0010-compare-usage.ts'
import { createUsageNetwork } from './0011-create-usage-network.ts'

export const migrations: Migrations = {
  '0001-create-usage': createUsage,
  '0010-compare-usage': compareUsage,
  '0011-create-usage-network': createUsageNetwork,
}
