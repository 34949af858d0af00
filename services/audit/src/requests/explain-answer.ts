import type { ExplainedWindow, Explanation } from '@tapeline/contracts/audit/requests'
import { componentOf } from '../status/components.ts'
import { limitWords } from './limit-words.ts'

export type AnsweredRequest = {
  route: string
  status: number
  code: string | null
  /** False when the gateway itself produced the response. */
  hasReachedService: boolean
  rejectedFields: Explanation['rejected_fields']
}

const STATUS_CLIENT_GONE = 499

/** Why an allowed request got its response. */
export function explainAnswer(request: AnsweredRequest, windows: readonly ExplainedWindow[]): string {
  const { status, code, rejectedFields } = request
  if (status < 400) return allowed(windows)
  if (status === STATUS_CLIENT_GONE) return 'Allowed. The client disconnected before the response was complete.'
  const by = request.hasReachedService ? (componentOf(request.route) ?? 'the service') : 'the gateway'
  if (rejectedFields.length === 0)
    return `Allowed by every limit. Answered by ${by} with ${status}${code === null ? '' : ` ${code}`}.`
  const isExplained = rejectedFields.every(({ rule }) => rule !== undefined)
  const reasons = rejectedFields.map(({ message }) => message).join('; ')
  return `Rejected by ${by}${isExplained || code === null ? '' : ` (${code})`}: ${reasons}.`
}

function allowed(windows: readonly ExplainedWindow[]): string {
  const tightest = windows.toSorted((a, b) => roomOf(a) - roomOf(b))[0]
  return tightest === undefined ? 'Allowed.' : `Allowed. Tightest limit: ${limitWords(tightest)}.`
}

/** The remaining proportion: 1 of 20 left is tighter than 3 of 5. */
function roomOf({ remaining, limit }: ExplainedWindow): number {
  return limit === 0 ? 0 : remaining / limit
}
