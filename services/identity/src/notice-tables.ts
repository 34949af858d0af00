import type { ColumnType } from 'kysely'

type WrittenOnce<T> = ColumnType<T, T, never>
type LaterOnce<T> = ColumnType<T | null, null, T>

/** The generated push signing keys, unless configured: at most one row. */
export type VapidKeyTable = {
  public_key: WrittenOnce<string>
  /** Encrypted with IDENTITY_SECRET. */
  sealed_private_key: WrittenOnce<Buffer>
  created_at: WrittenOnce<Date>
}

/** A signed-in browser that receives pushes. */
export type PushSubscriptionTable = {
  id: string
  user_id: string
  session_id: string
  endpoint_hash: WrittenOnce<Buffer>
  /** Endpoint and keys are credentials: encrypted with IDENTITY_SECRET. */
  sealed_subscription: Buffer
  created_at: Date
}

/** One message to one browser, written in the transaction of its cause. */
export type PushTable = {
  id: WrittenOnce<string>
  subscription_id: WrittenOnce<string>
  sealed_message: WrittenOnce<Buffer>
  created_at: WrittenOnce<Date>
  sent_at: LaterOnce<Date>
  failed_at: LaterOnce<Date>
  failure: LaterOnce<string>
}

/** A notification from audit, until it is delivered according to the user's settings. */
export type NoticeTable = {
  id: WrittenOnce<string>
  user_id: WrittenOnce<string>
  kind: WrittenOnce<string>
  title: WrittenOnce<string>
  text: WrittenOnce<string>
  /** Values for the text, as JSON; null: audit sent only the English text. */
  data: ColumnType<unknown, string | null, never>
  raised_at: WrittenOnce<Date>
  /** When the settings are read next. */
  look_at: Date
  settled_at: LaterOnce<Date>
  outcome: LaterOnce<'told' | 'unwanted'>
}

export type ReminderTable = {
  user_id: WrittenOnce<string>
  /** The user's hour when this was planned. */
  hour: number
  due_at: Date | null
  /** The last day with a reminder, in the user's time zone. */
  told_day: ColumnType<string | null, string | null, string>
}

export type NoticeTables = {
  vapid_key: VapidKeyTable
  push_subscription: PushSubscriptionTable
  push: PushTable
  notice: NoticeTable
  reminder: ReminderTable
}
