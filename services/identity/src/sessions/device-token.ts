import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { secretsOf } from '@tapeline/service/encryption'
import type { Deps } from '../deps.ts'
import type { UserRow } from '../users/user-queries.ts'

const PURPOSE = 'known device '
const DEVICE_ID_BYTES = 12
/** How long a device is known after its last sign-in, with its token or by its network. */
export const DEVICE_LIFE_MS = 180 * 86_400_000
const FORM = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{16})\.(\d{1,15})\.([A-Za-z0-9_-]{43})$/

type TokenDeps = Pick<Deps, 'secret' | 'now'>

/**
 * Creates a token that a browser keeps after sign-out; it grants no access by itself. A sign-in that sends it is not
 * delayed by wrong passwords from other devices (OWASP: device cookies). Always newer than the account's
 * `devices_not_before`.
 */
export function newDeviceToken(
  { secret, now }: TokenDeps,
  user: Pick<UserRow, 'id' | 'devices_not_before'>,
  deviceId = newDeviceId(),
): string {
  const issuedMs = Math.max(now().getTime(), user.devices_not_before.getTime() + 1)
  const payload = `${user.id}.${deviceId}.${issuedMs}`
  return `${payload}.${sign(secretsOf(secret)[0], payload)}`
}

/** The device of a token that is valid, of this account, not too old, and newer than its last password reset. */
export function knownDevice(
  { secret, now }: TokenDeps,
  token: string | undefined,
  user: Pick<UserRow, 'id' | 'devices_not_before'> | undefined,
): string | undefined {
  const [whole, userId, deviceId, issued, signature = ''] = FORM.exec(token ?? '') ?? []
  if (whole === undefined || user === undefined || userId !== user.id) return undefined
  const payload = whole.slice(0, -signature.length - 1)
  const isGenuine = (one: string) => timingSafeEqual(Buffer.from(signature), Buffer.from(sign(one, payload)))
  if (!secretsOf(secret).some(isGenuine)) return undefined
  const issuedMs = Number(issued)
  const isOld = now().getTime() - issuedMs > DEVICE_LIFE_MS || issuedMs <= user.devices_not_before.getTime()
  return isOld ? undefined : deviceId
}

function newDeviceId(): string {
  return randomBytes(DEVICE_ID_BYTES).toString('base64url')
}

function sign(secret: string, payload: string): string {
  return createHmac('sha256', secret)
    .update(PURPOSE + payload)
    .digest('base64url')
}
