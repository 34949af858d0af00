import type { Limiter } from '../src/reconciliation/limiter.ts'

/** The limiter while Redis is away: for tests that are not about it. */
export const limiterAway: Limiter = {
  isReady: () => false,
  readCells: async () => ({ knownSinceMs: undefined, requests: new Map() }),
  listAccounts: async () => [],
  countOpen: async () => undefined,
}
