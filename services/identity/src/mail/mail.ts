import { Contact } from '@tapeline/contracts/identity/contact'
import { type Static, Type } from 'typebox'
import { LANGUAGES } from './language.ts'
import { ReminderFacts } from '../reminders/reminder-facts.ts'

/** What can be sent, with what its template is filled. */
export const Mail = Type.Union([
  Type.Object({ kind: Type.Literal('contact'), ...Contact.properties }),
  Type.Object({ kind: Type.Literal('password-reset') }),
  Type.Object({ kind: Type.Literal('device-link') }),
  Type.Object({ kind: Type.Literal('password-changed') }),
  Type.Object({ kind: Type.Literal('sign-up-tried') }),
  Type.Object({ kind: Type.Literal('provider-linked') }),
  Type.Object({ kind: Type.Literal('provider-unlinked') }),
  Type.Object({ kind: Type.Literal('verify-email') }),
  /** To the new address, with the link. */
  Type.Object({ kind: Type.Literal('email-change') }),
  /** To the address that the account has, before and after. */
  Type.Object({ kind: Type.Literal('email-change-asked') }),
  Type.Object({ kind: Type.Literal('email-changed') }),
  Type.Object({ kind: Type.Literal('deletion-requested'), due_at: Type.String() }),
  Type.Object({ kind: Type.Literal('deletion-cancelled') }),
  Type.Object({ kind: Type.Literal('export-ready'), export_id: Type.String() }),
  /** Nobody can be asked any more which language it was. */
  Type.Object({ kind: Type.Literal('account-deleted'), language: Type.Enum([...LANGUAGES]) }),
  Type.Object({ kind: Type.Literal('reminder'), ...ReminderFacts.properties }),
  /** One, or a digest of several. */
  Type.Object({
    kind: Type.Literal('notices'),
    time_zone: Type.Optional(Type.String()),
    notices: Type.Array(
      Type.Object({
        kind: Type.String(),
        title: Type.String(),
        text: Type.String(),
        data: Type.Optional(Type.Unknown()),
        at: Type.String(),
      }),
    ),
  }),
])
export type Mail = Static<typeof Mail>
