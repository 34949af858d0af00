import type { UpdateProfile } from '@tapeline/contracts/identity/profile'
import type { ClientUser } from '../../session/present-user.ts'

/** Editable fields. The address is sent separately, because it requires the password and a mailed link. */
export type ProfileDraft = Pick<
  ClientUser,
  'firstName' | 'lastName' | 'email' | 'mobile' | 'reminderEnabled' | 'reminderTime' | 'reminderMethod'
>

export function draftOf(user: ClientUser): ProfileDraft {
  const { firstName, lastName, email, mobile, reminderEnabled, reminderTime, reminderMethod } = user
  return { firstName, lastName, email, mobile, reminderEnabled, reminderTime, reminderMethod }
}

/** Changed fields by the names of the call; undefined if there are none. */
export function updateOf(user: ClientUser, draft: ProfileDraft): UpdateProfile | undefined {
  const update: UpdateProfile = {
    ...(draft.firstName === user.firstName ? {} : { first_name: draft.firstName }),
    ...(draft.lastName === user.lastName ? {} : { last_name: draft.lastName }),
    ...(draft.mobile === user.mobile ? {} : { mobile: draft.mobile }),
    ...(draft.reminderEnabled === user.reminderEnabled ? {} : { reminder_enabled: draft.reminderEnabled }),
    ...(draft.reminderTime === user.reminderTime ? {} : { reminder_time: draft.reminderTime }),
    ...(draft.reminderMethod === user.reminderMethod ? {} : { reminder_method: draft.reminderMethod }),
  }
  return Object.keys(update).length === 0 ? undefined : update
}

export function hasNewEmail(user: ClientUser, draft: ProfileDraft): boolean {
  return draft.email.trim() !== '' && draft.email.trim() !== user.email
}

/** 00:00 to 23:00. */
export const REMINDER_HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: hour,
  label: `${String(hour).padStart(2, '0')}:00`,
}))
