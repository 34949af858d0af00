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
  /** null: signed up through a provider and has no password. */
  password_hash: string | null
  role: Role
  status: 'active' | 'inactive'
  profile_picture: string | null
  reminder_enabled: boolean
  reminder_time: number
  reminder_method: 'email' | 'push'
  last_login_at: ColumnType<Date | null, Date | null, Date>
  created_at: WrittenOnce<Date>
  /** Incremented by changes of role, status, not_before and ended sessions, which gateways cache. */
  version: number
  /** Access tokens issued earlier are invalid. */
  not_before: Date
  /** The owner requested the deletion: inactive until this time, then deleted. */
  deletion_due_at: ColumnType<Date | null, never, Date | null>
  /** Whether the owner can restore the account by signing in. */
  can_return: ColumnType<boolean, never, boolean>
  /** Devices known before this time are forgotten. */
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

/** Outlives the sessions that were opened from the device. */
export type KnownDeviceTable = {
  user_id: WrittenOnce<string>
  /** Browser and system, as `deviceName` returns them. */
  device: WrittenOnce<string>
  /** Empty: not reported. */
  network: WrittenOnce<string>
  last_used_at: Date
}

export type RefreshTokenTable = {
  hash: WrittenOnce<Buffer>
  session_id: WrittenOnce<string>
  created_at: WrittenOnce<Date>
  used_at: ColumnType<Date | null, null, Date>
  /** The token that replaced this one, encrypted with this one. */
  sealed_successor: ColumnType<Buffer | null, null, Buffer | null>
}

export type SigningKeyTable = {
  kid: WrittenOnce<string>
  public_key: WrittenOnce<string>
  /** Encrypted with IDENTITY_SECRET. */
  sealed_private_key: WrittenOnce<Buffer>
  created_at: WrittenOnce<Date>
  /** Published earlier, so that every gateway has it by then. */
  signs_from: WrittenOnce<Date>
}

/** One per user: a newer link replaces the older. */
export type PasswordResetTable = {
  hash: Buffer
  user_id: WrittenOnce<string>
  created_at: Date
  expires_at: Date
  /** False for a link that an operator hands over: its use does not show who reads the address's mail. */
  proves_address: ColumnType<boolean, boolean | undefined, boolean>
}

/** One per user and purpose: a newer link replaces the older. `email` is the address that the link verifies. */
export type EmailLinkTable = {
  hash: Buffer
  user_id: WrittenOnce<string>
  purpose: WrittenOnce<'verify' | 'change' | 'device'>
  email: string
  created_at: Date
  expires_at: Date
}

/** An account export: running, then ready until it expires, or failed. */
export type AccountExportTable = {
  id: WrittenOnce<string>
  user_id: WrittenOnce<string>
  requested_at: WrittenOnce<Date>
  ready_at: ColumnType<Date | null, never, Date>
  failed_at: ColumnType<Date | null, never, Date>
  expires_at: ColumnType<Date | null, never, Date>
  token_hash: ColumnType<Buffer | null, never, Buffer | null>
  /** Encrypted with IDENTITY_SECRET. */
  sealed_content: ColumnType<Buffer | null, never, Buffer>
}

/** Written in the transaction of its cause. */
export type MailTable = {
  id: WrittenOnce<string>
  user_id: WrittenOnce<string | null>
  kind: WrittenOnce<string>
  recipient: WrittenOnce<string>
  /** Template data, including links: encrypted with IDENTITY_SECRET. */
  sealed_data: WrittenOnce<Buffer>
  created_at: WrittenOnce<Date>
  sent_at: ColumnType<Date | null, null, Date>
  failed_at: ColumnType<Date | null, null, Date>
  /** With `sent_at` set: why no mail was needed. */
  failure: ColumnType<string | null, null, string>
}

/** Messages to the operator. */
export type ContactMessageTable = {
  id: WrittenOnce<string>
  name: WrittenOnce<string>
  email: WrittenOnce<string>
  topic: WrittenOnce<string>
  message: WrittenOnce<string>
  network: WrittenOnce<string | null>
  created_at: WrittenOnce<Date>
  /** When the operator was mailed the message, alone or in a digest; null: not yet. */
  mailed_at: Date | null
}

/** Links a provider's identity to an account: by issuer and subject, never by address. */
export type ProviderIdentityTable = {
  issuer: WrittenOnce<string>
  subject: WrittenOnce<string>
  user_id: WrittenOnce<string>
  /** Token that revokes the grant, encrypted with IDENTITY_SECRET. */
  sealed_token: Buffer
  linked_at: WrittenOnce<Date>
}

/** Grants of deleted accounts, until they are revoked at the provider. */
export type GrantToRevokeTable = {
  id: WrittenOnce<string>
  sealed_token: Buffer
  created_at: WrittenOnce<Date>
}

/** A provider sign-in in progress. */
export type ProviderFlowTable = {
  state_hash: WrittenOnce<Buffer>
  /** Nonce and PKCE verifier: encrypted with IDENTITY_SECRET and the browser's binding. */
  sealed_checks: WrittenOnce<Buffer>
  /** The user who links their account; null: a sign-in. */
  user_id: WrittenOnce<string | null>
  session_id: WrittenOnce<string | null>
  expires_at: WrittenOnce<Date>
}

/** A provider identity that is linked once the account's password is given. */
export type LinkRequestTable = {
  state_hash: WrittenOnce<Buffer>
  sealed_claim: WrittenOnce<Buffer>
  tries_left: number
  expires_at: WrittenOnce<Date>
}

/** A device sign-in: a program waits until the user approves its code in a browser. */
export type DeviceLoginTable = {
  device_code_hash: WrittenOnce<Buffer>
  user_code: WrittenOnce<string>
  client_name: WrittenOnce<string>
  network: WrittenOnce<string | null>
  created_at: WrittenOnce<Date>
  expires_at: WrittenOnce<Date>
  /** The account that decided; null before. */
  user_id: ColumnType<string | null, never, string>
  is_approved: ColumnType<boolean | null, never, boolean>
  decided_at: ColumnType<Date | null, never, Date>
  /** The session that decided; null before, and when the previous release recorded the decision. */
  session_id: ColumnType<string | null, never, string>
}

type NotifiedTables = ConsumerTables & NoticeTables

export type Tables = NotifiedTables & {
  user_account: UserTable
  session: SessionTable
  known_device: KnownDeviceTable
  refresh_token: RefreshTokenTable
  signing_key: SigningKeyTable
  password_reset: PasswordResetTable
  provider_identity: ProviderIdentityTable
  grant_to_revoke: GrantToRevokeTable
  provider_flow: ProviderFlowTable
  link_request: LinkRequestTable
  device_login: DeviceLoginTable
  email_link: EmailLinkTable
  account_export: AccountExportTable
  mail: MailTable
  contact_message: ContactMessageTable
  outbox: OutboxTable
}
