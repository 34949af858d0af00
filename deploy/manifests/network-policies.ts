import { type Edge, type Edges, portOf, readNetwork } from './edges.ts'
import type { Labels, NetworkPolicy, Peer, PolicyRule } from './objects.ts'

/**
 * base: connections between the platform's pods and to the outside; local: servers in the cluster; production: external
 * servers.
 */
export type Place = 'base' | 'local' | 'production'

const APP = 'app.kubernetes.io/name'
const ROLE = 'app.kubernetes.io/component'
const NAMESPACE = 'kubernetes.io/metadata.name'
const DNS_PORT = 53
/** Of cert-manager's solver pods. */
const SOLVER_PORT = 8089
const MAIL: Edge = { from: 'identity/jobs', to: 'mail', port: 3025, why: 'mail' }
const NETWORK = readNetwork()
const inNamespace = (name: string): Peer => ({ namespaceSelector: { matchLabels: { [NAMESPACE]: name } } })
const OUTSIDE: Record<string, Peer> = {
  ingress: inNamespace(NETWORK.namespaces.ingress),
  prometheus: inNamespace(NETWORK.namespaces.prometheus),
  collector: inNamespace(NETWORK.namespaces.collector),
  internet: { ipBlock: { cidr: '0.0.0.0/0', except: NETWORK.privateRanges } },
}

export function labelsOf(name: string): Labels {
  const [app = '', role] = name.split('/')
  return role === undefined ? { [APP]: app } : { [APP]: app, [ROLE]: role }
}

/** Allows only the listed connections: one egress and one ingress policy per pod. */
export function networkPolicies(all: Edges, place: Place): NetworkPolicy[] {
  const edges = edgesOf(all, place)
  const between = place === 'production' ? [] : groupBy(edges, 'to')
  return [
    ...(place === 'base' ? [denyAll(), allowDns()] : []),
    ...(place === 'production' ? [allowCertificateChecks()] : []),
    ...groupBy(edges, 'from').map(([name, out]) =>
      policy(name, place === 'base' ? 'out' : 'to-servers', {
        egress: out.map((edge) => ({ to: [peerOf(edge.to, place)], ports: portsIn(all, edge, place).map(tcp) })),
      }),
    ),
    ...between.map(([name, into]) =>
      policy(name, 'in', {
        ingress: into.map((edge) => ({ from: [peerOf(edge.from, place)], ports: portsIn(all, edge, place).map(tcp) })),
      }),
    ),
  ]
}

function edgesOf({ edges, servers }: Edges, place: Place): Edge[] {
  if (place === 'base') return edges.filter(({ to }) => servers[to] === undefined)
  const toServers = edges.filter(({ to }) => servers[to] !== undefined)
  return place === 'local' ? [...toServers, MAIL] : toServers
}

/** External peers have no policy of this platform. */
function groupBy(edges: Edge[], end: 'from' | 'to'): [string, Edge[]][] {
  return [...Map.groupBy(edges, (edge) => edge[end])].filter(([name]) => OUTSIDE[name] === undefined)
}

function peerOf(name: string, place: Place): Peer {
  if (OUTSIDE[name] !== undefined) return OUTSIDE[name]
  return place === 'production'
    ? { ipBlock: { cidr: NETWORK.servers.cidr } }
    : { podSelector: { matchLabels: labelsOf(name) } }
}

/** Several only for external servers, such as Redis and its Sentinels. */
function portsIn(all: Edges, edge: Edge, place: Place): number[] {
  const ports = place === 'production' ? NETWORK.servers.ports[edge.to] : undefined
  return [ports ?? portOf(all, edge)].flat()
}

function policy(
  name: string,
  suffix: string,
  { egress, ingress }: { egress?: PolicyRule[]; ingress?: PolicyRule[] },
): NetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `${name.replace('/', '-')}-${suffix}` },
    spec: {
      podSelector: { matchLabels: labelsOf(name) },
      policyTypes: egress === undefined ? ['Ingress'] : ['Egress'],
      ...(egress === undefined ? {} : { egress }),
      ...(ingress === undefined ? {} : { ingress }),
    },
  }
}

function denyAll(): NetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'deny-all' },
    spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
  }
}

function allowDns(): NetworkPolicy {
  const names: Peer = {
    namespaceSelector: { matchLabels: { [NAMESPACE]: 'kube-system' } },
    podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
  }
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'ask-names' },
    spec: {
      podSelector: {},
      policyTypes: ['Egress'],
      egress: [{ to: [names], ports: [{ protocol: 'UDP', port: DNS_PORT }, tcp(DNS_PORT)] }],
    },
  }
}

/** HTTP-01: the ingress forwards the authority's check to a temporary pod of cert-manager in this namespace. */
function allowCertificateChecks(): NetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'certificate-checks' },
    spec: {
      podSelector: { matchLabels: { 'acme.cert-manager.io/http01-solver': 'true' } },
      policyTypes: ['Ingress'],
      ingress: [{ from: [inNamespace(NETWORK.namespaces.ingress)], ports: [tcp(SOLVER_PORT)] }],
    },
  }
}

function tcp(port: number): { protocol: string; port: number } {
  return { protocol: 'TCP', port }
}
