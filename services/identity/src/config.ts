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
  /** Sign-ins that may wait for a hash; the next one is asked to come back. */
  PASSWORD_QUEUE_MAX: Type.Integer({ default: 20, minimum: 1, maximum: 1_000 }),
  /** Of these, the places that only known devices get. */
  PASSWORD_QUEUE_KEPT: Type.Integer({ default: 2, minimum: 0, maximum: 1_000 }),
  /** How far behind all else on the machine passwords are hashed: 0 as ever, 19 last. */
  PASSWORD_NICENESS: Type.Integer({ default: 10, minimum: 0, maximum: 19 }),
}

/** Wrong passwords before the waiting begins, which doubles from a second up to the longest. */
export const tryFields = {
  SIGN_IN_TRIES_PER_ACCOUNT: Type.Integer({ default: 10, minimum: 1, maximum: 10_000_000 }),
  SIGN_IN_TRIES_PER_PAIR: Type.Integer({ default: 5, minimum: 1, maximum: 10_000_000 }),
  SIGN_IN_DELAY_MAX_SECONDS: Type.Integer({ default: 300, minimum: 1, maximum: 86_400 }),
}

export const linkFields = {
  /** Where people open the pages: links in mails have this origin and no other. */
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
  /** smtp:// or smtps:// with user and password when the server wants them. */
  SMTP_URL: secret(Type.String({ default: 'smtp://127.0.0.1:3025', pattern: '^smtps?://' })),
  MAIL_FROM: Type.String({ default: 'Tapeline <no-reply@tapeline.example>', pattern: '^[^\\r\\n]+@[^\\r\\n]+$' }),
  /** Where messages from POST /api/v1/contact go; empty: they are only kept. */
  CONTACT_EMAIL: Type.String({ default: '', maxLength: 254, pattern: '^$|^[^\\s@]+@[^\\s@]+$' }),
  /** Links that prove an address, of a sign-up or a change. */
  EMAIL_LINK_LIFE_SECONDS: Type.Integer({ default: 86_400, minimum: 60, maximum: 604_800 }),
  /** From the request to delete an account to the end of its data. */
  DELETION_GRACE_SECONDS: Type.Integer({ default: 604_800, minimum: 0, maximum: 2_592_000 }),
  /** How long an export can be taken, and how soon after it the next one may be asked for. */
  EXPORT_LIFE_SECONDS: Type.Integer({ default: 259_200, minimum: 60, maximum: 2_592_000 }),
  EXPORT_PAUSE_SECONDS: Type.Integer({ default: 3_600, minimum: 0, maximum: 604_800 }),
  /** OpenID Connect: Google, unless named otherwise; plain HTTP only on this machine. */
  OIDC_ISSUER: Type.String({
    default: 'https://accounts.google.com',
    pattern: '^(https://[^/?#]+|http://(localhost|127\\.0\\.0\\.1)(:\\d+)?)(/[^?#]*)?$',
  }),
  /** Empty: nobody signs in through a provider. */
  OIDC_CLIENT_ID: Type.String({ default: '', maxLength: 512 }),
  OIDC_CLIENT_SECRET: secret(Type.String({ default: '', maxLength: 512 })),
  /** Three calls at most per sign-in, below the gateway's 15 s. */
  OIDC_TIMEOUT_SECONDS: Type.Integer({ default: 4, minimum: 1, maximum: 15 }),
  /** 32 bytes or more, base64url: opens the private signing keys and what mails will say. */
  IDENTITY_SECRET: secret(Type.String({ minLength: 43, maxLength: 512, pattern: '^[A-Za-z0-9_-]+$' })),
})
export type Config = Readonly<Static<typeof Config>>

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const config = readConfig(Config, env)
  checkNoticeConfig(config, env['NODE_ENV'])
  return config
}

/** The provider leads back to the pages, which hand over what it said. */
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
    keptForKnown: config.PASSWORD_QUEUE_KEPT,
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
