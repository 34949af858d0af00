import { type Static, Type } from 'typebox'
import { ReminderHour, ReminderMethod, User } from './http.ts'

/**
 * Specification §5 sets no length limits; an empty text clears the field. Control characters would end up in mails
 * and logs.
 */
const ProfileText = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$' })

/** `PATCH /api/v1/internal/user/update`: absent fields keep their value. */
export const UpdateProfile = Type.Object(
  {
    first_name: Type.Optional(ProfileText),
    last_name: Type.Optional(ProfileText),
    mobile: Type.Optional(ProfileText),
    reminder_enabled: Type.Optional(Type.Boolean()),
    reminder_time: Type.Optional(ReminderHour),
    reminder_method: Type.Optional(ReminderMethod),
  },
  { additionalProperties: false },
)
export type UpdateProfile = Static<typeof UpdateProfile>

export const UpdatedProfile = Type.Object({ user: User })
export type UpdatedProfile = Static<typeof UpdatedProfile>
