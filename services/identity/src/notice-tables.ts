import type { ColumnType } from 'kysely'

type WrittenOnce<T> = ColumnType<T, T, never>
type LaterOnce<T> = ColumnType<T | null, null, T>

/** What the platform signs pushes with, when the configuration does not say: one row, or none. */
export type VapidKeyTable = {
  public_key: WrittenOnce<string>
  /** Readable only with IDENTITY_SECRET. */
  sealed_private_key: WrittenOnce<Buffer>
  created_at: WrittenOnce<Date>
}

/** A browser in which somebody is signed in and wants to be told. */
export type PushSubscriptionTable = {
  id: string
  user_id: string
  session_id: string
  endpoint_hash: WrittenOnce<Buffer>
  /** Address and keys, as good as a password: readable only with IDENTITY_SECRET. */
  sealed_subscription: Buffer
  created_at: Date
}

/** One message to one browser, written in the transaction that wants it sent. */
export type PushTable = {
  id: WrittenOnce<string>
  subscription_id: WrittenOnce<string>
  sealed_message: WrittenOnce<Buffer>
  created_at: WrittenOnce<Date>
  sent_at: LaterOnce<Date>
  failed_at: LaterOnce<Date>
  failure: LaterOnce<string>
}

/** A notification of audit's, until it is settled by the person's settings. */
export type NoticeTable = {
  id: WrittenOnce<string>
  user_id: WrittenOnce<string>
  kind: WrittenOnce<string>
  title: WrittenOnce<string>
  text: WrittenOnce<string>
  /** What the text is made of, as JSON; null: audit said it in English alone. */
  data: ColumnType<unknown, string | null, never>
  raised_at: WrittenOnce<Date>
  /** When the settings are asked next. */
  look_at: Date
  settled_at: LaterOnce<Date>
  outcome: LaterOnce<'told' | 'unwanted'>
}

export type ReminderTable = {
  user_id: WrittenOnce<string>
  /** The person's hour when this was planned. */
  hour: number
  due_at: Date | null
  /** The last day that was reminded of, where the person is. */
  told_day: ColumnType<string | null, string | null, string>
}

export type NoticeTables = {
  vapid_key: VapidKeyTable
  push_subscription: PushSubscriptionTable
  push: PushTable
  notice: NoticeTable
  reminder: ReminderTable
}
