import { EDGES_FILE, portOf, readEdges } from '../edges.ts'
import type { Manifest, NetworkPolicy, Peer } from '../objects.ts'
import { networkPolicies } from '../network-policies.ts'
import { INTERNAL_PAIRS } from '../../local/secrets.ts'
import { appOf, podsOf, roleOf, selects, type Pod } from '../pods.ts'
import { ofKind } from '../read-rendered.ts'
import type { Checks } from './check.ts'

export const network: Checks = {
  'traffic is denied unless a policy allows it, in both directions': (manifests) =>
    ofKind(manifests, 'NetworkPolicy').some(
      ({ spec: { podSelector, policyTypes, ingress, egress } }) =>
        Object.keys(podSelector).length === 0 &&
        policyTypes.includes('Ingress') &&
        policyTypes.includes('Egress') &&
        ingress === undefined &&
        egress === undefined,
    )
      ? []
      : ['there is no policy that denies everything'],

  'network policies allow exactly the listed edges': (manifests) => {
    const listed = listedPairs(manifests)
    const found = foundPairs(manifests)
    return [
      ...[...found].filter((pair) => !listed.has(pair)).map((pair) => `${pair} is allowed, and not in ${EDGES_FILE}`),
      ...[...listed].filter((pair) => !found.has(pair)).map((pair) => `${pair} is in ${EDGES_FILE}, and not allowed`),
    ]
  },

  'what leaves the cluster goes to public addresses or to the managed servers': (manifests) => {
    const managed = ofKind(manifests, 'Secret').length === 0 ? networkPolicies(readEdges(), 'production') : []
    const expected = new Set([...managed, ...networkPolicies(readEdges(), 'base')].flatMap(blocksOf))
    return ofKind(manifests, 'NetworkPolicy').flatMap((policy) =>
      blocksOf(policy)
        .filter((block) => !expected.has(block))
        .map((block) => `NetworkPolicy/${policy.metadata.name}: ${block}`),
    )
  },

  'a service calls another only by a key that the two share': () =>
    readEdges()
      .edges.map(({ from, to }) => [from.split('/')[0] ?? '', to.split('/')[0] ?? ''] as const)
      .filter(([from, to]) => isProcess(from) && isProcess(to) && to !== 'gateway')
      .filter(([from, to]) => !(INTERNAL_PAIRS as readonly string[]).includes(`${from}>${to}`))
      .map(([from, to]) => `${EDGES_FILE}: ${from} has no key to call ${to}`),
}

function isProcess(name: string): boolean {
  return readEdges().pods[name]?.port !== undefined && name !== 'web'
}

function blocksOf({ spec }: NetworkPolicy): string[] {
  return (spec.egress ?? []).flatMap(({ to = [], ports = [] }) =>
    to.flatMap(({ ipBlock }) =>
      ipBlock === undefined
        ? []
        : ports.map(({ port }) => `${ipBlock.cidr} except ${ipBlock.except?.join(' ')} :${port}`),
    ),
  )
}

/** Every edge between existing pods, listed for each role. */
function listedPairs(manifests: readonly Manifest[]): Set<string> {
  const all = readEdges()
  const edges = [...all.edges, { from: 'identity/jobs', to: 'mail', port: 3025, why: 'mail' }]
  return new Set(
    edges.flatMap((edge) =>
      podsNamed(manifests, edge.from).flatMap((from) =>
        podsNamed(manifests, edge.to).map((to) => `${spoken(from)} → ${spoken(to)}:${portOf(all, edge)}`),
      ),
    ),
  )
}

/** Every pair of pods and port that the policies of both ends allow. */
function foundPairs(manifests: readonly Manifest[]): Set<string> {
  const policies = ofKind(manifests, 'NetworkPolicy')
  const pods = podsOf(manifests)
  const pairs = pods.flatMap((from) =>
    pods.flatMap((to) =>
      portsOf(manifests, to)
        .filter((port) => isLetOut(policies, from, to, port) && isLetIn(policies, from, to, port))
        .map((port) => `${spoken(from)} → ${spoken(to)}:${port}`),
    ),
  )
  return new Set(pairs)
}

function isLetOut(policies: NetworkPolicy[], from: Pod, to: Pod, port: number): boolean {
  const own = policies.filter(
    ({ spec }) => spec.policyTypes.includes('Egress') && selects(spec.podSelector, from.labels),
  )
  const rules = own.flatMap(({ spec }) => spec.egress ?? [])
  return own.length === 0 || rules.some((rule) => allows(rule.to, rule.ports, to, port))
}

function isLetIn(policies: NetworkPolicy[], from: Pod, to: Pod, port: number): boolean {
  const own = policies.filter(
    ({ spec }) => spec.policyTypes.includes('Ingress') && selects(spec.podSelector, to.labels),
  )
  const rules = own.flatMap(({ spec }) => spec.ingress ?? [])
  return own.length === 0 || rules.some((rule) => allows(rule.from, rule.ports, from, port))
}

/** A rule without peers, or without ports, means all of them. */
function allows(peers: Peer[] | undefined, ports: { port: number }[] | undefined, pod: Pod, port: number): boolean {
  const isPeer = ({ podSelector, namespaceSelector, ipBlock }: Peer) =>
    ipBlock === undefined &&
    namespaceSelector === undefined &&
    podSelector !== undefined &&
    selects(podSelector, pod.labels)
  return (peers === undefined || peers.some(isPeer)) && (ports === undefined || ports.some((one) => one.port === port))
}

function portsOf(manifests: readonly Manifest[], { containers }: Pod): number[] {
  const opened = containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort))
  return [...new Set(opened)].filter(() => manifests.length > 0)
}

function podsNamed(manifests: readonly Manifest[], name: string): Pod[] {
  const [app, role] = name.split('/')
  return podsOf(manifests).filter(
    ({ labels }) => appOf(labels) === app && (role === undefined || roleOf(labels) === role),
  )
}

function spoken({ labels }: Pod): string {
  return [appOf(labels), roleOf(labels)].filter((part) => part !== '').join('/')
}
