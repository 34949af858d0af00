import type { Compose, ComposeService } from './compose.ts'

export type ComposeMutation = { what: string; detectedBy: string; change: (all: Compose) => void }

export const composeMutations: ComposeMutation[] = [
  {
    what: 'market-data with the memory of the other services',
    detectedBy: 'market-data has more memory than was measured when it read records',
    change: (all) => {
      Object.assign(serviceOf(all, 'market-data'), { deploy: serviceOf(all, 'audit').deploy })
    },
  },
  {
    what: 'root user',
    detectedBy: 'no container runs as root',
    change: (all) => {
      serviceOf(all, 'redis-limits').user = '0:0'
    },
  },
  {
    what: 'a container without its own user',
    detectedBy: 'no container runs as root',
    change: (all) => {
      delete serviceOf(all, 'postgres').user
    },
  },
  {
    what: 'a writable root file system',
    detectedBy: 'root file systems are read-only and no host files are mounted',
    change: (all) => {
      serviceOf(all, 'audit').read_only = false
    },
  },
  {
    what: 'capabilities not dropped',
    detectedBy: 'no container can gain privileges',
    change: (all) => {
      delete serviceOf(all, 'web').cap_drop
    },
  },
  {
    what: 'a capability added',
    detectedBy: 'no container can gain privileges',
    change: (all) => {
      serviceOf(all, 'web').cap_add = ['NET_BIND_SERVICE']
    },
  },
  {
    what: 'privilege escalation allowed',
    detectedBy: 'no container can gain privileges',
    change: (all) => {
      serviceOf(all, 'kafka').security_opt = []
    },
  },
  {
    what: 'a privileged container',
    detectedBy: 'no container can gain privileges',
    change: (all) => {
      serviceOf(all, 'k6').privileged = true
    },
  },
  {
    what: "the engine's socket",
    detectedBy: 'root file systems are read-only and no host files are mounted',
    change: (all) => {
      serviceOf(all, 'web').volumes = ['/var/run/docker.sock:/var/run/docker.sock']
    },
  },
  {
    what: 'no memory limit',
    detectedBy: 'memory, CPU and processes are bounded',
    change: (all) => {
      delete serviceOf(all, 'kafka').deploy?.resources?.limits?.memory
    },
  },
  {
    what: 'no process limit',
    detectedBy: 'memory, CPU and processes are bounded',
    change: (all) => {
      delete serviceOf(all, 'gateway').deploy?.resources?.limits?.pids
    },
  },
  {
    what: 'a heap that is less than its share of the memory',
    detectedBy: 'the heap of a process is three quarters of its memory',
    change: (all) => {
      Object.assign(serviceOf(all, 'audit').deploy?.resources?.limits ?? {}, { memory: '1G' })
    },
  },
  {
    what: 'a published database port',
    detectedBy: 'only the gateway and the web are published, on loopback by default',
    change: (all) => {
      serviceOf(all, 'postgres').ports = ['127.0.0.1:5432:5432']
    },
  },
  {
    what: 'a gateway published on all interfaces',
    detectedBy: 'only the gateway and the web are published, on loopback by default',
    change: (all) => {
      serviceOf(all, 'gateway').ports = ['3001:3001']
    },
  },
  {
    what: 'a data network with external access',
    detectedBy: 'databases are on an internal network',
    change: (all) => {
      all.networks = { ...all.networks, data: {} }
    },
  },
  {
    what: 'the web server on the data network',
    detectedBy: 'databases are on an internal network',
    change: (all) => {
      serviceOf(all, 'web').networks = ['edge', 'data']
    },
  },
  {
    what: 'a database on the edge network',
    detectedBy: 'databases are on an internal network',
    change: (all) => {
      serviceOf(all, 'redis-jobs').networks = ['data', 'edge']
    },
  },
  {
    what: 'a service without a shared network',
    detectedBy: 'processes with an edge between them share a network',
    change: (all) => {
      serviceOf(all, 'config').networks = ['elsewhere']
    },
  },
  {
    what: 'webhooks without external access',
    detectedBy: 'processes with an edge between them share a network',
    change: (all) => {
      serviceOf(all, 'audit').networks = ['data']
    },
  },
]

export function serviceOf({ services }: Compose, name: string): ComposeService {
  const found = services[name]
  if (found === undefined) throw new Error(`there is no service ${name}`)
  return found
}
