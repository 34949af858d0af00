import type { Actor } from '@tapeline/contracts/actor'
import { changeRefused } from '@tapeline/contracts/config/events'
import { newEvent } from '@tapeline/contracts/event'
import type { FieldProblem } from '@tapeline/contracts/field-problems'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'

const ERRORS_MAX = 10
const TEXT_MAX = 200

export type Refusal = { key: string; code: string; errors: readonly FieldProblem[]; reason: string | null }

/** Says who tried to store what is not valid, and why it was not: what held before goes on. */
export async function recordRefusal(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  actor: Actor,
  { errors, ...refusal }: Refusal,
): Promise<void> {
  const shown = errors
    .slice(0, ERRORS_MAX)
    .map(({ field, message }) => ({ field: short(field), message: short(message) }))
  const about = { id: deps.newId(), time: deps.now(), subject: refusal.key, account: null, actor }
  await recordEvent(trx, newEvent(changeRefused, { ...about, data: { ...refusal, errors: shown } }))
}

function short(text: string): string {
  return text.slice(0, TEXT_MAX).toWellFormed().replaceAll('\0', '')
}
