import type { ErrorCode } from '@tapeline/contracts/error-code'
import { AppError } from '@tapeline/service/app-error'

export type SlotBounds = { perAccount: number; total: number; code: ErrorCode; what: string }

const RETRY_AFTER_S = 5

/** Bounds the number of concurrent long responses per account and per process. */
export class OpenSlots {
  private readonly byAccount = new Map<string, number>()
  private open = 0
  private readonly bounds: SlotBounds

  constructor(bounds: SlotBounds) {
    this.bounds = bounds
  }

  /**
   * Takes a slot.
   * @returns an idempotent function that releases it
   */
  take(accountId: string): () => void {
    const { perAccount, total, code, what } = this.bounds
    const own = this.byAccount.get(accountId) ?? 0
    if (own >= perAccount) {
      throw new AppError(code, `You have ${own} ${what} open already.`, { retryAfterSeconds: RETRY_AFTER_S })
    }
    if (this.open >= total) {
      throw new AppError('service.unavailable', `Too many ${what} are open. Try again in a moment.`, {
        retryAfterSeconds: RETRY_AFTER_S,
        isPartial: true,
      })
    }
    this.byAccount.set(accountId, own + 1)
    this.open += 1
    let isTaken = true
    return () => {
      if (isTaken) this.free(accountId)
      isTaken = false
    }
  }

  private free(accountId: string): void {
    this.open -= 1
    const open = (this.byAccount.get(accountId) ?? 1) - 1
    if (open === 0) this.byAccount.delete(accountId)
    else this.byAccount.set(accountId, open)
  }
}
