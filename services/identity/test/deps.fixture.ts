import { randomUUIDv7 } from 'node:crypto'
import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { SignUp } from '@tapeline/contracts/identity/http'
import { markSeeded, raiseVersion } from '@tapeline/service/account-versions'
import { fixedSettings } from '@tapeline/service/platform-settings'
import type { connectRedis } from '@tapeline/service/redis'
import type { Kysely } from 'kysely'
import type { Deps } from '../src/deps.ts'
import { testNoticeDeps } from './notice-deps.fixture.ts'
import type { Tables } from '../src/tables.ts'
import { createProvider } from '../src/oauth/provider.ts'
import { createPasswordHasher } from '../src/passwords/password-hasher.ts'
import { createSignInTries } from '../src/sign-in-limits/sign-in-tries.ts'

export type Clock = { nowMs: number }
export const GOOD_PASSWORD = 'correct horse battery'

const TRIES = { perAccount: 10, perPair: 5, delayMaxMs: 300_000 }
const NO_PROVIDER = {
  issuer: 'https://provider.test',
  clientId: '',
  clientSecret: '',
  redirectUri: '',
  timeoutSeconds: 30,
}
const QUICK = { memoryKib: 64, passes: 1, lanes: 1, waitingMax: 20 }

/**
 * Identity's dependencies on a test's own servers: a controllable clock, fast hashes, config unavailable by default.
 */
export async function testDeps(
  db: Kysely<Tables>,
  redis: ReturnType<typeof connectRedis>,
  clock: Clock = { nowMs: Date.now() },
): Promise<Deps> {
  const now = () => new Date(clock.nowMs)
  return {
    db,
    secret: 'a secret of the test, long enough for anyone',
    webOrigin: 'https://tapeline.test',
    contactEmail: 'operator@tapeline.test',
    resetLinkLifeMs: 600_000,
    emailLinkLifeMs: 86_400_000,
    deletionGraceMs: 604_800_000,
    exports: { lifeMs: 259_200_000, pauseMs: 3_600_000 },
    now,
    newId: () => randomUUIDv7(),
    passwords: await createPasswordHasher(QUICK),
    provider: createProvider(NO_PROVIDER, now),
    tries: createSignInTries(redis, TRIES, now),
    ...testNoticeDeps(db, now),
    settings: fixedSettings(),
    findProfile: async (): Promise<AccountProfile | undefined> => undefined,
    raiseVersion: (version) => raiseVersion(redis, version),
    markSeeded: (accountId) => markSeeded(redis, accountId, now().getTime()),
  }
}

/** A sign-up with a unique address. */
export function someSignUp(changes: Partial<SignUp> = {}): SignUp {
  return {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: `grace-${randomUUIDv7()}@example.com`,
    password: GOOD_PASSWORD,
    mobile: '+1 555 0100',
    ...changes,
  }
}
