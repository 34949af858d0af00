import type { Role } from '@tapeline/contracts/actor'
import type { OutboxTable } from '@tapeline/database/outbox-table'
import type { ColumnType } from 'kysely'

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
  password_hash: string
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
}
export type SessionEndReason = 'signed_out' | 'refresh_reused' | 'revoked'

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

export type Tables = {
  user_account: UserTable
  session: SessionTable
  refresh_token: RefreshTokenTable
  signing_key: SigningKeyTable
  outbox: OutboxTable
}
