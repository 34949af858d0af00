import { runMigrations } from '@tapeline/database/run-migrations'
import { migrations } from './migrations/all.ts'

await runMigrations('audit', migrations)
