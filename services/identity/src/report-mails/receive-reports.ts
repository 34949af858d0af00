import type { reportMade, reportMadeV1 } from '@tapeline/contracts/audit/events'
import type { Event } from '@tapeline/contracts/event'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Deps } from '../deps.ts'
import { findMail } from '../mail/mail-queries.ts'
import { recordMail } from '../mail/record-mail.ts'
import type { Tables } from '../tables.ts'
import { findUser } from '../users/user-queries.ts'

type ReportMade = Event<Static<typeof reportMade.data> | Static<typeof reportMadeV1.data>>
export type ReportMailing = Pick<Deps, 'now' | 'newId' | 'secret'>

/**
 * Mails made reports to verified addresses of active accounts. Idempotent: a mail has the event's id, and mails are
 * kept for longer than events.
 */
export async function receiveReports(
  deps: ReportMailing,
  trx: Transaction<Tables>,
  events: ReportMade[],
): Promise<void> {
  for (const { id, data } of events) {
    const { account_id: userId, report_id: _, ...report } = data
    const user = await findUser(trx, userId)
    if (user === undefined || user.status !== 'active' || !user.email_verified) continue
    if ((await findMail(trx, id)) !== undefined) continue
    await recordMail(trx, deps, { id, userId, recipient: user.email, mail: { kind: 'report', ...report } })
  }
}
