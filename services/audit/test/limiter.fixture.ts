import type { Limiter } from '../src/reconciliation/limiter.ts'

/** A limiter whose Redis is unavailable, for tests of other parts. */
export const unavailableLimiter: Limiter = {
  isReady: () => false,
  readCells: async () => ({ countedSinceMs: undefined, requests: new Map() }),
  listAccounts: async () => [],
  countOpen: async () => undefined,
}
