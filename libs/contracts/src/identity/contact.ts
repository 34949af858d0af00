import { type Static, Type } from 'typebox'
import { Email, Name } from './http.ts'

export const CONTACT_TOPICS = ['support', 'sales', 'security', 'other'] as const

/** `POST /api/v1/contact`: public form for messages to the operator. */
export const Contact = Type.Object(
  {
    name: Name,
    email: Email,
    topic: Type.Optional(Type.Enum(CONTACT_TOPICS)),
    /** Line breaks are allowed; other control characters could be interpreted by a terminal or a mail client. */
    message: Type.String({
      minLength: 1,
      maxLength: 5_000,
      pattern: '^(?=[\\s\\S]*\\S)[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$',
    }),
  },
  { additionalProperties: false },
)
export type Contact = Static<typeof Contact>
