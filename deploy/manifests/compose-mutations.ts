import type { Compose, ComposeService } from './compose.ts'

export type ComposeMutation = { what: string; noticed: string; change: (all: Compose) => void }

export const composeMutations: ComposeMutation[] = [
  {
    what: 'root user',
    noticed: 'no container runs as root',
    change: (all) => {
      serviceOf(all, 'redis-limits').user = '0:0'
    },
  },
  {
    what: 'the user of the image',
    noticed: 'no container runs as root',
    change: (all) => {
      delete serviceOf(all, 'postgres').user
    },
  },
  {
    what: 'an image that can be written',
    noticed: 'root file systems are read-only and no host files are mounted',
    change: (all) => {
      serviceOf(all, 'audit').read_only = false
    },
  },
  {
    what: 'capabilities kept',
    noticed: 'no container can gain privileges',
    change: (all) => {
      delete serviceOf(all, 'web').cap_drop
    },
  },
  {
    what: 'a capability added',
    noticed: 'no container can gain privileges',
    change: (all) => {
      serviceOf(all, 'web').cap_add = ['NET_BIND_SERVICE']
    },
  },
  {
    what: 'rights that can be gained',
    noticed: 'no container can gain privileges',
    change: (all) => {
      serviceOf(all, 'kafka').security_opt = []
    },
  },
  {
    what: 'a privileged container',
    noticed: 'no container can gain privileges',
    change: (all) => {
      serviceOf(all, 'k6').privileged = true
    },
  },
  {
    what: "the engine's socket",
    noticed: 'root file systems are read-only and no host files are mounted',
    change: (all) => {
      serviceOf(all, 'web').volumes = ['/var/run/docker.sock:/var/run/docker.sock']
    },
  },
  {
    what: 'no limit of memory',
    noticed: 'memory, CPU and processes are bounded',
    change: (all) => {
      delete serviceOf(all, 'kafka').deploy?.resources?.limits?.memory
    },
  },
  {
    what: 'no limit of processes',
    noticed: 'memory, CPU and processes are bounded',
    change: (all) => {
      delete serviceOf(all, 'gateway').deploy?.resources?.limits?.pids
    },
  },
  {
    what: 'more memory than the heap limit expects',
    noticed: 'the heap of a process is three quarters of its memory',
    change: (all) => {
      Object.assign(serviceOf(all, 'audit').deploy?.resources?.limits ?? {}, { memory: '1G' })
    },
  },
  {
    what: 'an open database',
    noticed: 'only the gateway and the web are published, on loopback by default',
    change: (all) => {
      serviceOf(all, 'postgres').ports = ['127.0.0.1:5432:5432']
    },
  },
  {
    what: 'a gateway for the whole network',
    noticed: 'only the gateway and the web are published, on loopback by default',
    change: (all) => {
      serviceOf(all, 'gateway').ports = ['3001:3001']
    },
  },
  {
    what: 'a data network that leads out',
    noticed: 'databases are on an internal network',
    change: (all) => {
      all.networks = { ...all.networks, data: {} }
    },
  },
  {
    what: 'a web that reaches data',
    noticed: 'databases are on an internal network',
    change: (all) => {
      serviceOf(all, 'web').networks = ['edge', 'data']
    },
  },
  {
    what: 'a server on the edge',
    noticed: 'databases are on an internal network',
    change: (all) => {
      serviceOf(all, 'redis-jobs').networks = ['data', 'edge']
    },
  },
  {
    what: 'a service that is not reachable',
    noticed: 'processes with an edge between them share a network',
    change: (all) => {
      serviceOf(all, 'audit').networks = ['elsewhere']
    },
  },
]

export function serviceOf({ services }: Compose, name: string): ComposeService {
  const found = services[name]
  if (found === undefined) throw new Error(`there is no service ${name}`)
  return found
}
