import type {
  ConfigDiff,
  ConfigHistory,
  ConfigUpdate,
  GlobalConfigs,
  UpdatedConfig,
  UpdatedConfigs,
} from '@tapeline/contracts/config/global-configs'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../platform.ts'
import { queryClient } from '../../../queries.ts'

const CONFIGS = '/api/v1/admin/global-configs'

export const configsQuery = queryOptions({
  queryKey: ['admin-configs'],
  queryFn: ({ signal }) => api.data<GlobalConfigs>({ path: CONFIGS, signal }),
})

export function configHistoryQuery(key: string) {
  return queryOptions({
    queryKey: ['admin-config-history', key],
    queryFn: ({ signal }) => api.data<ConfigHistory>({ path: `${CONFIGS}/${key}/history`, signal }),
  })
}

export function configDiffQuery(key: string, from: number, to: number) {
  return queryOptions({
    queryKey: ['admin-config-diff', key, from, to],
    queryFn: ({ signal }) => api.data<ConfigDiff>({ path: `${CONFIGS}/${key}/diff`, query: { from, to }, signal }),
  })
}

export async function saveConfigs(updates: ConfigUpdate[]): Promise<UpdatedConfigs> {
  const result = await api.data<UpdatedConfigs>({ method: 'PUT', path: CONFIGS, body: { updates } })
  await configsChanged()
  return result
}

export async function undoConfig(key: string, version: number): Promise<void> {
  await api.data<UpdatedConfig>({ method: 'POST', path: `${CONFIGS}/${key}/undo`, body: { version } })
  await configsChanged()
}

export async function readConfigsAgain(): Promise<GlobalConfigs> {
  await configsChanged()
  return queryClient.fetchQuery(configsQuery)
}

async function configsChanged(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: configsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ['admin-config-history'] }),
  ])
}
