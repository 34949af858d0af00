import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { REPOSITORY } from '../local/folders.ts'

/** Allowed connections: `name` or `name/role`; `port` only if it is not the default port of `to`. */
export type Edge = { from: string; to: string; port?: number; why: string }
export type Edges = {
  pods: Record<string, { port?: number; roles?: string[] }>
  servers: Record<string, { port: number }>
  edges: Edge[]
}

/** What is outside of the cluster's own pods, from the values of the Helm chart: address ranges, ports, namespaces. */
export type Network = {
  servers: { cidr: string; ports: Record<string, number | number[]> }
  privateRanges: string[]
  namespaces: Record<'ingress' | 'prometheus' | 'collector', string>
}

export const EDGES_FILE = 'docs/edges.yaml'
export const CHART_FOLDER = 'k8s/helm/tapeline'

export function readEdges(): Edges {
  return parse(readFileSync(join(REPOSITORY, EDGES_FILE), 'utf8')) as Edges
}

export function readNetwork(): Network {
  const values = readFileSync(join(REPOSITORY, CHART_FOLDER, 'values.yaml'), 'utf8')
  return (parse(values) as { network: Network }).network
}

export function portOf({ pods, servers }: Edges, { to, port }: Pick<Edge, 'to' | 'port'>): number {
  const [name = ''] = to.split('/')
  const found = port ?? pods[name]?.port ?? servers[name]?.port
  if (found === undefined) throw new Error(`${EDGES_FILE}: ${to} has no port`)
  return found
}
