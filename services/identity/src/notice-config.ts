import { secret } from '@tapeline/service/read-config'
import { type Static, Type } from 'typebox'

/** Addresses of the called services, and the push signing keys. */
export const noticeFields = {
  AUDIT_URL: Type.String({ default: 'http://127.0.0.1:3013', pattern: '^https?://' }),
  API_KEY_URL: Type.String({ default: 'http://127.0.0.1:3012', pattern: '^https?://' }),
  /**
   * Both or neither, base64url (`npx web-push generate-vapid-keys`). Neither: a pair is generated once and stored
   * encrypted.
   */
  VAPID_PUBLIC_KEY: Type.String({ default: '', pattern: '^([A-Za-z0-9_-]{87})?$' }),
  VAPID_PRIVATE_KEY: secret(Type.String({ default: '', pattern: '^([A-Za-z0-9_-]{43})?$' })),
  /** Contact for push services: `mailto:` or `https:`. Empty: the address of MAIL_FROM. */
  VAPID_SUBJECT: Type.String({ default: '', pattern: '^((mailto:|https://).+)?$' }),
  /** Allows pushes to loopback, for tests: rejected when NODE_ENV is production. */
  PUSH_TO_LOOPBACK: Type.Boolean({ default: false }),
}
const NoticeConfig = Type.Object({ ...noticeFields, CONFIG_URL: Type.String() })
export type NoticeConfig = Readonly<Static<typeof NoticeConfig>>

/** Rules across several fields, which the schema cannot express. */
export function checkNoticeConfig(config: NoticeConfig, nodeEnv: string | undefined): void {
  if ((config.VAPID_PUBLIC_KEY === '') !== (config.VAPID_PRIVATE_KEY === '')) {
    throw new Error('The configuration is not valid: VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY belong together')
  }
  if (config.PUSH_TO_LOOPBACK && nodeEnv === 'production') {
    throw new Error('The configuration is not valid: PUSH_TO_LOOPBACK is for tests, not for NODE_ENV=production')
  }
}

/** The address inside `Name <address>`. */
export function pushSubject({ VAPID_SUBJECT }: NoticeConfig, mailFrom: string): string {
  const [, address = mailFrom] = /<([^<>]+)>\s*$/.exec(mailFrom) ?? []
  return VAPID_SUBJECT === '' ? `mailto:${address.trim()}` : VAPID_SUBJECT
}
