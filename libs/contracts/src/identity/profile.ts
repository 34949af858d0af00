import { type Static, Type } from 'typebox'
import { Mobile, Name, ReminderHour, ReminderMethod, User } from './http.ts'

/** `PATCH /api/v1/internal/user/update`: what is left out stays as it is. */
export const UpdateProfile = Type.Object(
  {
    first_name: Type.Optional(Name),
    last_name: Type.Optional(Name),
    mobile: Type.Optional(Mobile),
    reminder_enabled: Type.Optional(Type.Boolean()),
    reminder_time: Type.Optional(ReminderHour),
    reminder_method: Type.Optional(ReminderMethod),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdateProfile = Static<typeof UpdateProfile>

export const UpdatedProfile = Type.Object({ user: User })
export type UpdatedProfile = Static<typeof UpdatedProfile>
