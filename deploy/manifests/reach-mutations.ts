import { BY_SCHEMA, find, mainOf, type Mutation, specOf } from './mutations.ts'

export const reachMutations: Mutation[] = [
  {
    what: 'a timeout of the ingress for streams',
    detectedBy: 'the ingress does not end streams and downloads: calls have no timeout there',
    overlay: 'production',
    change: (all) => {
      for (const rule of find(all, 'HTTPRoute', 'tapeline').spec.rules) delete rule.timeouts
    },
  },
  {
    what: 'no default-deny policy',
    detectedBy: 'traffic is denied unless a policy allows it, in both directions',
    change: (all) => {
      find(all, 'NetworkPolicy', 'deny-all').spec.policyTypes = ['Ingress']
    },
  },
  {
    what: 'a policy for an unlisted edge',
    detectedBy: 'network policies allow exactly the listed edges',
    change: (all) => {
      find(all, 'NetworkPolicy', 'web-out').spec.egress?.push({})
      find(all, 'NetworkPolicy', 'identity-http-in').spec.ingress?.push({ from: [{ podSelector: {} }] })
    },
  },
  {
    what: 'an edge without a policy',
    detectedBy: 'network policies allow exactly the listed edges',
    change: (all) => {
      find(all, 'NetworkPolicy', 'audit-http-in').spec.ingress = []
    },
  },
  {
    what: 'a role with more access than its edges',
    detectedBy: 'network policies allow exactly the listed edges',
    overlay: 'local',
    change: (all) => {
      find(all, 'NetworkPolicy', 'identity-jobs-to-servers').spec.podSelector = {
        matchLabels: { 'app.kubernetes.io/name': 'identity' },
      }
      find(all, 'NetworkPolicy', 'redis-jobs-in').spec.ingress?.push({
        from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'identity' } } }],
      })
    },
  },
  {
    what: 'egress to private addresses',
    detectedBy: 'what leaves the cluster goes to public addresses or to the managed servers',
    change: (all) => {
      find(all, 'NetworkPolicy', 'identity-jobs-out').spec.egress?.push({
        to: [{ ipBlock: { cidr: '0.0.0.0/0' } }],
        ports: [{ protocol: 'TCP', port: 443 }],
      })
    },
  },
  {
    what: 'an object in another namespace',
    detectedBy: 'every object is in one namespace',
    change: (all) => {
      find(all, 'Service', 'audit').metadata.namespace = 'default'
    },
  },
  {
    what: 'an open port',
    detectedBy: 'no service exposes a port outside of the cluster',
    change: (all) => {
      find(all, 'Service', 'gateway').spec.type = 'NodePort'
    },
  },
  {
    what: 'metrics exposed to clients',
    detectedBy: 'from outside only the pages and the gateway are reached, by TLS, and never what operators read',
    overlay: 'production',
    change: (all) => {
      for (const rule of find(all, 'HTTPRoute', 'tapeline').spec.rules)
        rule.backendRefs = [{ name: 'gateway-pods', port: 3002 }]
    },
  },
  {
    what: 'an ingress without TLS',
    detectedBy: 'from outside only the pages and the gateway are reached, by TLS, and never what operators read',
    overlay: 'production',
    change: (all) => {
      for (const one of find(all, 'Gateway', 'tapeline').spec.listeners)
        Object.assign(one, { protocol: 'HTTP', name: 'plain' })
    },
  },
  {
    what: 'pages without TLS',
    detectedBy: 'plain HTTP is only redirected to HTTPS',
    overlay: 'production',
    change: (all) => {
      for (const rule of find(all, 'HTTPRoute', 'to-https').spec.rules)
        Object.assign(rule, { filters: [], backendRefs: [{ name: 'web', port: 80 }] })
    },
  },
  {
    what: 'Redis without a password',
    detectedBy: 'every server in the cluster requires a password',
    overlay: 'local',
    change: (all) => {
      mainOf(all, 'StatefulSet', 'redis-limits').args = ['redis-server']
    },
  },
  {
    what: 'PostgreSQL without password authentication',
    detectedBy: 'every server in the cluster requires a password',
    overlay: 'local',
    change: (all) => {
      Object.assign(mainOf(all, 'StatefulSet', 'postgres').env?.[1] ?? {}, { value: '--auth-host=trust' })
    },
  },
  {
    what: 'Kafka without passwords',
    detectedBy: 'every server in the cluster requires a password',
    overlay: 'local',
    change: (all) => {
      Object.assign(mainOf(all, 'StatefulSet', 'kafka').env?.find(({ name }) => name.endsWith('PROTOCOL_MAP')) ?? {}, {
        value: 'BROKER:PLAINTEXT,CONTROLLER:SASL_PLAINTEXT',
      })
    },
  },
  {
    what: 'certificates without a CA',
    detectedBy: 'connections to external servers use TLS with verified certificates',
    overlay: 'production',
    change: (all) => {
      mainOf(all, 'Deployment', 'audit').volumeMounts = []
    },
  },
  {
    what: 'a service that is not migrated',
    detectedBy:
      'before a rollout every service runs its migrations, and config seeds its tiers; demo accounts are only created on request',
    overlay: 'production',
    change: (all) => {
      specOf(all, 'Job', 'migrate').initContainers?.splice(0, 1)
    },
  },
  {
    what: 'demo accounts in production',
    detectedBy:
      'before a rollout every service runs its migrations, and config seeds its tiers; demo accounts are only created on request',
    change: (all) => {
      Object.assign(specOf(all, 'Job', 'migrate').initContainers?.[0] ?? {}, {
        env: [{ name: 'DEMO_ACCOUNTS_FILE', value: '/tmp/demo.json' }],
      })
    },
  },
  {
    what: 'demo account passwords stored only in a pod',
    detectedBy: 'the operator of a platform with demo accounts gets their passwords',
    overlay: 'local',
    change: (all) => {
      const { name } = specOf(all, 'Job', 'migrate').volumes?.find(({ secret }) => secret !== undefined) ?? {}
      const volumes = specOf(all, 'Job', 'migrate').volumes?.filter((volume) => volume.name !== name)
      Object.assign(specOf(all, 'Job', 'migrate'), { volumes })
    },
  },
  {
    what: 'a dump without a test restore',
    detectedBy: 'every night every database is dumped, restored and compared',
    change: (all) => {
      const script = find(all, 'ConfigMap', 'backup-script')
      script.data = { 'backup.sh': (script.data?.['backup.sh'] ?? '').replace('pg_restore', 'true') }
    },
  },
  {
    what: 'a field unknown to Kubernetes',
    detectedBy: BY_SCHEMA,
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'audit').securityContext ?? {}, { readonlyRootFs: true })
    },
  },
  {
    what: 'a removed API version',
    detectedBy: BY_SCHEMA,
    overlay: 'production',
    change: (all) => {
      find(all, 'HorizontalPodAutoscaler', 'audit').apiVersion = 'autoscaling/v2beta2'
    },
  },
  {
    what: 'a trigger without a type',
    detectedBy: BY_SCHEMA,
    overlay: 'production',
    change: (all) => {
      for (const trigger of find(all, 'ScaledObject', 'audit-jobs').spec.triggers)
        Object.assign(trigger, { type: undefined, kind: 'redis' })
    },
  },
  {
    what: 'a replica count given as text',
    detectedBy: BY_SCHEMA,
    change: (all) => {
      Object.assign(find(all, 'StatefulSet', 'gateway').spec, { replicas: 'three' })
    },
  },
]
