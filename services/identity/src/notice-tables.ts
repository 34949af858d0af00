import type { ColumnType } from 'kysely'

type InsertOnly<T> = ColumnType<T, T, never>
type UpdateOnly<T> = ColumnType<T | null, null, T>

/** The generated push signing keys, unless configured: at most one row. */
export type VapidKeyTable = {
  public_key: InsertOnly<string>
  /** Encrypted with IDENTITY_SECRET. */
  sealed_private_key: Buffer
  created_at: InsertOnly<Date>
}

/** A signed-in browser that receives pushes. */
export type PushSubscriptionTable = {
  id: string
  user_id: string
  session_id: string
  endpoint_hash: InsertOnly<Buffer>
  /** Endpoint and keys are credentials: encrypted with IDENTITY_SECRET. */
  sealed_subscription: Buffer
  created_at: Date
}

/** One message to one browser, written in the transaction of its cause. */
export type PushTable = {
  id: InsertOnly<string>
  subscription_id: InsertOnly<string>
  sealed_message: InsertOnly<Buffer>
  created_at: InsertOnly<Date>
  sent_at: UpdateOnly<Date>
  failed_at: UpdateOnly<Date>
  failure: UpdateOnly<string>
}

/** A notification from audit, until it is delivered according to the user's settings. */
export type NoticeTable = {
  id: InsertOnly<string>
  user_id: InsertOnly<string>
  kind: InsertOnly<string>
  title: InsertOnly<string>
  text: InsertOnly<string>
  /** Values for the text, as JSON; null: audit sent only the English text. */
  data: ColumnType<unknown, string | null, never>
  raised_at: InsertOnly<Date>
  /** When the settings are read next. */
  look_at: Date
  settled_at: UpdateOnly<Date>
  outcome: UpdateOnly<'told' | 'unwanted'>
}

export type ReminderTable = {
  user_id: InsertOnly<string>
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
