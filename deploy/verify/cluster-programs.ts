import { StartProblem } from '../local/start-problem.ts'
import { findTool } from '../tools/find-tool.ts'

const API_PROGRAMS = ['etcd', 'kube-apiserver', 'kubectl'] as const
const NODE_PROGRAMS = [
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'coredns',
  'cni-bridge',
  'cni-loopback',
  'cni-host-local',
  'pause',
] as const
/** Programs present on a machine that runs containers. */
const MACHINE_PROGRAMS = ['containerd', 'ctr', 'runc', 'iptables', 'ip', 'unshare', 'mount', 'tar'] as const

export type ApiPrograms = Record<(typeof API_PROGRAMS)[number], string>
export type NodePrograms = Record<(typeof NODE_PROGRAMS)[number] | (typeof MACHINE_PROGRAMS)[number], string>

export function findApiPrograms(env: NodeJS.ProcessEnv = process.env): ApiPrograms {
  return findAll(API_PROGRAMS, 'Build them: npm run setup:tools -- api (it needs Go, and about 10 minutes).', env)
}

export function findNodePrograms(env: NodeJS.ProcessEnv = process.env): NodePrograms {
  return {
    ...findAll(NODE_PROGRAMS, 'Build them: npm run setup:tools -- cluster (it needs Go, and about 20 minutes).', env),
    ...findAll(MACHINE_PROGRAMS, "Install them: Debian's containerd, iptables, iproute2 and util-linux.", env),
  }
}

/** Returns all programs, or fails with one line that names the missing ones. */
function findAll<Name extends string>(
  names: readonly Name[],
  remedy: string,
  env: NodeJS.ProcessEnv,
): Record<Name, string> {
  const found = names.map((name) => [name, findTool(name, env)] as const)
  const missing = found.filter(([, program]) => program === undefined).map(([name]) => name)
  if (missing.length > 0) {
    throw new StartProblem(`${missing.join(', ')}: neither in .tapeline/tools nor on the PATH.`, remedy)
  }
  return Object.fromEntries(found) as Record<Name, string>
}
