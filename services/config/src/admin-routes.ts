import { Answer, answer } from '@tapeline/contracts/answer'
import {
  AdminFlag,
  AdminFlagList,
  Affected,
  AffectedQuery,
  CreateFlag,
  FlagHistory,
  ListFlagsQuery,
  UndoFlag,
  UpdateFlag,
} from '@tapeline/contracts/config/flags'
import {
  ConfigDiff,
  ConfigHistory,
  ConfigParams,
  DiffConfigQuery,
  GlobalConfigs,
  UndoConfig,
  UpdateConfigs,
  UpdatedConfig,
  UpdatedConfigs,
} from '@tapeline/contracts/config/global-configs'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import type { Deps } from './deps.ts'
import { countAffected } from './flags/count-affected.ts'
import { createFlag } from './flags/create-flag.ts'
import { listAdminFlags } from './flags/list-admin-flags.ts'
import { showFlagHistory } from './flags/show-flag-history.ts'
import { undoFlag } from './flags/undo-flag.ts'
import { updateFlag } from './flags/update-flag.ts'
import { diffConfig } from './global-configs/diff-config.ts'
import { listGlobalConfigs } from './global-configs/list-global-configs.ts'
import { showConfigHistory } from './global-configs/show-config-history.ts'
import { undoConfig } from './global-configs/undo-config.ts'
import { updateGlobalConfigs } from './global-configs/update-global-configs.ts'

const FLAGS = '/api/v1/admin/feature-flags'
const CONFIGS = '/api/v1/admin/global-configs'
const tester = { access: { role: 'tester' as const } }
const admin = { access: { role: 'admin' as const } }
const FlagParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

/** Calls with which testers and admins change the platform's settings. */
export function addAdminRoutes(app: Server, deps: Deps): void {
  addFlagRoutes(app, deps)
  addConfigRoutes(app, deps)
}

function addFlagRoutes(app: Server, deps: Deps): void {
  const response = { 200: Answer(AdminFlag) }
  app.get(
    FLAGS,
    { config: tester, schema: { querystring: ListFlagsQuery, response: { 200: Answer(AdminFlagList) } } },
    async (request) => answer('Feature flags', await listAdminFlags(deps, request.query)),
  )
  app.post(
    FLAGS,
    { config: tester, schema: { body: CreateFlag, response: { 201: Answer(AdminFlag) } } },
    async (request, reply) =>
      reply.code(201).send(answer('Feature flag created', await createFlag(deps, userOf(request), request.body))),
  )
  app.patch(FLAGS, { config: tester, schema: { body: UpdateFlag, response } }, async (request) =>
    answer('Feature flag saved', await updateFlag(deps, userOf(request), request.body)),
  )
  app.get(
    `${FLAGS}/affected`,
    { config: tester, schema: { querystring: AffectedQuery, response: { 200: Answer(Affected) } } },
    async (request) => answer('Accounts that it would reach', await countAffected(deps, request.query)),
  )
  app.get(
    `${FLAGS}/:id/history`,
    { config: tester, schema: { params: FlagParams, response: { 200: Answer(FlagHistory) } } },
    async (request) => answer('History of the feature flag', await showFlagHistory(deps, request.params.id)),
  )
  app.post(
    `${FLAGS}/:id/undo`,
    { config: tester, schema: { params: FlagParams, body: Type.Union([UndoFlag, Type.Null()]), response } },
    async (request) =>
      answer('Taken back', await undoFlag(deps, userOf(request), request.params.id, request.body ?? {})),
  )
}

function addConfigRoutes(app: Server, deps: Deps): void {
  app.get(CONFIGS, { config: admin, schema: { response: { 200: Answer(GlobalConfigs) } } }, async () =>
    answer('Global configurations', await listGlobalConfigs(deps)),
  )
  app.put(
    CONFIGS,
    { config: admin, schema: { body: UpdateConfigs, response: { 200: Answer(UpdatedConfigs) } } },
    async (request) => {
      const result = await updateGlobalConfigs(deps, userOf(request), request.body)
      return answer(`${result.updated.length} updated, ${result.failed.length} failed`, result)
    },
  )
  app.get(
    `${CONFIGS}/:key/history`,
    { config: admin, schema: { params: ConfigParams, response: { 200: Answer(ConfigHistory) } } },
    async (request) => answer('History of the configuration', await showConfigHistory(deps, request.params.key)),
  )
  app.get(
    `${CONFIGS}/:key/diff`,
    {
      config: admin,
      schema: { params: ConfigParams, querystring: DiffConfigQuery, response: { 200: Answer(ConfigDiff) } },
    },
    async (request) => answer('What changed', await diffConfig(deps, request.params.key, request.query)),
  )
  app.post(
    `${CONFIGS}/:key/undo`,
    {
      config: admin,
      schema: {
        params: ConfigParams,
        body: Type.Union([UndoConfig, Type.Null()]),
        response: { 200: Answer(UpdatedConfig) },
      },
    },
    async (request) =>
      answer('Taken back', await undoConfig(deps, userOf(request), request.params.key, request.body ?? {})),
  )
}
