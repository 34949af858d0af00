import { readConfig, secret, serviceFields } from '@tapeline/service/read-config'
import { type Static, Type } from 'typebox'
import { checkNoticeConfig, noticeFields } from './notice-config.ts'
import type { ProviderSettings } from './oauth/provider-settings.ts'
import type { LifeTimes } from './deps.ts'
import type { PasswordSettings } from './passwords/password-hasher.ts'
import type { TrySettings } from './sign-in-limits/sign-in-tries.ts'

/** Argon2id: the second recommendation of OWASP's password storage guide. */
export const passwordFields = {
  PASSWORD_MEMORY_KIB: Type.Integer({ default: 19_456, minimum: 1_024, maximum: 1_048_576 }),
  PASSWORD_PASSES: Type.Integer({ default: 2, minimum: 1, maximum: 20 }),
  PASSWORD_LANES: Type.Integer({ default: 1, minimum: 1, maximum: 8 }),
  /** Maximum number of sign-ins waiting for a hash; further ones get a 503 with Retry-After. */
  PASSWORD_QUEUE_MAX: Type.Integer({ default: 20, minimum: 1, maximum: 1_000 }),
  /** Places in the queue reserved for known devices. */
  PASSWORD_QUEUE_KEPT: Type.Integer({ default: 2, minimum: 0, maximum: 1_000 }),
  /** Nice value of the hashing threads: 0 normal, 19 lowest priority. */
  PASSWORD_NICENESS: Type.Integer({ default: 10, minimum: 0, maximum: 19 }),
}

/** Wrong passwords before the delay starts, which doubles from one second to the maximum. */
export const tryFields = {
  SIGN_IN_TRIES_PER_ACCOUNT: Type.Integer({ default: 10, minimum: 1, maximum: 10_000_000 }),
  SIGN_IN_TRIES_PER_PAIR: Type.Integer({ default: 5, minimum: 1, maximum: 10_000_000 }),
  SIGN_IN_DELAY_MAX_SECONDS: Type.Integer({ default: 300, minimum: 1, maximum: 86_400 }),
}

export const linkFields = {
  /** Origin of the web pages: links in mails always use it. */
  WEB_ORIGIN: Type.String({ default: 'http://localhost:3000', pattern: '^https?://[^/]+$' }),
  RESET_LINK_LIFE_SECONDS: Type.Integer({ default: 600, minimum: 60, maximum: 86_400 }),
}

export const Config = Type.Object({
  ...serviceFields,
  ...linkFields,
  ...passwordFields,
  ...tryFields,
  ...noticeFields,
  PORT: Type.Integer({ default: 3011, minimum: 0, maximum: 65_535 }),
  CONFIG_URL: Type.String({ default: 'http://127.0.0.1:3014', pattern: '^https?://' }),
  /** smtp:// or smtps://, with user and password if required. */
  SMTP_URL: secret(Type.String({ default: 'smtp://127.0.0.1:3025', pattern: '^smtps?://' })),
  MAIL_FROM: Type.String({ default: 'Tapeline <no-reply@tapeline.example>', pattern: '^[^\\r\\n]+@[^\\r\\n]+$' }),
  /** Recipient of messages from POST /api/v1/contact; empty: they are only stored. */
  CONTACT_EMAIL: Type.String({ default: '', maxLength: 254, pattern: '^$|^[^\\s@]+@[^\\s@]+$' }),
  /** Lifetime of links that verify an address. */
  EMAIL_LINK_LIFE_SECONDS: Type.Integer({ default: 86_400, minimum: 60, maximum: 604_800 }),
  /** Time from a deletion request to the deletion of the data. */
  DELETION_GRACE_SECONDS: Type.Integer({ default: 604_800, minimum: 0, maximum: 2_592_000 }),
  /** How long an export can be downloaded, and the pause before the next one can be requested. */
  EXPORT_LIFE_SECONDS: Type.Integer({ default: 259_200, minimum: 60, maximum: 2_592_000 }),
  EXPORT_PAUSE_SECONDS: Type.Integer({ default: 3_600, minimum: 0, maximum: 604_800 }),
  /** OpenID Connect issuer, Google by default; plain HTTP only on loopback. */
  OIDC_ISSUER: Type.String({
    default: 'https://accounts.google.com',
    pattern: '^(https://[^/?#]+|http://(localhost|127\\.0\\.0\\.1)(:\\d+)?)(/[^?#]*)?$',
  }),
  /** Empty: provider sign-in is off. */
  OIDC_CLIENT_ID: Type.String({ default: '', maxLength: 512 }),
  OIDC_CLIENT_SECRET: secret(Type.String({ default: '', maxLength: 512 })),
  /** At most three calls per sign-in, in total below the gateway's 15 s. */
  OIDC_TIMEOUT_SECONDS: Type.Integer({ default: 4, minimum: 1, maximum: 15 }),
  /**
   * Encrypts private signing keys, tokens of identity providers, push subscriptions, exports and the content of mails.
   * Newest first: older secrets only decrypt (docs/accounts.md).
   */
  IDENTITY_SECRET: secret(
    Type.String({
      maxLength: 2_048,
      pattern: '^[A-Za-z0-9_-]{43,}(,[A-Za-z0-9_-]{43,})*$',
      description: 'one or more secrets of at least 32 bytes, base64url, comma-separated, newest first',
    }),
  ),
})
export type Config = Readonly<Static<typeof Config>>

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const config = readConfig(Config, env)
  checkNoticeConfig(config, env['NODE_ENV'])
  return config
}

/** The provider redirects to the web pages, which forward its response to the API. */
export function providerSettings(config: Config): ProviderSettings {
  return {
    issuer: config.OIDC_ISSUER,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET,
    redirectUri: `${config.WEB_ORIGIN}/dashboard`,
    timeoutSeconds: config.OIDC_TIMEOUT_SECONDS,
  }
}

export function lifeTimes(config: Config): LifeTimes {
  return {
    resetLinkLifeMs: config.RESET_LINK_LIFE_SECONDS * 1_000,
    emailLinkLifeMs: config.EMAIL_LINK_LIFE_SECONDS * 1_000,
    deletionGraceMs: config.DELETION_GRACE_SECONDS * 1_000,
    exports: { lifeMs: config.EXPORT_LIFE_SECONDS * 1_000, pauseMs: config.EXPORT_PAUSE_SECONDS * 1_000 },
  }
}

type PasswordConfig = Pick<Config, keyof typeof passwordFields>

export function passwordSettings(config: PasswordConfig): PasswordSettings {
  return {
    memoryKib: config.PASSWORD_MEMORY_KIB,
    passes: config.PASSWORD_PASSES,
    lanes: config.PASSWORD_LANES,
    waitingMax: config.PASSWORD_QUEUE_MAX,
    reservedForKnown: config.PASSWORD_QUEUE_KEPT,
    niceness: config.PASSWORD_NICENESS,
  }
}

export function trySettings(config: Pick<Config, keyof typeof tryFields>): TrySettings {
  return {
    perAccount: config.SIGN_IN_TRIES_PER_ACCOUNT,
    perPair: config.SIGN_IN_TRIES_PER_PAIR,
    delayMaxMs: config.SIGN_IN_DELAY_MAX_SECONDS * 1_000,
  }
}
