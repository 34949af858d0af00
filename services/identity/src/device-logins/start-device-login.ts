import { randomBytes, randomInt } from 'node:crypto'
import type { Actor } from '@tapeline/contracts/actor'
import {
  DEVICE_LOGIN_SECONDS,
  type StartDeviceLogin,
  type StartedDeviceLogin,
  USER_CODE_LETTERS,
} from '@tapeline/contracts/identity/device-logins'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { clientOf } from '../sessions/client-of.ts'
import { hashRefreshToken } from '../sessions/refresh-token.ts'
import { insertDeviceLogin } from './device-login-queries.ts'

const DEVICE_CODE_BYTES = 32
const GROUP_LETTERS = 4
const TRIES_MAX = 3
const PAGE_PATH = '/dashboard/device'

/** Makes the two codes of a sign-in: a secret for the device, and a short one that the user approves within ten minutes. */
export async function startDeviceLogin(
  deps: Pick<Deps, 'db' | 'now' | 'webOrigin'>,
  actor: Actor,
  { client_name }: StartDeviceLogin,
): Promise<StartedDeviceLogin> {
  const deviceCode = randomBytes(DEVICE_CODE_BYTES).toString('base64url')
  const createdAt = deps.now()
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const userCode = `${someLetters()}-${someLetters()}`
    const isInserted = await insertDeviceLogin(deps.db, {
      device_code_hash: hashRefreshToken(deviceCode),
      user_code: userCode,
      client_name,
      network: clientOf(actor).network ?? null,
      created_at: createdAt,
      expires_at: new Date(createdAt.getTime() + DEVICE_LOGIN_SECONDS.life * 1_000),
    })
    if (isInserted) return present(deps.webOrigin, deviceCode, userCode)
  }
  throw new AppError('service.unavailable', 'A code could not be created. Try again in a second.', {
    retryAfterSeconds: 1,
  })
}

function present(webOrigin: string, deviceCode: string, userCode: string): StartedDeviceLogin {
  const page = `${webOrigin}${PAGE_PATH}`
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?code=${userCode}`,
    expires_in: DEVICE_LOGIN_SECONDS.life,
    interval: DEVICE_LOGIN_SECONDS.interval,
  }
}

function someLetters(): string {
  return Array.from({ length: GROUP_LETTERS }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]).join('')
}
