import { answer, Answer } from '@tapeline/contracts/answer'
import { ExpiringKeys, ExpiringKeysQuery } from '@tapeline/contracts/api-key/expiring-keys'
import {
  ANALYTICS_DAYS_DEFAULT,
  CreatedBefore,
  CreatedKey,
  CreateKey,
  DeletedKey,
  ExternalId,
  KeyAnalyticsQuery,
  KeyAnswer,
  KeyList,
  KeyUsageQuery,
  ListKeysQuery,
  PutKey,
  RegenerateKey,
  UpdateKey,
} from '@tapeline/contracts/api-key/http'
import { FindKeys, FoundKeys, KeyRecord } from '@tapeline/contracts/api-key/key-record'
import { BulkAnswer, BulkChange } from '@tapeline/contracts/api-key/bulk'
import { ImportedKeys, ImportKeys } from '@tapeline/contracts/api-key/imports'
import { UsageReport } from '@tapeline/contracts/audit/http'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import { changeKeys } from './many/change-keys.ts'
import { createKey } from './keys/create-key.ts'
import { createKeyOnce } from './idempotency/create-key-once.ts'
import { deleteKey } from './keys/delete-key.ts'
import type { Deps } from './deps.ts'
import { endOldSecret } from './keys/end-old-secret.ts'
import { getKey } from './keys/get-key.ts'
import { IdempotencyHeaders, readIdempotencyKey } from '@tapeline/service/calls/idempotency-header'
import { importKeys } from './imports/import-keys.ts'
import { addLeakRoutes } from './leaks/leak-routes.ts'
import { addShadowRoutes } from './shadow/shadow-routes.ts'
import { listExpiringKeys } from './expiry/list-expiring-keys.ts'
import { listKeys } from './keys/list-keys.ts'
import { putKey } from './many/put-key.ts'
import { readKeyRecord, readKeyRecords } from './keys/read-key-record.ts'
import { regenerateKey } from './keys/regenerate-key.ts'
import { revokeKey } from './keys/revoke-key.ts'
import { showKeyUsage } from './usage/show-key-usage.ts'
import { withLimitWarnings } from './fields/limit-warnings.ts'
import { updateKey } from './keys/update-key.ts'

const KEYS = '/api/v1/internal/api-keys'
const KeyParams = Type.Object({ id: Type.String({ format: 'uuid' }) })
const AccountParams = Type.Object({ account: Type.String({ format: 'uuid' }) })
const KidParams = Type.Object({ kid: Type.String({ pattern: '^[0-9A-Za-z]{12}$' }) })
const managed = { role: 'user', flag: 'api_key_management' } as const
const reading = { access: { ...managed, serviceScope: 'keys:read' } } as const
const writing = { access: { ...managed, serviceScope: 'keys:write', feature: 'apiKeyManagement' } } as const
/** In every tier, and whatever the flag: a key can always be taken out of use. */
const ending = { access: { role: 'user', serviceScope: 'keys:write' } } as const
const readingUsage = { access: { ...managed, serviceScope: 'usage:read' } } as const

export function addRoutes(app: Server, deps: Deps): void {
  addCreation(app, deps)
  app.get(
    KEYS,
    { config: reading, schema: { querystring: ListKeysQuery, response: { 200: Answer(KeyList) } } },
    async (request) => answer('API keys', await listKeys(deps, userOf(request), { kind: 'data', ...request.query })),
  )
  app.get(
    `${KEYS}/:id`,
    { config: reading, schema: { params: KeyParams, response: { 200: Answer(KeyAnswer) } } },
    async (request) => answer('API key', await getKey(deps, userOf(request), request.params.id)),
  )
  addChanges(app, deps)
  addShadowRoutes(app, deps)
  addManyKeys(app, deps)
  addLeakRoutes(app, deps)
  addUsage(app, deps)
  app.get(
    '/internal/accounts/:account/expiring-keys',
    {
      config: { access: { services: ['identity'] } },
      schema: { params: AccountParams, querystring: ExpiringKeysQuery, response: { 200: ExpiringKeys } },
    },
    (request) => listExpiringKeys(deps, request.params.account, request.query),
  )
  app.get(
    '/internal/accounts/:account/keys',
    { config: { access: { services: ['identity'] } }, schema: { params: AccountParams, response: { 200: KeyList } } },
    (request) => listKeys(deps, { userId: request.params.account }),
  )
  app.get(
    '/internal/keys/:kid',
    {
      config: { access: { services: ['gateway'] } },
      schema: { params: KidParams, response: { 200: KeyRecord } },
    },
    async (request) => readKeyRecord(deps, request.params.kid),
  )
  app.post(
    '/internal/keys/find',
    {
      config: { access: { services: ['gateway'] } },
      schema: { body: FindKeys, response: { 200: FoundKeys } },
    },
    async (request) => readKeyRecords(deps, request.body),
  )
}

