import type { NotificationData } from '@tapeline/contracts/audit/notification-data'
import type { NotificationKind } from '@tapeline/contracts/audit/notifications'

export type Words = { title: string; text: string }
/** Numbers and moments as the reader writes them, where they are. */
export type Reader = {
  count: (value: number) => string
  moment: (at: string) => string
  share: (percent: number) => string
}
/** What is said of each kind of notice. */
export type NoticeTexts = { [K in NotificationKind]: (data: NotificationData[K], reader: Reader) => Words }
