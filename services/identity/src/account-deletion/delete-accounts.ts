import { newEvent } from '@tapeline/contracts/event'
import { accountDeleted } from '@tapeline/contracts/identity/events'
import { deleteDeadLettersOf } from '@tapeline/events/dead-letters/dead-letter-queries'
import { recordEvent } from '@tapeline/events/outbox'
import type { Deps } from '../deps.ts'
import { languageOf } from '../mail/language.ts'
import { deleteMailsTo } from '../mail/mail-queries.ts'
import { recordMail } from '../mail/record-mail.ts'
import { recordGrant } from '../grants/record-grant.ts'
import { userVersion } from '../users/insert-account.ts'
import { findUser, lockUser } from '../users/user-queries.ts'
import { deleteUser, listAccountsDue } from './deletion-queries.ts'

const BATCH = 100
const JOB = { kind: 'service', service: 'identity' } as const

/**
 * Job. Deletes accounts whose grace period is over, each in its own transaction. Idempotent: a deleted account is not
 * due.
 */
export async function deleteAccounts(deps: Deps): Promise<number> {
  let total = 0
  for (;;) {
    const due = await listAccountsDue(deps.db, deps.now(), BATCH)
    for (const userId of due) if (await deleteAccount(deps, userId)) total += 1
    if (due.length < BATCH) return total
  }
}

/** Only the last mail is kept until it is sent. It stores the language, which cannot be read afterwards. */
async function deleteAccount(deps: Deps, userId: string): Promise<boolean> {
  const found = await findUser(deps.db, userId)
  if (found === undefined) return false
  const language = languageOf(await deps.findProfile(userId, found.role))
  return deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, userId)
    const dueAt = user?.deletion_due_at ?? null
    if (user === undefined || dueAt === null || dueAt > deps.now()) return false
    await deleteMailsTo(trx, [user.email, user.email_canonical])
    await recordGrant(trx, deps, userId)
    await deleteUser(trx, userId)
    await deleteDeadLettersOf(trx, userId)
    const mail = { kind: 'account-deleted', language } as const
    await recordMail(trx, deps, { userId: null, recipient: user.email, mail })
    const deleted = { ...user, version: user.version + 1 }
    const event = newEvent(accountDeleted, {
      id: deps.newId(),
      time: deps.now(),
      subject: userId,
      account: userId,
      actor: JOB,
      data: { user_id: userId, version: deleted.version },
    })
    await recordEvent(trx, event, userVersion(deleted))
    return true
  })
}