function addCreation(app: Server, deps: Deps): void {
  const response = { 201: Answer(Type.Union([CreatedKey, CreatedBefore])) }
  app.post(
    KEYS,
    { config: writing, schema: { headers: IdempotencyHeaders, body: CreateKey, response } },
    async (request, reply) => {
      const actor = userOf(request)
      const idempotencyKey = readIdempotencyKey(request.headers)
      if (idempotencyKey === undefined) {
        const created = await createKey(deps, actor, request.body)
        return reply.code(201).send(answer('API key created', withLimitWarnings(deps, actor, created)))
      }
      const once = await createKeyOnce(deps, actor, { idempotencyKey, input: request.body })
      if ('created' in once) {
        return reply.code(201).send(answer('API key created', withLimitWarnings(deps, actor, once.created)))
      }
      const before = withLimitWarnings(deps, actor, once.createdBefore)
      return reply
        .code(201)
        .header('idempotent-replayed', 'true')
        .send(answer('API key created before: its secret was shown then', before))
    },
  )
}

/** For automation: one key by the identifier of another system, and changes of all keys with a tag. */
function addManyKeys(app: Server, deps: Deps): void {
  app.put(
    `${KEYS}/by-external-id/:external_id`,
    {
      config: writing,
      schema: {
        params: Type.Object({ external_id: ExternalId }),
        body: PutKey,
        response: { 200: Answer(KeyAnswer), 201: Answer(CreatedKey) },
      },
    },
    async (request, reply) => {
      const actor = userOf(request)
      const put = await putKey(deps, actor, { externalId: request.params.external_id, input: request.body })
      if ('saved' in put) return answer('API key saved', withLimitWarnings(deps, actor, put.saved))
      return reply.code(201).send(answer('API key created', withLimitWarnings(deps, actor, put.created)))
    },
  )
  app.post(
    `${KEYS}/bulk`,
    { config: writing, schema: { body: BulkChange, response: { 200: Answer(BulkAnswer) } } },
    async (request) => {
      const onError = (err: unknown, keyId: string) =>
        request.log.error({ err, keyId }, 'bulk change: a key could not be changed; the response reports it')
      const changed = await changeKeys(deps, userOf(request), request.body, { onError })
      return answer(changed.is_preview ? 'Nothing is changed yet' : 'API keys changed', changed)
    },
  )
  app.post(
    `${KEYS}/import`,
    { config: writing, schema: { body: ImportKeys, response: { 200: Answer(ImportedKeys) } } },
    async (request) => answer('API keys imported', await importKeys(deps, userOf(request), request.body)),
  )
}

function addChanges(app: Server, deps: Deps): void {
  app.put(
    `${KEYS}/:id`,
    { config: writing, schema: { params: KeyParams, body: UpdateKey, response: { 200: Answer(KeyAnswer) } } },
    async (request) => {
      const actor = userOf(request)
      const saved = await updateKey(deps, actor, request.params.id, request.body)
      return answer('API key saved', withLimitWarnings(deps, actor, saved))
    },
  )
  app.delete(
    `${KEYS}/:id/delete`,
    { config: ending, schema: { params: KeyParams, response: { 200: Answer(DeletedKey) } } },
    async (request) => answer('API key deleted', await deleteKey(deps, userOf(request), request.params.id)),
  )
  app.patch(
    `${KEYS}/:id/revoke`,
    { config: ending, schema: { params: KeyParams, response: { 200: Answer(KeyAnswer) } } },
    async (request) => answer('API key revoked', await revokeKey(deps, userOf(request), request.params.id)),
  )
  app.patch(
    `${KEYS}/:id/end-grace`,
    { config: ending, schema: { params: KeyParams, response: { 200: Answer(KeyAnswer) } } },
    async (request) => answer('Old secret ended', await endOldSecret(deps, userOf(request), request.params.id)),
  )
  app.post(
    `${KEYS}/:id/regenerate`,
    {
      config: writing,
      // Without a body the old secret ends immediately.
      schema: {
        params: KeyParams,
        body: Type.Union([RegenerateKey, Type.Null()]),
        response: { 200: Answer(CreatedKey) },
      },
    },
    async (request) => {
      const regenerated = await regenerateKey(deps, userOf(request), request.params.id, request.body ?? {})
      return answer('API key regenerated', regenerated)
    },
  )
}

/** The same report under two paths: usage of a key over the last days, in total or by endpoint. */
function addUsage(app: Server, deps: Deps): void {
  const response = { 200: Answer(UsageReport) }
  app.get(
    `${KEYS}/usage`,
    { config: readingUsage, schema: { querystring: KeyUsageQuery, response } },
    async (request) => {
      const question = { keyId: request.query.api_key_id, days: ANALYTICS_DAYS_DEFAULT, groupBy: 'key' as const }
      return answer('Usage of the API key', await showKeyUsage(deps, userOf(request), question))
    },
  )
  app.get(
    `${KEYS}/:id/analytics`,
    { config: reading, schema: { params: KeyParams, querystring: KeyAnalyticsQuery, response } },
    async (request) => {
      const days = request.query.days ?? ANALYTICS_DAYS_DEFAULT
      const question = { keyId: request.params.id, days, groupBy: 'endpoint' as const }
      return answer('Usage of the API key by endpoint', await showKeyUsage(deps, userOf(request), question))
    },
  )
}
