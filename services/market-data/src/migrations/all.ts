import type { Migrations } from '@tapeline/database/migrate'
import { createMarketData } from './0001-create-market-data.ts'

export const migrations: Migrations = { '0001-create-market-data': createMarketData }
