import type { ApiServer } from '../api-server.ts'
import { NAMESPACE } from '../dry-run.ts'

const ROLLOUT_WITHIN_MS = 1_800_000
const LINES_SHOWN = 25

type Kubectl = ApiServer['kubectl']

/** Output of kubectl, or the diagnostics if it failed. */
export async function inNamespace(kubectl: Kubectl, args: string[], timeoutMs?: number): Promise<string> {
  const { code, output } = await kubectl(['-n', NAMESPACE, ...args], timeoutMs === undefined ? {} : { timeoutMs })
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}\n${output.trim()}`)
  return output.trim()
}

export async function waitForJob(kubectl: Kubectl, job: string): Promise<void> {
  await orDescribe(kubectl, ['wait', '--for=condition=Complete', `job/${job}`])
}

/** Runs the nightly backup now. */
export async function backUp(kubectl: Kubectl): Promise<string> {
  await inNamespace(kubectl, ['create', 'job', '--from=cronjob/backup', 'backup-now'])
  await waitForJob(kubectl, 'backup-now')
  const lines = await inNamespace(kubectl, ['logs', 'job/backup-now'])
  return `${lines.split('\n').filter((line) => line.includes('dumped and restored')).length} databases`
}

/** Every workload has all its pods, of its last revision and ready. */
export async function waitForRollout(kubectl: Kubectl, workloads?: string[]): Promise<string> {
  const all = workloads ?? (await listWorkloads(kubectl))
  for (const workload of all) await orDescribe(kubectl, ['rollout', 'status', workload])
  return `${all.length} workloads`
}

export async function listWorkloads(kubectl: Kubectl): Promise<string[]> {
  return (await inNamespace(kubectl, ['get', 'statefulsets,deployments', '--output=name'])).split('\n')
}

async function orDescribe(kubectl: Kubectl, args: string[]): Promise<void> {
  const timeout = `--timeout=${ROLLOUT_WITHIN_MS / 1_000}s`
  try {
    await inNamespace(kubectl, [...args, timeout], ROLLOUT_WITHIN_MS)
  } catch (error) {
    throw new Error(`${String(error)}\n${await describe(kubectl)}`, { cause: error })
  }
}

async function describe(kubectl: Kubectl): Promise<string> {
  const pods = await inNamespace(kubectl, ['get', 'pods', '--output=wide'])
  const events = await inNamespace(kubectl, [
    'get',
    'events',
    '--field-selector=type=Warning',
    '--sort-by=lastTimestamp',
  ])
  return `${pods}\n${events.split('\n').slice(-LINES_SHOWN).join('\n')}`
}
