import { find, mainOf, type Mutation, specOf } from './mutations.ts'

export const processMutations: Mutation[] = [
  {
    what: 'root user',
    noticed: 'no container runs as root; our processes use an id outside the range of human users',
    change: (all) => {
      specOf(all, 'Deployment', 'audit').securityContext = { runAsNonRoot: false, runAsUser: 0 }
    },
  },
  {
    what: 'an id that a person has',
    noticed: 'no container runs as root; our processes use an id outside the range of human users',
    change: (all) => {
      Object.assign(specOf(all, 'Deployment', 'web').securityContext ?? {}, { runAsUser: 1000 })
    },
  },
  {
    what: 'a container that runs as root all the same',
    noticed: 'no container runs as root; our processes use an id outside the range of human users',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'web').securityContext ?? {}, { runAsUser: 0 })
    },
  },
  {
    what: 'escalation allowed',
    noticed: 'no privilege escalation: no capabilities, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'StatefulSet', 'gateway').securityContext ?? {}, { allowPrivilegeEscalation: true })
    },
  },
  {
    what: 'a capability added',
    noticed: 'no privilege escalation: no capabilities, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'identity').securityContext?.capabilities ?? {}, { add: ['NET_ADMIN'] })
    },
  },
  {
    what: 'capabilities kept',
    noticed: 'no privilege escalation: no capabilities, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'identity').securityContext ?? {}, { capabilities: {} })
    },
  },
  {
    what: 'no seccomp profile',
    noticed: 'no privilege escalation: no capabilities, the default seccomp profile',
    change: (all) => {
      delete specOf(all, 'CronJob', 'backup').securityContext?.seccompProfile
    },
  },
  {
    what: 'privileged',
    noticed: 'no privilege escalation: no capabilities, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'config').securityContext ?? {}, { privileged: true })
    },
  },
  {
    what: 'a root file system that can be written',
    noticed: 'root file systems are read-only',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'api-key').securityContext ?? {}, { readOnlyRootFilesystem: false })
    },
  },
  {
    what: 'the network of the node',
    noticed: 'no pod uses the network, processes or folders of its node',
    change: (all) => {
      specOf(all, 'Deployment', 'web').hostNetwork = true
    },
  },
  {
    what: 'a folder of the node',
    noticed: 'no pod uses the network, processes or folders of its node',
    change: (all) => {
      specOf(all, 'Deployment', 'web').volumes?.push({ name: 'docker', hostPath: { path: '/var/run' } })
    },
  },
  {
    what: 'a port of the node',
    noticed: 'no pod uses the network, processes or folders of its node',
    change: (all) => {
      for (const port of mainOf(all, 'StatefulSet', 'gateway').ports ?? []) port.hostPort = 3001
    },
  },
  {
    what: 'a token in a pod',
    noticed: 'no pod can access the API server, and each has its own service account',
    change: (all) => {
      specOf(all, 'Deployment', 'market-data').automountServiceAccountToken = true
    },
  },
  {
    what: 'the account of the namespace',
    noticed: 'no pod can access the API server, and each has its own service account',
    change: (all) => {
      specOf(all, 'Deployment', 'market-data').serviceAccountName = 'default'
    },
  },
  {
    what: 'an account with a token',
    noticed: 'no pod can access the API server, and each has its own service account',
    change: (all) => {
      find(all, 'ServiceAccount', 'gateway').automountServiceAccountToken = true
    },
  },
  {
    what: 'the image of today',
    noticed: 'images name a release: a version or a digest, never latest',
    change: (all) => {
      mainOf(all, 'Deployment', 'web').image = 'tapeline/web:latest'
    },
  },
  {
    what: 'an image without a version',
    noticed: 'images name a release: a version or a digest, never latest',
    change: (all) => {
      mainOf(all, 'Deployment', 'web').image = 'registry.example:5000/tapeline/web'
    },
  },
  {
    what: 'a namespace that only warns',
    noticed: 'the namespace admits only restricted pods, by rules of a named version',
    change: (all) => {
      Object.assign(find(all, 'Namespace', 'tapeline').metadata.labels ?? {}, {
        'pod-security.kubernetes.io/enforce': 'baseline',
      })
    },
  },
  {
    what: 'no limit of memory',
    noticed: 'memory requests equal limits; CPU has requests and no limits',
    change: (all) => {
      delete mainOf(all, 'Deployment', 'audit').resources?.limits?.['memory']
    },
  },
  {
    what: 'less memory promised than allowed',
    noticed: 'memory requests equal limits; CPU has requests and no limits',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'audit').resources?.requests ?? {}, { memory: '64Mi' })
    },
  },
  {
    what: 'CPU that is cut',
    noticed: 'memory requests equal limits; CPU has requests and no limits',
    change: (all) => {
      Object.assign(mainOf(all, 'StatefulSet', 'gateway').resources?.limits ?? {}, { cpu: '1' })
    },
  },
  {
    what: 'a folder that may fill the node',
    noticed: 'storage used on a node is bounded',
    change: (all) => {
      Object.assign(specOf(all, 'Deployment', 'audit').volumes?.find(({ name }) => name === 'tmp') ?? {}, {
        emptyDir: {},
      })
    },
  },
  {
    what: 'a heap as large as the memory',
    noticed: 'the heap of a long-running process is three quarters of its memory',
    change: (all) => {
      mainOf(all, 'Deployment', 'audit').command = ['node', '--max-old-space-size=384', 'services/audit/src/main.ts']
    },
  },
  {
    what: 'a journal beside its volume',
    noticed: "the gateway's journal survives its pod, and its volume is large enough",
    change: (all) => {
      Object.assign(mainOf(all, 'StatefulSet', 'gateway').env?.find(({ name }) => name === 'JOURNAL_DIR') ?? {}, {
        value: '/tmp/journal',
      })
    },
  },
  {
    what: 'a journal that goes when gateways get fewer',
    noticed: "the gateway's journal survives its pod, and its volume is large enough",
    change: (all) => {
      find(all, 'StatefulSet', 'gateway').spec.persistentVolumeClaimRetentionPolicy = {
        whenDeleted: 'Retain',
        whenScaled: 'Delete',
      }
    },
  },
  {
    what: 'a probe removed',
    noticed: 'long-running containers have separate startup, readiness and liveness probes',
    change: (all) => {
      delete mainOf(all, 'Deployment', 'identity-consumer').readinessProbe
    },
  },
  {
    what: 'a readiness probe with the wrong path',
    noticed: 'long-running containers have separate startup, readiness and liveness probes',
    change: (all) => {
      mainOf(all, 'Deployment', 'identity').readinessProbe = { httpGet: { path: '/livez', port: 'http' } }
    },
  },
  {
    what: 'liveness that needs the database',
    noticed: 'no container is killed because a dependency is unavailable: liveness probes do not check readiness',
    change: (all) => {
      mainOf(all, 'Deployment', 'identity').livenessProbe = { httpGet: { path: '/readyz', port: 'http' } }
    },
  },
  {
    what: 'too little grace',
    noticed: 'a graceful shutdown has enough time: pause, lame duck, drain and the rest fit into the grace period',
    change: (all) => {
      specOf(all, 'StatefulSet', 'gateway').terminationGracePeriodSeconds = 20
    },
  },
  {
    what: 'a drain longer than the grace',
    noticed: 'a graceful shutdown has enough time: pause, lame duck, drain and the rest fit into the grace period',
    change: (all) => {
      Object.assign(find(all, 'ConfigMap', 'settings').data ?? {}, { DRAIN_TIMEOUT_MS: '60000' })
    },
  },
  {
    what: 'no pause before the end',
    noticed:
      'load balancers stop sending requests before connections close: two failed probes fit into pause and lame duck',
    change: (all) => {
      delete mainOf(all, 'StatefulSet', 'gateway').lifecycle
    },
  },
  {
    what: 'slow probes',
    noticed:
      'load balancers stop sending requests before connections close: two failed probes fit into pause and lame duck',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'audit').readinessProbe ?? {}, { periodSeconds: 30 })
    },
  },
  {
    what: 'a rollout that takes away first',
    noticed: 'a rollout removes a pod only after its replacement has been ready for some time',
    change: (all) => {
      find(all, 'Deployment', 'audit').spec.strategy = { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } }
    },
  },
]
