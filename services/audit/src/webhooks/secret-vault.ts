import { createHash, timingSafeEqual } from 'node:crypto'
import { encrypt, type EncryptionKey, decrypt } from '@tapeline/service/encryption'

/** Encrypts the secrets of endpoints. Data names its key, so keys are replaced without downtime. */
export type SecretVault = {
  encrypt: (text: string) => Buffer
  /** @throws when no configured key encrypted the data */
  decrypt: (encrypted: Buffer) => string
  /** False: encrypted with an older key. */
  isCurrent: (encrypted: Buffer) => boolean
}

const PURPOSE = 'webhook endpoint secrets'
const KEY_ID_BYTES = 4

type VaultKey = EncryptionKey & { id: Buffer }

/** `keys`: comma-separated, newest first; the first encrypts, all decrypt. */
export function createSecretVault(keys: string): SecretVault {
  const vaultKeys = keys.split(',').map((secret): VaultKey => ({ secret, purpose: PURPOSE, id: keyId(secret) }))
  const [newest] = vaultKeys
  if (newest === undefined) throw new Error('there is no key for webhook secrets')
  const isOf = (key: VaultKey, encrypted: Buffer) => timingSafeEqual(key.id, idIn(encrypted))
  return {
    encrypt: (text) => Buffer.concat([newest.id, encrypt(newest, text)]),
    decrypt(encrypted) {
      const key = vaultKeys.find((one) => isOf(one, encrypted))
      if (key === undefined) throw new Error('the key of a webhook secret is missing in WEBHOOK_KEYS')
      return decrypt(key, encrypted.subarray(KEY_ID_BYTES))
    },
    isCurrent: (encrypted) => isOf(newest, encrypted),
  }
}

function keyId(secret: string): Buffer {
  return createHash('sha256').update(`${PURPOSE} ${secret}`).digest().subarray(0, KEY_ID_BYTES)
}

function idIn(encrypted: Buffer): Buffer {
  return Buffer.concat([encrypted, Buffer.alloc(KEY_ID_BYTES)]).subarray(0, KEY_ID_BYTES)
}
