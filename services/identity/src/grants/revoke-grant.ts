import type { Deps } from '../deps.ts'
import { decrypt } from '@tapeline/service/encryption'
import { deleteGrant, findGrant } from './grant-queries.ts'
import { GRANT_PURPOSE } from './record-grant.ts'

/** Idempotent: the provider accepts the revocation of a revoked grant. */
export async function revokeGrant(
  { db, secret, provider }: Pick<Deps, 'db' | 'secret' | 'provider'>,
  id: string,
): Promise<'revoked' | 'done before'> {
  const row = await findGrant(db, id)
  if (row === undefined) return 'done before'
  await provider.revoke(decrypt({ secret, purpose: GRANT_PURPOSE }, row.sealed_token))
  await deleteGrant(db, id)
  return 'revoked'
}
