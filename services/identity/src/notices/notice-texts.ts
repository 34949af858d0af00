import type { NotificationData } from '@tapeline/contracts/audit/notification-data'
import type { NotificationKind } from '@tapeline/contracts/audit/notifications'

export type Words = { title: string; text: string }
/** Formats numbers and times in the reader's language and time zone. */
export type Reader = {
  count: (value: number) => string
  moment: (at: string) => string
  share: (percent: number) => string
}
/** Texts by kind of notice. */
export type NoticeTexts = { [K in NotificationKind]: (data: NotificationData[K], reader: Reader) => Words }
