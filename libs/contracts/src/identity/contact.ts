import { type Static, Type } from 'typebox'
import { Email, Name } from './http.ts'

export const CONTACT_TOPICS = ['support', 'sales', 'security', 'other'] as const

/** `POST /api/v1/contact`: anybody writes to the operator. */
export const Contact = Type.Object(
  {
    name: Name,
    email: Email,
    topic: Type.Optional(Type.Enum(CONTACT_TOPICS)),
    /** Lines may be broken; nothing else that a terminal or a mail would take for more than text. */
    message: Type.String({
      minLength: 1,
      maxLength: 5_000,
      pattern: '^(?=[\\s\\S]*\\S)[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$',
    }),
  },
  { additionalProperties: false },
)
export type Contact = Static<typeof Contact>
