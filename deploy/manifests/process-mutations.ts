import { find, mainOf, type Mutation, specOf } from './mutations.ts'

export const processMutations: Mutation[] = [
  {
    what: 'root user',
    noticed: 'nobody is root, and our processes have an id that no machine gives to a person',
    change: (all) => {
      specOf(all, 'Deployment', 'audit').securityContext = { runAsNonRoot: false, runAsUser: 0 }
    },
  },
  {
    what: 'an id that a person has',
    noticed: 'nobody is root, and our processes have an id that no machine gives to a person',
    change: (all) => {
      Object.assign(specOf(all, 'Deployment', 'web').securityContext ?? {}, { runAsUser: 1000 })
    },
  },
  {
    what: 'a container that runs as root all the same',
    noticed: 'nobody is root, and our processes have an id that no machine gives to a person',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'web').securityContext ?? {}, { runAsUser: 0 })
    },
  },
  {
    what: 'escalation allowed',
    noticed: 'nothing gains rights: no escalation, no capability, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'StatefulSet', 'gateway').securityContext ?? {}, { allowPrivilegeEscalation: true })
    },
  },
  {
    what: 'a capability added',
    noticed: 'nothing gains rights: no escalation, no capability, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'identity').securityContext?.capabilities ?? {}, { add: ['NET_ADMIN'] })
    },
  },
  {
    what: 'capabilities kept',
    noticed: 'nothing gains rights: no escalation, no capability, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'identity').securityContext ?? {}, { capabilities: {} })
    },
  },
  {
    what: 'no seccomp profile',
    noticed: 'nothing gains rights: no escalation, no capability, the default seccomp profile',
    change: (all) => {
      delete specOf(all, 'CronJob', 'backup').securityContext?.seccompProfile
    },
  },
  {
    what: 'privileged',
    noticed: 'nothing gains rights: no escalation, no capability, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'config').securityContext ?? {}, { privileged: true })
    },
  },
  {
    what: 'a root file system that can be written',
    noticed: 'nothing writes to its own image',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'api-key').securityContext ?? {}, { readOnlyRootFilesystem: false })
    },
  },
  {
    what: 'the network of the node',
    noticed: 'nothing touches its node: no network, process or folder of it',
    change: (all) => {
      specOf(all, 'Deployment', 'web').hostNetwork = true
    },
  },
  {
    what: 'a folder of the node',
    noticed: 'nothing touches its node: no network, process or folder of it',
    change: (all) => {
      specOf(all, 'Deployment', 'web').volumes?.push({ name: 'docker', hostPath: { path: '/var/run' } })
    },
  },
  {
    what: 'a port of the node',
    noticed: 'nothing touches its node: no network, process or folder of it',
    change: (all) => {
      for (const port of mainOf(all, 'StatefulSet', 'gateway').ports ?? []) port.hostPort = 3001
    },
  },
  {
    what: 'a token in a pod',
    noticed: 'no pod can speak to the API server, and each has an account of its own',
    change: (all) => {
      specOf(all, 'Deployment', 'market-data').automountServiceAccountToken = true
    },
  },
  {
    what: 'the account of the namespace',
    noticed: 'no pod can speak to the API server, and each has an account of its own',
    change: (all) => {
      specOf(all, 'Deployment', 'market-data').serviceAccountName = 'default'
    },
  },
  {
    what: 'an account with a token',
    noticed: 'no pod can speak to the API server, and each has an account of its own',
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
    noticed: 'memory is promised as it is bounded, CPU is promised and not bounded',
    change: (all) => {
      delete mainOf(all, 'Deployment', 'audit').resources?.limits?.['memory']
    },
  },
  {
    what: 'less memory promised than allowed',
    noticed: 'memory is promised as it is bounded, CPU is promised and not bounded',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'audit').resources?.requests ?? {}, { memory: '64Mi' })
    },
  },
  {
    what: 'CPU that is cut',
    noticed: 'memory is promised as it is bounded, CPU is promised and not bounded',
    change: (all) => {
      Object.assign(mainOf(all, 'StatefulSet', 'gateway').resources?.limits ?? {}, { cpu: '1' })
    },
  },
  {
    what: 'a folder that may fill the node',
    noticed: 'what is written to a node is bounded',
    change: (all) => {
      Object.assign(specOf(all, 'Deployment', 'audit').volumes?.find(({ name }) => name === 'tmp') ?? {}, {
        emptyDir: {},
      })
    },
  },
  {
    what: 'a heap as large as the memory',
    noticed: 'the heap of a process that stays is three quarters of its memory',
    change: (all) => {
      mainOf(all, 'Deployment', 'audit').command = ['node', '--max-old-space-size=384', 'services/audit/src/main.ts']
    },
  },
  {
    what: 'a journal beside its volume',
    noticed: "the gateway's journal outlives its pod, and has room",
    change: (all) => {
      Object.assign(mainOf(all, 'StatefulSet', 'gateway').env?.find(({ name }) => name === 'JOURNAL_DIR') ?? {}, {
        value: '/tmp/journal',
      })
    },
  },
  {
    what: 'a journal that goes when gateways get fewer',
    noticed: "the gateway's journal outlives its pod, and has room",
    change: (all) => {
      find(all, 'StatefulSet', 'gateway').spec.persistentVolumeClaimRetentionPolicy = {
        whenDeleted: 'Retain',
        whenScaled: 'Delete',
      }
    },
  },
  {
    what: 'a probe removed',
    noticed: 'what stays is asked whether it started, is ready and lives, each by a probe of its own',
    change: (all) => {
      delete mainOf(all, 'Deployment', 'identity-consumer').readinessProbe
    },
  },
  {
    what: 'readiness asked at the wrong place',
    noticed: 'what stays is asked whether it started, is ready and lives, each by a probe of its own',
    change: (all) => {
      mainOf(all, 'Deployment', 'identity').readinessProbe = { httpGet: { path: '/livez', port: 'http' } }
    },
  },
  {
    what: 'liveness that needs the database',
    noticed: 'nobody is killed because something else is away: no liveness probe asks for readiness',
    change: (all) => {
      mainOf(all, 'Deployment', 'identity').livenessProbe = { httpGet: { path: '/readyz', port: 'http' } }
    },
  },
  {
    what: 'too little grace',
    noticed: 'whoever leaves has the time for it: pause, lame duck, drain and the rest fit into the grace',
    change: (all) => {
      specOf(all, 'StatefulSet', 'gateway').terminationGracePeriodSeconds = 20
    },
  },
  {
    what: 'a drain longer than the grace',
    noticed: 'whoever leaves has the time for it: pause, lame duck, drain and the rest fit into the grace',
    change: (all) => {
      Object.assign(find(all, 'ConfigMap', 'settings').data ?? {}, { DRAIN_TIMEOUT_MS: '60000' })
    },
  },
  {
    what: 'no pause before the end',
    noticed: 'balancers know before connections close: two failed probes fit into pause and lame duck',
    change: (all) => {
      delete mainOf(all, 'StatefulSet', 'gateway').lifecycle
    },
  },
  {
    what: 'slow probes',
    noticed: 'balancers know before connections close: two failed probes fit into pause and lame duck',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'audit').readinessProbe ?? {}, { periodSeconds: 30 })
    },
  },
  {
    what: 'a rollout that takes away first',
    noticed: 'a rollout takes nothing away before the new one has been ready for a while',
    change: (all) => {
      find(all, 'Deployment', 'audit').spec.strategy = { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } }
    },
  },
]
