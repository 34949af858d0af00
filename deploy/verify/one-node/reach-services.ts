import { runChild } from '../../local/processes/run-child.ts'
import { waitForServer } from '../../local/servers/wait-for-server.ts'
import type { ApiServer } from '../api-server.ts'
import { NAMESPACE } from '../dry-run.ts'
import type { Reached } from '../tour-of-containers.ts'
import { secretsFolder } from './apply-overlay.ts'
import { inNamespace } from './rollout.ts'

const FORWARDED_WITHIN_MS = 60_000
const STOP_TIMEOUT_MS = 10_000

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

/** The pages at the URL of k8s/README.md, which is WEB_ORIGIN of the overlay. */
export async function withPagesForwarded<Result>(
  { kubeconfig }: ApiServer,
  kubectl: string,
  dir: string,
  work: (web: string) => Promise<Result>,
): Promise<Result> {
  const web = 'http://127.0.0.1:8080'
  const forward = await runChild({
    name: 'port-forward',
    command: kubectl,
    args: ['--kubeconfig', kubeconfig, '-n', NAMESPACE, 'port-forward', 'svc/web', '8080:80'],
    dir,
    marker: dir,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    output: { onLine: () => {} },
  })
  try {
    const isReady = async () =>
      fetch(web).then(
        ({ ok }) => ok,
        () => false,
      )
    const state = await waitForServer(forward, isReady, FORWARDED_WITHIN_MS)
    if (state !== 'ready') throw new Error(`kubectl port-forward is ${state}`)
    return await work(web)
  } finally {
    await forward.stop()
  }
}
