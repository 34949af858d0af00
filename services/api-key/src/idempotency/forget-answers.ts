import { ANSWERS_KEPT_MS } from './create-key-once.ts'
import type { Deps } from '../deps.ts'
import { deleteAnswersBefore } from './idempotency-queries.ts'

/** Job. A day after a creation its `Idempotency-Key` means nothing any more. */
export function forgetAnswers(deps: Pick<Deps, 'db' | 'now'>): Promise<number> {
  return deleteAnswersBefore(deps.db, new Date(deps.now().getTime() - ANSWERS_KEPT_MS))
}
