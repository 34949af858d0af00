import type { notificationRaised, notificationRaisedInEnglish } from '@tapeline/contracts/audit/events'
import type { Event } from '@tapeline/contracts/event'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Tables } from '../tables.ts'
import { insertNotice } from './notice-queries.ts'

type Raised = Event<Static<typeof notificationRaised.data> | Static<typeof notificationRaisedInEnglish.data>>

/**
 * Stores notifications until they are delivered according to the settings. Idempotent: a notice has the
 * notification's id.
 */
export async function receiveNotices(trx: Transaction<Tables>, events: Raised[]): Promise<void> {
  for (const event of events) await receiveNotice(trx, event)
}

async function receiveNotice(trx: Transaction<Tables>, { time, data }: Raised): Promise<void> {
  const raisedAt = new Date(time)
  await insertNotice(trx, {
    id: data.notification_id,
    user_id: data.account_id,
    kind: data.kind,
    title: data.title,
    text: data.text,
    data: 'data' in data ? JSON.stringify(data.data) : null,
    raised_at: raisedAt,
    look_at: raisedAt,
  })
}
