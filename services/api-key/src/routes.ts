import { answer, Answer } from '@tapeline/contracts/answer'
import { CreatedKey, CreateKey, DeletedKey, KeyAnswer, KeyList, KeyRecord } from '@tapeline/contracts/api-key/http'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import { createKey } from './create-key.ts'
import { deleteKey } from './delete-key.ts'
import type { Deps } from './deps.ts'
import { getKey } from './get-key.ts'
import { listKeys } from './list-keys.ts'
import { readKeyRecord } from './read-key-record.ts'
import { regenerateKey } from './regenerate-key.ts'
import { revokeKey } from './revoke-key.ts'

const KEYS = '/api/v1/internal/api-keys'
const KeyParams = Type.Object({ id: Type.String({ format: 'uuid' }) })
const KidParams = Type.Object({ kid: Type.String({ pattern: '^[0-9A-Za-z]{12}$' }) })
const bySession = { access: { role: 'user' as const } }

export function addRoutes(app: Server, deps: Deps): void {
  app.post(
    KEYS,
    { config: bySession, schema: { body: CreateKey, response: { 201: Answer(CreatedKey) } } },
    async (request, reply) => {
      const created = await createKey(deps, userOf(request), request.body)
      return reply.code(201).send(answer('API key created', created))
    },
  )
  app.get(KEYS, { config: bySession, schema: { response: { 200: Answer(KeyList) } } }, async (request) =>
    answer('API keys', await listKeys(deps, userOf(request))),
  )
  app.get(
    `${KEYS}/:id`,
    { config: bySession, schema: { params: KeyParams, response: { 200: Answer(KeyAnswer) } } },
    async (request) => answer('API key', await getKey(deps, userOf(request), request.params.id)),
  )
  app.delete(
    `${KEYS}/:id/delete`,
    { config: bySession, schema: { params: KeyParams, response: { 200: Answer(DeletedKey) } } },
    async (request) => answer('API key deleted', await deleteKey(deps, userOf(request), request.params.id)),
  )
  app.patch(
    `${KEYS}/:id/revoke`,
    { config: bySession, schema: { params: KeyParams, response: { 200: Answer(KeyAnswer) } } },
    async (request) => answer('API key revoked', await revokeKey(deps, userOf(request), request.params.id)),
  )
  app.post(
    `${KEYS}/:id/regenerate`,
    { config: bySession, schema: { params: KeyParams, response: { 200: Answer(CreatedKey) } } },
    async (request) => answer('API key regenerated', await regenerateKey(deps, userOf(request), request.params.id)),
  )
  app.get(
    '/internal/keys/:kid',
    {
      config: { access: { services: ['gateway'] } },
      schema: { params: KidParams, response: { 200: KeyRecord } },
    },
    async (request) => readKeyRecord(deps, request.params.kid),
  )
}
