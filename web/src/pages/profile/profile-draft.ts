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

/** Fields that differ from `base`, by the names of the call; undefined if there are none. */
export function updateOf(base: ProfileDraft, draft: ProfileDraft): UpdateProfile | undefined {
  const update: UpdateProfile = {
    ...(draft.firstName === base.firstName ? {} : { first_name: draft.firstName }),
    ...(draft.lastName === base.lastName ? {} : { last_name: draft.lastName }),
    ...(draft.mobile === base.mobile ? {} : { mobile: draft.mobile }),
    ...(draft.reminderEnabled === base.reminderEnabled ? {} : { reminder_enabled: draft.reminderEnabled }),
    ...(draft.reminderTime === base.reminderTime ? {} : { reminder_time: draft.reminderTime }),
    ...(draft.reminderMethod === base.reminderMethod ? {} : { reminder_method: draft.reminderMethod }),
  }
  return Object.keys(update).length === 0 ? undefined : update
}

export function hasNewEmail(base: ProfileDraft, draft: ProfileDraft): boolean {
  return draft.email.trim() !== '' && draft.email.trim() !== base.email
}

/** 00:00 to 23:00. */
export const REMINDER_HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: hour,
  label: `${String(hour).padStart(2, '0')}:00`,
}))
