import { find, mainOf, type Mutation, specOf } from './mutations.ts'

export const processMutations: Mutation[] = [
  {
    what: 'root user',
    detectedBy: 'no container runs as root; our processes use an id outside the range of human users',
    change: (all) => {
      specOf(all, 'Deployment', 'audit').securityContext = { runAsNonRoot: false, runAsUser: 0 }
    },
  },
  {
    what: 'a user id of a human user',
    detectedBy: 'no container runs as root; our processes use an id outside the range of human users',
    change: (all) => {
      Object.assign(specOf(all, 'Deployment', 'web').securityContext ?? {}, { runAsUser: 1000 })
    },
  },
  {
    what: 'a container with user id 0',
    detectedBy: 'no container runs as root; our processes use an id outside the range of human users',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'web').securityContext ?? {}, { runAsUser: 0 })
    },
  },
  {
    what: 'escalation allowed',
    detectedBy: 'no privilege escalation: no capabilities, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'StatefulSet', 'gateway').securityContext ?? {}, { allowPrivilegeEscalation: true })
    },
  },
  {
    what: 'a capability added',
    detectedBy: 'no privilege escalation: no capabilities, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'identity').securityContext?.capabilities ?? {}, { add: ['NET_ADMIN'] })
    },
  },
  {
    what: 'capabilities not dropped',
    detectedBy: 'no privilege escalation: no capabilities, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'identity').securityContext ?? {}, { capabilities: {} })
    },
  },
  {
    what: 'no seccomp profile',
    detectedBy: 'no privilege escalation: no capabilities, the default seccomp profile',
    change: (all) => {
      delete specOf(all, 'CronJob', 'backup').securityContext?.seccompProfile
    },
  },
  {
    what: 'privileged',
    detectedBy: 'no privilege escalation: no capabilities, the default seccomp profile',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'config').securityContext ?? {}, { privileged: true })
    },
  },
  {
    what: 'a writable root file system',
    detectedBy: 'root file systems are read-only',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'api-key').securityContext ?? {}, { readOnlyRootFilesystem: false })
    },
  },
  {
    what: 'the network namespace of the node',
    detectedBy: 'no pod uses the network, processes or folders of its node',
    change: (all) => {
      specOf(all, 'Deployment', 'web').hostNetwork = true
    },
  },
  {
    what: 'a host path volume',
    detectedBy: 'no pod uses the network, processes or folders of its node',
    change: (all) => {
      specOf(all, 'Deployment', 'web').volumes?.push({ name: 'docker', hostPath: { path: '/var/run' } })
    },
  },
  {
    what: 'a host port',
    detectedBy: 'no pod uses the network, processes or folders of its node',
    change: (all) => {
      for (const port of mainOf(all, 'StatefulSet', 'gateway').ports ?? []) port.hostPort = 3001
    },
  },
  {
    what: 'a service account token in a pod',
    detectedBy: 'no pod can access the API server, and each has its own service account',
    change: (all) => {
      specOf(all, 'Deployment', 'market-data').automountServiceAccountToken = true
    },
  },
  {
    what: 'the default service account',
    detectedBy: 'no pod can access the API server, and each has its own service account',
    change: (all) => {
      specOf(all, 'Deployment', 'market-data').serviceAccountName = 'default'
    },
  },
  {
    what: 'a service account that mounts its token',
    detectedBy: 'no pod can access the API server, and each has its own service account',
    change: (all) => {
      find(all, 'ServiceAccount', 'gateway').automountServiceAccountToken = true
    },
  },
  {
    what: 'an image tagged latest',
    detectedBy: 'images name a release: a version or a digest, never latest',
    change: (all) => {
      mainOf(all, 'Deployment', 'web').image = 'tapeline/web:latest'
    },
  },
  {
    what: 'an image without a version',
    detectedBy: 'images name a release: a version or a digest, never latest',
    change: (all) => {
      mainOf(all, 'Deployment', 'web').image = 'registry.example:5000/tapeline/web'
    },
  },
  {
    what: 'a namespace that only warns about unrestricted pods',
    detectedBy: 'the namespace admits only restricted pods, by rules of a named version',
    change: (all) => {
      Object.assign(find(all, 'Namespace', 'tapeline').metadata.labels ?? {}, {
        'pod-security.kubernetes.io/enforce': 'baseline',
      })
    },
  },
  {
    what: 'no memory limit',
    detectedBy: 'memory requests equal limits; CPU has requests and no limits',
    change: (all) => {
      delete mainOf(all, 'Deployment', 'audit').resources?.limits?.['memory']
    },
  },
  {
    what: 'a memory request below the limit',
    detectedBy: 'memory requests equal limits; CPU has requests and no limits',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'audit').resources?.requests ?? {}, { memory: '64Mi' })
    },
  },
  {
    what: 'a CPU limit',
    detectedBy: 'memory requests equal limits; CPU has requests and no limits',
    change: (all) => {
      Object.assign(mainOf(all, 'StatefulSet', 'gateway').resources?.limits ?? {}, { cpu: '1' })
    },
  },
  {
    what: 'a temporary volume without a size limit',
    detectedBy: 'storage used on a node is bounded',
    change: (all) => {
      Object.assign(specOf(all, 'Deployment', 'audit').volumes?.find(({ name }) => name === 'tmp') ?? {}, {
        emptyDir: {},
      })
    },
  },
  {
    what: 'a heap as large as the memory limit',
    detectedBy: 'the heap of a long-running process is three quarters of its memory',
    change: (all) => {
      mainOf(all, 'Deployment', 'audit').command = ['node', '--max-old-space-size=384', 'services/audit/src/main.ts']
    },
  },
  {
    what: 'a journal folder outside of its volume',
    detectedBy: "the gateway's journal survives its pod, and its volume is large enough",
    change: (all) => {
      Object.assign(mainOf(all, 'StatefulSet', 'gateway').env?.find(({ name }) => name === 'JOURNAL_DIR') ?? {}, {
        value: '/tmp/journal',
      })
    },
  },
  {
    what: 'a journal volume deleted on scale-down',
    detectedBy: "the gateway's journal survives its pod, and its volume is large enough",
    change: (all) => {
      find(all, 'StatefulSet', 'gateway').spec.persistentVolumeClaimRetentionPolicy = {
        whenDeleted: 'Retain',
        whenScaled: 'Delete',
      }
    },
  },
  {
    what: 'a probe removed',
    detectedBy: 'long-running containers have separate startup, readiness and liveness probes',
    change: (all) => {
      delete mainOf(all, 'Deployment', 'identity-consumer').readinessProbe
    },
  },
  {
    what: 'a readiness probe with the wrong path',
    detectedBy: 'long-running containers have separate startup, readiness and liveness probes',
    change: (all) => {
      mainOf(all, 'Deployment', 'identity').readinessProbe = { httpGet: { path: '/livez', port: 'http' } }
    },
  },
  {
    what: 'a liveness probe that checks the database',
    detectedBy: 'no container is killed because a dependency is unavailable: liveness probes do not check readiness',
    change: (all) => {
      mainOf(all, 'Deployment', 'identity').livenessProbe = { httpGet: { path: '/readyz', port: 'http' } }
    },
  },
  {
    what: 'a grace period that is too short',
    detectedBy: 'a graceful shutdown has enough time: pause, lame duck, drain and the rest fit into the grace period',
    change: (all) => {
      specOf(all, 'StatefulSet', 'gateway').terminationGracePeriodSeconds = 20
    },
  },
  {
    what: 'a drain longer than the grace period',
    detectedBy: 'a graceful shutdown has enough time: pause, lame duck, drain and the rest fit into the grace period',
    change: (all) => {
      Object.assign(find(all, 'ConfigMap', 'settings').data ?? {}, { DRAIN_TIMEOUT_MS: '60000' })
    },
  },
  {
    what: 'no pause before shutdown',
    detectedBy:
      'load balancers stop sending requests before connections close: two failed probes fit into pause and lame duck',
    change: (all) => {
      delete mainOf(all, 'StatefulSet', 'gateway').lifecycle
    },
  },
  {
    what: 'readiness probes that are too slow',
    detectedBy:
      'load balancers stop sending requests before connections close: two failed probes fit into pause and lame duck',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'audit').readinessProbe ?? {}, { periodSeconds: 30 })
    },
  },
  {
    what: 'a rollout that removes pods first',
    detectedBy: 'a rollout removes a pod only after its replacement has been ready for some time',
    change: (all) => {
      find(all, 'Deployment', 'audit').spec.strategy = { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } }
    },
  },
]
