import { AppError } from '@tapeline/service/app-error'
import type { ApiKeyRow } from '../tables.ts'
import { lockKey } from './key-queries.ts'
import { noSuchKey } from './no-such-key.ts'

/** Locks a key of the viewer that may be changed. @throws AppError api_key.not_found, api_key.already_revoked */
export async function lockChangeableKey(...[trx, viewer, place]: Parameters<typeof lockKey>): Promise<ApiKeyRow> {
  const key = await lockKey(trx, viewer, place)
  if (key === undefined) throw noSuchKey()
  if (key.state !== 'revoked') return key
  throw new AppError('api_key.already_revoked', 'This API key is revoked and can no longer be changed.')
}
