import type { Role } from '@tapeline/contracts/actor'
import type { SessionEndReason } from '@tapeline/contracts/identity/events'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { OutboxTable } from '@tapeline/database/outbox-table'
import type { ColumnType } from 'kysely'
import type { NoticeTables } from './notice-tables.ts'

type WrittenOnce<T> = ColumnType<T, T, never>

export type UserTable = {
  id: WrittenOnce<string>
  email: string
  /** Lower case and NFKC; unique. */
  email_canonical: string
  email_verified: boolean
  first_name: string
  last_name: string
  mobile: string
  /** Null: signed up through a provider and set none since. */
  password_hash: string | null
  role: Role
  status: 'active' | 'inactive'
  profile_picture: string | null
  reminder_enabled: boolean
  reminder_time: number
  reminder_method: 'email' | 'push'
  last_login_at: ColumnType<Date | null, Date | null, Date>
  created_at: WrittenOnce<Date>
  /** Rises with role, status, not_before and ended sessions: what the gateway compiles. */
  version: number
  /** Access tokens issued before are dead. */
  not_before: Date
  /** The owner asked for deletion: inactive until then, and then gone. */
  deletion_due_at: ColumnType<Date | null, never, Date | null>
  /** Until it is deleted, the owner may take the account back by signing in. */
  can_return: ColumnType<boolean, never, boolean>
  /** Devices that were known before are known no more. */
  devices_not_before: ColumnType<Date, Date | undefined, Date>
}

export type SessionTable = {
  id: WrittenOnce<string>
  user_id: WrittenOnce<string>
  is_remembered: WrittenOnce<boolean>
  created_at: WrittenOnce<Date>
  last_used_at: Date
  expires_at: Date
  ended_at: ColumnType<Date | null, null, Date>
  end_reason: ColumnType<SessionEndReason | null, null, SessionEndReason>
  user_agent: string | null
  network: string | null
}

export type RefreshTokenTable = {
  hash: WrittenOnce<Buffer>
  session_id: WrittenOnce<string>
  created_at: WrittenOnce<Date>
  used_at: ColumnType<Date | null, null, Date>
  /** The token that replaced this one, readable only with this one. */
  sealed_successor: ColumnType<Buffer | null, null, Buffer | null>
}

export type SigningKeyTable = {
  kid: WrittenOnce<string>
  public_key: WrittenOnce<string>
  /** Readable only with IDENTITY_SECRET. */
  sealed_private_key: WrittenOnce<Buffer>
  created_at: WrittenOnce<Date>
  /** Published before it signs, so that every gateway knows it by then. */
  signs_from: WrittenOnce<Date>
}

/** One per user: a newer link ends the older. */
export type PasswordResetTable = {
  hash: Buffer
  user_id: WrittenOnce<string>
  created_at: Date
  expires_at: Date
}

/** One per user and purpose: a newer link ends the older. `email` is the address that the link proves. */
export type EmailLinkTable = {
  hash: Buffer
  user_id: WrittenOnce<string>
  purpose: WrittenOnce<'verify' | 'change' | 'device'>
  email: string
  created_at: Date
  expires_at: Date
}

/** What a person takes with them: running, then ready until it expires, or failed. */
export type AccountExportTable = {
  id: WrittenOnce<string>
  user_id: WrittenOnce<string>
  requested_at: WrittenOnce<Date>
  ready_at: ColumnType<Date | null, never, Date>
  failed_at: ColumnType<Date | null, never, Date>
  expires_at: ColumnType<Date | null, never, Date>
  token_hash: ColumnType<Buffer | null, never, Buffer>
  /** Readable only with IDENTITY_SECRET. */
  sealed_content: ColumnType<Buffer | null, never, Buffer>
}

/** Written in the transaction that wants it sent. */
export type MailTable = {
  id: WrittenOnce<string>
  user_id: WrittenOnce<string | null>
  kind: WrittenOnce<string>
  recipient: WrittenOnce<string>
  /** What the template is filled with, links included: readable only with IDENTITY_SECRET. */
  sealed_data: WrittenOnce<Buffer>
  created_at: WrittenOnce<Date>
  sent_at: ColumnType<Date | null, null, Date>
  failed_at: ColumnType<Date | null, null, Date>
  /** Beside `sent_at`: why nothing had to leave. */
  failure: ColumnType<string | null, null, string>
}

/** Written to the operator by anybody. */
export type ContactMessageTable = {
  id: WrittenOnce<string>
  name: WrittenOnce<string>
  email: WrittenOnce<string>
  topic: WrittenOnce<string>
  message: WrittenOnce<string>
  network: WrittenOnce<string | null>
  created_at: WrittenOnce<Date>
}

/** Whom the provider knows as somebody of ours: issuer and subject, never the address. */
export type ProviderIdentityTable = {
  issuer: WrittenOnce<string>
  subject: WrittenOnce<string>
  user_id: WrittenOnce<string>
  /** What the grant is revoked with: readable only with IDENTITY_SECRET. */
  sealed_token: Buffer
  linked_at: WrittenOnce<Date>
}

/** What a deleted account has left at the provider, until it is given back. */
export type GrantToRevokeTable = {
  id: WrittenOnce<string>
  sealed_token: WrittenOnce<Buffer>
  created_at: WrittenOnce<Date>
}

/** A sign-in that is at the provider. */
export type ProviderFlowTable = {
  state_hash: WrittenOnce<Buffer>
  /** Nonce and PKCE verifier: readable only with IDENTITY_SECRET and what the browser keeps. */
  sealed_checks: WrittenOnce<Buffer>
  /** Who asked to connect their account; null: whoever comes back signs in. */
  user_id: WrittenOnce<string | null>
  session_id: WrittenOnce<string | null>
  expires_at: WrittenOnce<Date>
}

/** Somebody of the provider who is to show with a password which account is theirs. */
export type LinkRequestTable = {
  state_hash: WrittenOnce<Buffer>
  sealed_claim: WrittenOnce<Buffer>
  tries_left: number
  expires_at: WrittenOnce<Date>
}

type Told = ConsumerTables & NoticeTables

export type Tables = Told & {
  user_account: UserTable
  session: SessionTable
  refresh_token: RefreshTokenTable
  signing_key: SigningKeyTable
  password_reset: PasswordResetTable
  provider_identity: ProviderIdentityTable
  grant_to_revoke: GrantToRevokeTable
  provider_flow: ProviderFlowTable
  link_request: LinkRequestTable
  email_link: EmailLinkTable
  account_export: AccountExportTable
  mail: MailTable
  contact_message: ContactMessageTable
  outbox: OutboxTable
}
