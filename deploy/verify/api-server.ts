import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeFreePort } from '../local/ports/free-port.ts'
import { logEnd, readAfter } from '../local/servers/log-tail.ts'
import { type Child, runChild } from '../local/processes/run-child.ts'
import { type Outcome, runOnce } from '../local/processes/run-once.ts'
import { waitForServer } from '../local/servers/wait-for-server.ts'
import type { ApiPrograms } from './cluster-programs.ts'

export type ApiServer = {
  kubectl: (args: string[], options?: { timeoutMs?: number }) => Promise<Outcome>
  /** Parameters for starting the rest of a cluster. */
  kubeconfig: string
  accountsKey: string
  /** A file of the server's own folder, for kubectl to read. */
  write: (name: string, text: string) => string
  stop: () => Promise<void>
}

const START_TIMEOUT_MS = 300_000
const STOP_TIMEOUT_MS = 60_000
const KUBECTL_TIMEOUT_MS = 180_000
const SERVICES = '10.96.0.0/24'

/** A real API server with a real etcd on loopback; no component runs pods. */
export async function startApiServer(programs: ApiPrograms): Promise<ApiServer> {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-api-'))
  const children: Child[] = []
  const stop = async () => {
    for (const child of children.toReversed()) await child.stop()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
  const write = (name: string, text: string) => {
    const file = join(dir, name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
  try {
    const [etcdPort, peerPort, port] = await Promise.all([takeFreePort(), takeFreePort(), takeFreePort()])
    const token = randomBytes(16).toString('hex')
    const kubeconfig = write('kubeconfig', kubeconfigOf(port, token))
    const run = async (name: string, command: string, args: string[]) => {
      const output = { file: join(dir, `${name}.log`) }
      const child = await runChild({
        name,
        command,
        args,
        dir,
        marker: dir,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: STOP_TIMEOUT_MS,
        output,
      })
      children.push(child)
      return child
    }
    const accountsKey = write('accounts.key', newKey())
    await run('etcd', programs.etcd, etcdArguments(dir, etcdPort, peerPort))
    const server = await run(
      'kube-apiserver',
      programs['kube-apiserver'],
      serverArguments({
        dir,
        etcdPort,
        port,
        accountsKey,
        tokens: write('tokens.csv', `${token},admin,admin,system:masters\n`),
      }),
    )
    const asClient = ['--kubeconfig', kubeconfig, '--cache-dir', join(dir, 'cache')]
    const kubectl: ApiServer['kubectl'] = async (args, { timeoutMs = KUBECTL_TIMEOUT_MS } = {}) =>
      runOnce(programs.kubectl, [...asClient, ...args], { timeoutMs })
    const isReady = async () => (await kubectl(['get', '--raw', '/readyz'])).code === 0
    const state = await waitForServer(server, isReady, START_TIMEOUT_MS)
    if (state !== 'ready') throw new Error(`the API server is ${state}:\n${lastLog(join(dir, 'kube-apiserver.log'))}`)
    return { kubectl, kubeconfig, accountsKey, write, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function etcdArguments(dir: string, port: number, peerPort: number): string[] {
  const client = `http://127.0.0.1:${port}`
  return [
    `--data-dir=${join(dir, 'etcd')}`,
    '--unsafe-no-fsync',
    '--log-level=error',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
  ]
}

type ServerOptions = { dir: string; etcdPort: number; port: number; accountsKey: string; tokens: string }

function serverArguments({ dir, etcdPort, port, accountsKey, tokens }: ServerOptions): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(dir, 'certificates')}`,
    `--service-cluster-ip-range=${SERVICES}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${accountsKey}`,
    `--service-account-signing-key-file=${accountsKey}`,
    `--token-auth-file=${tokens}`,
    '--authorization-mode=RBAC',
    '--endpoint-reconciler-type=none',
    '--kubelet-preferred-address-types=InternalIP',
  ]
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
}

function kubeconfigOf(port: number, token: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'verify',
    clusters: [{ name: 'verify', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'verify', context: { cluster: 'verify', user: 'admin' } }],
  })
}

function lastLog(file: string): string {
  return readAfter(file, Math.max(0, logEnd(file) - 3_000))
}
