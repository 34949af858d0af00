import { workInThread } from '../threads/work-in-thread.ts'
import { eraseAccounts } from './erase-accounts.ts'

// A thread of its own: archived days are decoded and encoded again.
await workInThread('audit-erasure', (deps) => eraseAccounts(deps))
