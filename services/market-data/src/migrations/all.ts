import type { Migrations } from '@tapeline/database/migrate'
import { createMarketData } from './0001-create-market-data.ts'
import { createSealedFiles } from './0002-create-sealed-files.ts'

export const migrations: Migrations = {
  '0001-create-market-data': createMarketData,
  '0002-create-sealed-files': createSealedFiles,
}
