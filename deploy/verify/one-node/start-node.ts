import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiServer } from '../api-server.ts'
import type { Inside } from './inside.ts'
import { NODE_ADDRESS } from './network.ts'
import { containerdSocket } from './start-containerd.ts'

export const NODE = 'node'
const READY_WITHIN_MS = 600_000
const POLL_INTERVAL_MS = 1_000

/** All cluster components besides the API server; the processes end with their namespaces. */
export async function startNode(inside: Inside, api: ApiServer): Promise<string> {
  const { dir, start } = inside
  const { kubeconfig, accountsKey } = api
  const asClient = [`--kubeconfig=${kubeconfig}`]
  const asServer = [
    ...asClient,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--bind-address=127.0.0.1',
    '--leader-elect=false',
  ]
  const certificates = (name: string) => `--cert-dir=${join(dir, 'certificates', name)}`
  const controllers = '--controllers=*,-nodeipam'
  await start('kube-controller-manager', [
    ...asServer,
    certificates('controllers'),
    controllers,
    `--service-account-private-key-file=${accountsKey}`,
  ])
  await start('kube-scheduler', [...asServer, certificates('scheduler')])
  await start('coredns', ['-conf', writeSettings(dir, 'Corefile', namesOf(kubeconfig))])
  await start('kubelet', [
    ...asClient,
    `--config=${writeSettings(dir, 'kubelet.json', kubelet(inside))}`,
    `--root-dir=${join(dir, 'kubelet')}`,
    certificates('kubelet'),
    `--hostname-override=${NODE}`,
    `--node-ip=${NODE_ADDRESS}`,
  ])
  await start('kube-proxy', [`--config=${writeSettings(dir, 'proxy.json', proxy(kubeconfig))}`])
  return waitForNode(api)
}

function kubelet({ dir, cgroup }: Inside): string {
  const resolver = writeSettings(dir, 'resolv.conf', `nameserver ${NODE_ADDRESS}\n`)
  mkdirSync(join(dir, 'pod-logs'))
  return JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: NODE_ADDRESS,
    healthzPort: 0,
    // Only the API server is in this network.
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    cgroupDriver: 'cgroupfs',
    cgroupRoot: cgroup,
    enforceNodeAllocatable: [],
    failCgroupV1: false,
    failSwapOn: false,
    containerRuntimeEndpoint: `unix://${containerdSocket(dir)}`,
    podLogsDir: join(dir, 'pod-logs'),
    volumePluginDir: join(dir, 'volume-plugins'),
    evictionHard: { 'memory.available': '100Mi' },
    imageGCHighThresholdPercent: 100,
    maxOpenFiles: 20_000,
    resolvConf: resolver,
    clusterDNS: [NODE_ADDRESS],
    clusterDomain: 'cluster.local',
  })
}

function proxy(kubeconfig: string): string {
  return JSON.stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'iptables',
    bindAddress: NODE_ADDRESS,
    healthzBindAddress: '127.0.0.1:10256',
    metricsBindAddress: '127.0.0.1:10249',
    clusterCIDR: '10.244.0.0/24',
    hostnameOverride: NODE,
    clientConnection: { kubeconfig },
    // They belong to the machine, not to this network.
    conntrack: { maxPerCore: 0, min: 0, tcpCloseWaitTimeout: '0s', tcpEstablishedTimeout: '0s' },
  })
}

function namesOf(kubeconfig: string): string {
  const lines = [
    `bind ${NODE_ADDRESS}`,
    'errors',
    `kubernetes cluster.local in-addr.arpa {\n    kubeconfig ${kubeconfig}\n  }`,
  ]
  return `.:53 {\n${[...lines, 'cache 5'].map((line) => `  ${line}\n`).join('')}}\n`
}

function writeSettings(dir: string, name: string, text: string): string {
  const file = join(dir, name)
  writeFileSync(file, text)
  return file
}

async function waitForNode({ kubectl }: ApiServer): Promise<string> {
  const until = Date.now() + READY_WITHIN_MS
  for (;;) {
    const { code, output } = await kubectl(['wait', '--for=condition=Ready', `node/${NODE}`, '--timeout=30s'])
    if (code === 0) break
    if (Date.now() > until) throw new Error(output)
    await sleep(POLL_INTERVAL_MS)
  }
  const { nodeInfo } = JSON.parse((await kubectl(['get', 'node', NODE, '--output=jsonpath={.status}'])).output) as {
    nodeInfo: Record<string, string>
  }
  return `kubelet ${nodeInfo['kubeletVersion']}, ${nodeInfo['containerRuntimeVersion']}, Linux ${nodeInfo['kernelVersion']}`
}
