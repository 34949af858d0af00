import type { Compose, ComposeService } from './compose.ts'

export type ComposeMutation = { what: string; noticed: string; change: (all: Compose) => void }

export const composeMutations: ComposeMutation[] = [
  {
    what: 'root user',
    noticed: 'nobody is root',
    change: (all) => {
      serviceOf(all, 'redis-limits').user = '0:0'
    },
  },
  {
    what: 'whoever the image says',
    noticed: 'nobody is root',
    change: (all) => {
      delete serviceOf(all, 'postgres').user
    },
  },
  {
    what: 'an image that can be written',
    noticed: 'nothing writes to its own image, or sees files of the machine',
    change: (all) => {
      serviceOf(all, 'audit').read_only = false
    },
  },
  {
    what: 'capabilities kept',
    noticed: 'nothing gains rights',
    change: (all) => {
      delete serviceOf(all, 'web').cap_drop
    },
  },
  {
    what: 'a capability added',
    noticed: 'nothing gains rights',
    change: (all) => {
      serviceOf(all, 'web').cap_add = ['NET_BIND_SERVICE']
    },
  },
  {
    what: 'rights that can be gained',
    noticed: 'nothing gains rights',
    change: (all) => {
      serviceOf(all, 'kafka').security_opt = []
    },
  },
  {
    what: 'a privileged container',
    noticed: 'nothing gains rights',
    change: (all) => {
      serviceOf(all, 'k6').privileged = true
    },
  },
  {
    what: "the engine's socket",
    noticed: 'nothing writes to its own image, or sees files of the machine',
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
    what: 'more memory than heap knows',
    noticed: 'the heap of a process is three quarters of its memory',
    change: (all) => {
      Object.assign(serviceOf(all, 'audit').deploy?.resources?.limits ?? {}, { memory: '1G' })
    },
  },
  {
    what: 'an open database',
    noticed: 'only the gateway and the web are published, on this machine unless told otherwise',
    change: (all) => {
      serviceOf(all, 'postgres').ports = ['127.0.0.1:5432:5432']
    },
  },
  {
    what: 'a gateway for the whole network',
    noticed: 'only the gateway and the web are published, on this machine unless told otherwise',
    change: (all) => {
      serviceOf(all, 'gateway').ports = ['3001:3001']
    },
  },
  {
    what: 'a data network that leads out',
    noticed: 'data lies on a network that leads nowhere else',
    change: (all) => {
      all.networks = { ...all.networks, data: {} }
    },
  },
  {
    what: 'a web that reaches data',
    noticed: 'data lies on a network that leads nowhere else',
    change: (all) => {
      serviceOf(all, 'web').networks = ['edge', 'data']
    },
  },
  {
    what: 'a server on the edge',
    noticed: 'data lies on a network that leads nowhere else',
    change: (all) => {
      serviceOf(all, 'redis-jobs').networks = ['data', 'edge']
    },
  },
  {
    what: 'a service that nobody reaches',
    noticed: 'whoever has an edge to somebody shares a network with them',
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
