import type { ApiServer } from '../api-server.ts'
import type { Reached } from '../tour-of-containers.ts'
import { secretsFolder } from './apply-overlay.ts'
import { inNamespace } from './rollout.ts'

/** Services by their own addresses, servers with data (which have none) by that of their pod. */
export async function reachServices({ kubectl }: ApiServer, dir: string): Promise<Reached> {
  const read = async (what: string, path: string) => inNamespace(kubectl, ['get', what, `--output=jsonpath={${path}}`])
  const service = async (name: string) => read(`service/${name}`, '.spec.clusterIP')
  const pod = async (name: string) => read(`pod/${name}-0`, '.status.podIP')
  return {
    web: `http://${await service('web')}`,
    gateway: `http://${await service('gateway')}:3001`,
    mail: `http://${await service('mail')}:3026`,
    postgres: `${await pod('postgres')}:5432`,
    redis: `${await pod('redis-limits')}:6379`,
    secretsDir: secretsFolder(dir),
  }
}
