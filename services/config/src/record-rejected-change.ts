import type { Actor } from '@tapeline/contracts/actor'
import { changeRefused } from '@tapeline/contracts/config/events'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { AppError } from '@tapeline/service/app-error'
import type { Deps } from './deps.ts'

const REPORTED_MAX = 20
const TEXT_MAX = 200

export type RejectedChange = { key: string; failure: AppError; reason?: string | undefined }

/**
 * Publishes a rejected change with its reason; the previous value stays in effect. In a separate transaction, because
 * the change has none.
 */
export async function recordRejectedChange(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: Actor,
  { key, failure, reason }: RejectedChange,
): Promise<void> {
  const errors = (failure.errors ?? [])
    .slice(0, REPORTED_MAX)
    .map(({ field, message }) => ({ field: truncated(field), message: truncated(message) }))
  const about = { id: deps.newId(), time: deps.now(), subject: key, account: null, actor }
  const event = newEvent(changeRefused, { ...about, data: { key, code: failure.code, errors, reason: reason ?? null } })
  await deps.db.transaction().execute((trx) => recordEvent(trx, event))
}

/** The value sent can be long, or not a string. */
function truncated(text: string): string {
  return text.slice(0, TEXT_MAX).toWellFormed().replaceAll('\0', '')
}
