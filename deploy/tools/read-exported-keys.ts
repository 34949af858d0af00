import { createHash } from 'node:crypto'
import type { ImportedKey } from '@tapeline/contracts/api-key/imports'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parse } from 'yaml'

export const SOURCES = ['unkey', 'kong', 'tyk'] as const
export type Source = (typeof SOURCES)[number]
/** `skipped`: keys that cannot be imported, with the reason. */
export type ExportedKeys = { keys: ImportedKey[]; skipped: string[] }

const PREFIX_CHARACTERS = 8
const SECOND_MS = 1_000
const SHA256_HEX = /^[0-9a-f]{64}$/i
const Optional = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** Rows of Unkey's `keys` table, or of a page of its API: `hash` is the base64 of the SHA-256. */
const UnkeyKey = Type.Object({
  hash: Type.String({ minLength: 1 }),
  name: Optional(Type.String()),
  start: Optional(Type.String()),
  externalId: Optional(Type.String()),
  expires: Optional(Type.Number()),
  enabled: Optional(Type.Boolean()),
})
/** The file that `deck gateway dump` writes. */
const KongFile = Type.Object({
  consumers: Type.Array(
    Type.Object({
      username: Optional(Type.String()),
      custom_id: Optional(Type.String()),
      keyauth_credentials: Optional(
        Type.Array(Type.Object({ key: Type.String({ minLength: 1 }), tags: Optional(Type.Array(Type.String())) })),
      ),
    }),
  ),
})
/** Sessions of Tyk's gateway API, each with its hash. */
const TykKey = Type.Object({
  key_hash: Type.String({ minLength: 1 }),
  alias: Optional(Type.String()),
  expires: Optional(Type.Number()),
  is_inactive: Optional(Type.Boolean()),
  tags: Optional(Type.Array(Type.String())),
})

/**
 * The keys in an export of another gateway, by their hashes. Kong exports whole keys: they are hashed here and do not
 * leave this machine.
 * @throws Error when the text is not such an export
 */
export function readExportedKeys(source: Source, text: string): ExportedKeys {
  const content: unknown = parse(text)
  switch (source) {
    case 'unkey':
      return readUnkey(Value.Parse(Type.Array(UnkeyKey), listIn(content)))
    case 'kong':
      return readKong(Value.Parse(KongFile, content))
    case 'tyk':
      return readTyk(Value.Parse(Type.Array(TykKey), listIn(content)))
  }
}

function readUnkey(rows: Static<typeof UnkeyKey>[]): ExportedKeys {
  return {
    keys: rows.map(({ hash, name, start, externalId, expires, enabled }) => ({
      name: name ?? start ?? 'imported',
      sha256: hash,
      ...(start ? { prefix: start.slice(0, PREFIX_CHARACTERS) } : {}),
      ...(externalId ? { owner_note: externalId } : {}),
      ...(expires ? { expires_at: new Date(expires).toISOString() } : {}),
      ...(enabled === false ? { is_active: false } : {}),
    })),
    skipped: [],
  }
}

function readKong({ consumers }: Static<typeof KongFile>): ExportedKeys {
  const keys = consumers.flatMap(({ username, custom_id, keyauth_credentials }) =>
    (keyauth_credentials ?? []).map(({ key, tags }) => ({
      name: username ?? custom_id ?? 'imported',
      sha256: createHash('sha256').update(key).digest('hex'),
      prefix: key.slice(0, PREFIX_CHARACTERS / 2),
      ...(custom_id ? { owner_note: custom_id } : {}),
      ...(tags ? { tags: tags.map(tagOf) } : {}),
    })),
  )
  return { keys, skipped: [] }
}

/** Tyk hashes with murmur unless `hash_key_function` is `sha256`: such a hash does not verify a key. */
function readTyk(sessions: Static<typeof TykKey>[]): ExportedKeys {
  const isUsable = ({ key_hash: hash }: Static<typeof TykKey>): boolean => SHA256_HEX.test(hash)
  return {
    keys: sessions.filter(isUsable).map(({ key_hash, alias, expires, is_inactive: isOff, tags }) => ({
      name: alias || 'imported',
      sha256: key_hash,
      ...(expires && expires > 0 ? { expires_at: new Date(expires * SECOND_MS).toISOString() } : {}),
      ...(isOff === true ? { is_active: false } : {}),
      ...(tags ? { tags: tags.map(tagOf) } : {}),
    })),
    skipped: sessions
      .filter((session) => !isUsable(session))
      .map(({ key_hash, alias }) => `${alias || key_hash}: not a SHA-256 hash (hash_key_function is murmur)`),
  }
}

/** Lower case, with hyphens in place of other characters. */
function tagOf(tag: string): string {
  const text = tag.toLowerCase().replaceAll(/[^a-z0-9._:/-]+/g, '-')
  return text.replace(/^[^a-z0-9]+/, '').slice(0, 40) || 'imported'
}

function listIn(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content
  return 'data' in content ? content.data : 'keys' in content ? content.keys : content
}
