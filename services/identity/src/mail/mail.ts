import { Contact } from '@tapeline/contracts/identity/contact'
import { type Static, Type } from 'typebox'

/** What can be sent, with what its template is filled. */
export const Mail = Type.Union([
  Type.Object({ kind: Type.Literal('contact'), ...Contact.properties }),
  Type.Object({ kind: Type.Literal('password-reset') }),
  Type.Object({ kind: Type.Literal('password-changed') }),
  Type.Object({ kind: Type.Literal('sign-up-tried') }),
  Type.Object({ kind: Type.Literal('verify-email') }),
  /** To the new address, with the link. */
  Type.Object({ kind: Type.Literal('email-change') }),
  /** To the address that the account has, before and after. */
  Type.Object({ kind: Type.Literal('email-change-asked') }),
  Type.Object({ kind: Type.Literal('email-changed') }),
])
export type Mail = Static<typeof Mail>
