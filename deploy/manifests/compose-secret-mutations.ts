import { type ComposeMutation, serviceOf } from './compose-mutations.ts'

export const composeSecretMutations: ComposeMutation[] = [
  {
    what: 'Redis without users',
    detectedBy: 'every server requires a password',
    change: (all) => {
      serviceOf(all, 'redis-jobs').command = ['redis-server']
    },
  },
  {
    what: 'PostgreSQL without password authentication',
    detectedBy: 'every server requires a password',
    change: (all) => {
      serviceOf(all, 'postgres').environment = { POSTGRES_HOST_AUTH_METHOD: 'trust' }
    },
  },
  {
    what: 'Kafka without passwords',
    detectedBy: 'every server requires a password',
    change: (all) => {
      Object.assign(serviceOf(all, 'kafka').environment ?? {}, {
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
      })
    },
  },
  {
    what: 'Kafka without access control',
    detectedBy: 'every server requires a password',
    change: (all) => {
      Object.assign(serviceOf(all, 'kafka').environment ?? {}, { KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND: 'true' })
    },
  },
  {
    what: 'the secrets of another process',
    detectedBy: 'secrets are files created by make-secrets.ts, and each container has its own',
    change: (all) => {
      serviceOf(all, 'audit').secrets?.push('identity.env')
    },
  },
  {
    what: 'a secret that make-secrets.ts does not create',
    detectedBy: 'secrets are files created by make-secrets.ts, and each container has its own',
    change: (all) => {
      all.secrets = { ...all.secrets, 'tls.key': { file: 'deploy/secrets/tls.key' } }
    },
  },
  {
    what: 'a process without its secrets',
    detectedBy: 'secrets are files created by make-secrets.ts, and each container has its own',
    change: (all) => {
      serviceOf(all, 'audit').command = ['node', '--max-old-space-size=288', 'services/audit/src/main.ts']
    },
  },
  {
    what: 'a plain password',
    detectedBy: 'there are no plain-text secrets',
    change: (all) => {
      Object.assign(serviceOf(all, 'postgres').environment ?? {}, { POSTGRES_PASSWORD: 'hunter2' })
    },
  },
  {
    what: 'a password with a default',
    detectedBy: 'there are no plain-text secrets',
    change: (all) => {
      Object.assign(serviceOf(all, 'identity').environment ?? {}, {
        OIDC_CLIENT_SECRET: '${OIDC_CLIENT_SECRET:-hunter2}',
      })
    },
  },
  {
    what: 'a password in a URL',
    detectedBy: 'there are no plain-text secrets',
    change: (all) => {
      Object.assign(serviceOf(all, 'audit').environment ?? {}, {
        DATABASE_URL: 'postgres://audit:hunter2@postgres/audit',
      })
    },
  },
  {
    what: 'a password in a command',
    detectedBy: 'there are no plain-text secrets',
    change: (all) => {
      serviceOf(all, 'redis-limits').command?.push('--requirepass', 'hunter2')
    },
  },
  {
    what: 'a setting that no process reads',
    detectedBy: 'a process gets no unused settings',
    change: (all) => {
      Object.assign(serviceOf(all, 'gateway').environment ?? {}, { TRUSTED_PROXY: '10.0.0.0/8' })
    },
  },
  {
    what: 'a health check removed',
    detectedBy: 'every long-running container has a readiness check',
    change: (all) => {
      delete serviceOf(all, 'kafka').healthcheck
    },
  },
  {
    what: 'a disabled health check',
    detectedBy: 'every long-running container has a readiness check',
    change: (all) => {
      serviceOf(all, 'audit').healthcheck = { disable: true }
    },
  },
  {
    what: 'a stop grace period that is too short',
    detectedBy: 'a graceful shutdown has enough time',
    change: (all) => {
      serviceOf(all, 'gateway').stop_grace_period = '10s'
    },
  },
  {
    what: 'a service that starts before its migrations',
    detectedBy: 'a process starts after its dependencies: servers are healthy and databases prepared',
    change: (all) => {
      serviceOf(all, 'audit').depends_on = { prepare: { condition: 'service_started' } }
    },
  },
  {
    what: 'migrations that do not wait for a server',
    detectedBy: 'a process starts after its dependencies: servers are healthy and databases prepared',
    change: (all) => {
      serviceOf(all, 'prepare').depends_on = { postgres: { condition: 'service_healthy' } }
    },
  },
  {
    what: 'a journal outside of a volume',
    detectedBy: 'persistent data is in named volumes',
    change: (all) => {
      serviceOf(all, 'gateway').volumes = []
    },
  },
  {
    what: 'a lake outside of a volume',
    detectedBy: 'persistent data is in named volumes',
    change: (all) => {
      serviceOf(all, 'market-data').volumes = []
    },
  },
  {
    what: 'an undeclared volume',
    detectedBy: 'persistent data is in named volumes',
    change: (all) => {
      serviceOf(all, 'postgres').volumes = ['pg:/var/lib/postgresql']
    },
  },
  {
    what: 'an image tagged latest',
    detectedBy: 'images name a release',
    change: (all) => {
      serviceOf(all, 'redis-limits').image = 'redis'
    },
  },
  {
    what: 'a gateway that trusts every address',
    detectedBy: 'the gateway trusts forwarded addresses only from the web',
    change: (all) => {
      Object.assign(serviceOf(all, 'gateway').environment ?? {}, { TRUST_PROXY: '0.0.0.0/0' })
    },
  },
  {
    what: 'a load generator that starts by default',
    detectedBy: 'the load generator runs only on request',
    change: (all) => {
      delete serviceOf(all, 'k6').profiles
    },
  },
  {
    what: 'a field that Compose does not support',
    detectedBy: 'schema',
    change: (all) => {
      Object.assign(serviceOf(all, 'web'), { readonly: true })
    },
  },
  {
    what: 'an unknown dependency condition',
    detectedBy: 'schema',
    change: (all) => {
      serviceOf(all, 'web').depends_on = { gateway: { condition: 'healthy' } }
    },
  },
]
