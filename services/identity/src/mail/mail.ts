import { Contact } from '@tapeline/contracts/identity/contact'
import { type Static, Type } from 'typebox'
import { LANGUAGES } from './language.ts'
import { ReminderFacts } from '../reminders/reminder-facts.ts'

/** Kinds of mails with their template data. */
export const Mail = Type.Union([
  Type.Object({ kind: Type.Literal('contact'), ...Contact.properties }),
  /** Messages to the operator that were not mailed one by one: how many, and the first ones. */
  Type.Object({
    kind: Type.Literal('contact-digest'),
    total: Type.Integer(),
    messages: Type.Array(
      Type.Object({ name: Type.String(), email: Type.String(), topic: Type.String(), message: Type.String() }),
    ),
  }),
  Type.Object({ kind: Type.Literal('password-reset') }),
  Type.Object({ kind: Type.Literal('device-link') }),
  Type.Object({ kind: Type.Literal('password-changed') }),
  Type.Object({ kind: Type.Literal('sign-up-tried') }),
  Type.Object({ kind: Type.Literal('provider-linked') }),
  Type.Object({ kind: Type.Literal('provider-unlinked') }),
  Type.Object({ kind: Type.Literal('verify-email') }),
  /** Sent to the new address, with the link. */
  Type.Object({ kind: Type.Literal('email-change') }),
  /** Sent to the account's current address, before and after the change. */
  Type.Object({ kind: Type.Literal('email-change-asked') }),
  Type.Object({ kind: Type.Literal('email-changed') }),
  Type.Object({ kind: Type.Literal('deletion-requested'), due_at: Type.String() }),
  Type.Object({ kind: Type.Literal('deletion-cancelled') }),
  Type.Object({ kind: Type.Literal('export-ready'), export_id: Type.String() }),
  /** Contains the language, because the settings are deleted. */
  Type.Object({ kind: Type.Literal('account-deleted'), language: Type.Enum([...LANGUAGES]) }),
  Type.Object({ kind: Type.Literal('reminder'), ...ReminderFacts.properties }),
  /** A custom report; the file is attached. */
  Type.Object({
    kind: Type.Literal('report'),
    name: Type.String(),
    from: Type.String(),
    to: Type.String(),
    total: Type.Integer(),
    file_name: Type.String(),
    /** Only in a mail that was written before reports had formats. */
    csv: Type.Optional(Type.String()),
    content_type: Type.Optional(Type.String()),
    /** Base64. */
    file: Type.Optional(Type.String()),
  }),
  /** One notice, or a digest of several. */
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
