import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../../local/folders.ts'
import type { ApiServer } from '../api-server.ts'
import type { Inside } from './inside.ts'
import { NODE } from './start-node.ts'

/** Changes for the tour: higher throttles, and longer timeouts for a loaded machine. */
const SETTINGS = {
  LIMITER_REPLY_WITHIN_MS: '1000',
  THROTTLE_SIGN_IN_PER_MINUTE: '10000',
  THROTTLE_SIGN_UP_PER_MINUTE: '10000',
  THROTTLE_ACCOUNT_PER_MINUTE: '10000',
  THROTTLE_FAILURES_PER_MINUTE: '10000',
}
const VOLUMES = 12
const APPLY_TIMEOUT_MS = 300_000

export function secretsFolder(dir: string): string {
  return join(dir, 'k8s', 'overlays', 'local', 'secrets')
}

/** The overlay for one machine, with generated secrets and with volumes for its claims. */
export async function applyOverlay({ dir, run }: Inside, { kubectl, write }: ApiServer): Promise<string> {
  const folder = join(dir, 'k8s')
  cpSync(join(REPOSITORY, 'k8s'), folder, { recursive: true })
  rmSync(secretsFolder(dir), { recursive: true, force: true })
  await run(process.execPath, [join(REPOSITORY, 'deploy', 'make-secrets.ts'), secretsFolder(dir)])
  const overlay = join(folder, 'overlays', 'verify')
  mkdirSync(overlay)
  writeFileSync(join(overlay, 'kustomization.yaml'), JSON.stringify(kustomization()))
  const volumes = write('volumes.json', JSON.stringify(makeVolumes(dir)))
  const applied = []
  for (const args of [
    ['-f', volumes],
    ['-k', overlay],
  ]) {
    const { code, output } = await kubectl(['apply', ...args], { timeoutMs: APPLY_TIMEOUT_MS })
    const warnings = output.split('\n').filter((line) => line.startsWith('Warning'))
    if (code !== 0 || warnings.length > 0) throw new Error(output)
    applied.push(output.split('\n').filter((line) => line.endsWith(' created')).length)
  }
  return `${applied[1]} objects`
}

function kustomization(): object {
  return {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: 'tapeline',
    resources: ['../local'],
    configMapGenerator: [
      {
        name: 'settings',
        behavior: 'merge',
        literals: Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`),
      },
    ],
  }
}

/** Host folders; such a volume gets the owner that its pod requires. */
function makeVolumes(dir: string): object {
  const items = Array.from({ length: VOLUMES }, (_, n) => {
    const path = join(dir, 'volumes', String(n))
    mkdirSync(path, { recursive: true })
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `volume-${n}` },
      spec: {
        capacity: { storage: '50Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        local: { path },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [NODE] }] },
            ],
          },
        },
      },
    }
  })
  return { apiVersion: 'v1', kind: 'List', items }
}
