import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'

/** `key_id`: the first 16 hex digits of the SHA-256 of the public key. All other values are base64url. */
export type Signature = { algorithm: 'Ed25519'; key_id: string; public_key: string; value: string }

export type Signer = {
  sign: (document: unknown) => Signature
  /** Public keys whose signatures are trusted, newest first. */
  publicKeys: readonly string[]
}

/** DER of a PKCS #8 Ed25519 private key, and of a public key in SubjectPublicKeyInfo, up to the 32 bytes (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_ID_CHARACTERS = 16

/** A signer for the first of comma-separated secrets; the others only verify. */
export function createSigner(secrets: string): Signer {
  const pairs = secrets.split(',').map((secret) => {
    const privateKey = privateKeyOf(secret)
    return { privateKey, publicKey: textOf(createPublicKey(privateKey)) }
  })
  const [first] = pairs
  if (first === undefined) throw new Error('EVIDENCE_KEYS is empty')
  return {
    publicKeys: pairs.map(({ publicKey }) => publicKey),
    sign: (document) => ({
      algorithm: 'Ed25519',
      key_id: keyIdOf(first.publicKey),
      public_key: first.publicKey,
      value: sign(null, Buffer.from(canonicalJson(document)), first.privateKey).toString('base64url'),
    }),
  }
}

/** Whether one of the trusted keys made the signature over this document. */
export function isSigned(document: unknown, { key_id, value }: Signature, trusted: readonly string[]): boolean {
  const publicKey = trusted.find((one) => keyIdOf(one) === key_id)
  if (publicKey === undefined) return false
  const key = createPublicKey({
    key: Buffer.concat([PUBLIC_PREFIX, Buffer.from(publicKey, 'base64url')]),
    format: 'der',
    type: 'spki',
  })
  return verify(null, Buffer.from(canonicalJson(document)), key, Buffer.from(value, 'base64url'))
}

/** Derived, so that any secret of sufficient length is a key. */
function privateKeyOf(secret: string): KeyObject {
  const seed = createHash('sha256').update(`tapeline evidence ${secret}`).digest()
  return createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' })
}

function textOf(publicKey: KeyObject): string {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length).toString('base64url')
}

/** The first 16 hex digits of the SHA-256 of a public key. */
export function keyIdOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex').slice(0, KEY_ID_CHARACTERS)
}
