import type { Migrations } from '@tapeline/database/migrate'
import { createMarketData } from './0001-create-market-data.ts'
import { createSealedFiles } from './0002-create-sealed-files.ts'
import { describeInstruments } from './0003-describe-instruments.ts'

export const migrations: Migrations = {
  '0001-create-market-data': createMarketData,
  '0002-create-sealed-files': createSealedFiles,
  '0003-describe-instruments': describeInstruments,
}
