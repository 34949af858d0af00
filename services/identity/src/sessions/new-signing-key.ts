import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { decrypt, encrypt, type EncryptionKey, isEncryptedWithNewest, type Secrets } from '@tapeline/service/encryption'
import type { NewSigningKeyRow, SigningKeyRow } from './signing-key-queries.ts'

const MODULUS_BITS = 2_048
const generate = promisify(generateKeyPair)

/** Generates an RSA key pair; the private key is encrypted with the secret. */
export async function newSigningKey(
  secret: Secrets,
  { now, signsFrom }: { now: Date; signsFrom: Date },
): Promise<NewSigningKeyRow> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS })
  const kid = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('base64url')
  return {
    kid,
    public_key: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    sealed_private_key: encrypt(purposeOf(secret, kid), privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
    created_at: now,
    signs_from: signsFrom,
  }
}

/** @throws when the key was encrypted with another secret */
export function readPrivateKey(secret: Secrets, { kid, sealed_private_key }: SigningKeyRow): string {
  try {
    return decrypt(purposeOf(secret, kid), sealed_private_key)
  } catch (cause) {
    throw new Error(
      `IDENTITY_SECRET cannot decrypt the signing key ${kid}, which was created with a different secret`,
      {
        cause,
      },
    )
  }
}

/** False while IDENTITY_SECRET is replaced: the key may be known with the old secret. */
export function isUnderNewestSecret(secret: Secrets, { kid, sealed_private_key }: SigningKeyRow): boolean {
  return isEncryptedWithNewest(purposeOf(secret, kid), sealed_private_key)
}

function purposeOf(secret: Secrets, kid: string): EncryptionKey {
  return { secret, purpose: `signing key ${kid}` }
}
