import { type Tier, TIERS, type UserActor } from '@tapeline/contracts/actor'
import { ImportKeys } from '@tapeline/contracts/api-key/imports'
import { AppError } from '@tapeline/service/app-error'
import { Value } from 'typebox/value'
import type { KeyDeps } from './deps.ts'
import { importKeys } from './imports/import-keys.ts'
import { rehearseImport } from './imports/rehearse-import.ts'

/** The actor of commands run with database access; the audit trail records it under this name. */
const operator = { kind: 'service', service: 'operator' } as const
const USAGE = 'Usage: import|rehearse-import <account id> <tier> <JSON of the keys>'

/** Runs the verb of an operator's command. */
export async function runAdminCommand(deps: KeyDeps, words: readonly string[]): Promise<object> {
  const [command, userId, named, text] = words
  const tier = TIERS.find((name) => name === named)
  if (userId === undefined || tier === undefined || text === undefined) throw invalid(USAGE)
  const input: unknown = JSON.parse(text)
  if (!Value.Check(ImportKeys, input)) throw invalid('The keys do not have the form of POST /api-keys/import.')
  const owner = ownerOf(userId, tier)
  if (command === 'import') return importKeys(deps, owner, input, operator)
  if (command === 'rehearse-import') return rehearseImport(deps, { owner, by: operator }, input)
  throw invalid(USAGE)
}

/** The account itself, for which keys are counted; the operator is the actor of the events. */
function ownerOf(userId: string, tier: Tier): UserActor {
  const unsigned = { sessionId: null, keyId: null, scopes: [], features: [] }
  return { kind: 'user', userId, tier, role: 'user', environment: 'live', timeZone: 'UTC', ...unsigned }
}

function invalid(message: string): AppError {
  return new AppError('request.invalid', message)
}
