import { workInThread } from '../../threads/work-in-thread.ts'
import { archiveNextDay } from './archive-days.ts'

// A thread of its own: encoding a row group takes longer than a request may wait.
await workInThread('audit-archive', (deps, config) =>
  archiveNextDay({ ...deps, archiveAfterDays: config.USAGE_ARCHIVE_AFTER_DAYS }),
)
