import { ANSWERS_KEPT_MS } from './create-key-once.ts'
import type { Deps } from '../deps.ts'
import { deleteAnswersBefore } from './idempotency-queries.ts'

/** Job. Deletes stored responses a day after their creation; their `Idempotency-Key` can then be reused. */
export function deleteOldAnswers(deps: Pick<Deps, 'db' | 'now'>): Promise<number> {
  return deleteAnswersBefore(deps.db, new Date(deps.now().getTime() - ANSWERS_KEPT_MS))
}
