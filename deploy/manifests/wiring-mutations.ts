import { find, mainOf, type Mutation } from './mutations.ts'

export const wiringMutations: Mutation[] = [
  {
    what: 'a setting that no process reads',
    detectedBy: 'a process gets exactly the settings that it reads',
    change: (all) => {
      mainOf(all, 'Deployment', 'audit').env?.push({ name: 'USAGE_RETENTION', value: '30' })
    },
  },
  {
    what: 'a secret without DATABASE_URL',
    detectedBy: 'a process gets exactly the settings that it reads',
    overlay: 'local',
    change: (all) => {
      delete find(all, 'Secret', 'identity').data?.['DATABASE_URL']
    },
  },
  {
    what: 'an external secret without CURSOR_SECRET',
    detectedBy: 'a process gets exactly the settings that it reads',
    overlay: 'production',
    change: (all) => {
      const { spec } = find(all, 'ExternalSecret', 'audit')
      spec.data = spec.data.filter(({ secretKey }) => secretKey !== 'CURSOR_SECRET')
    },
  },
  {
    what: 'a misspelled shared setting',
    detectedBy: 'every shared setting is read by some process',
    change: (all) => {
      Object.assign(find(all, 'ConfigMap', 'settings').data ?? {}, { LAMEDUCK_MS: '5000' })
    },
  },
  {
    what: 'a port without a listener',
    detectedBy: 'a process listens on its declared port and runs the role in its name',
    change: (all) => {
      for (const port of mainOf(all, 'Deployment', 'audit').ports ?? []) port.containerPort = 8080
    },
  },
  {
    what: 'a consumer that also has the role http',
    detectedBy: 'a process listens on its declared port and runs the role in its name',
    change: (all) => {
      Object.assign(mainOf(all, 'Deployment', 'audit-consumer').env?.find(({ name }) => name === 'ROLES') ?? {}, {
        value: 'http,consumer',
      })
    },
  },
  {
    what: 'a gateway without metrics',
    detectedBy: 'a process listens on its declared port and runs the role in its name',
    change: (all) => {
      const gateway = mainOf(all, 'StatefulSet', 'gateway')
      gateway.env = (gateway.env ?? []).filter(({ name }) => name !== 'ADMIN_PORT')
    },
  },
  {
    what: 'a reference to a missing secret',
    detectedBy: 'referenced settings, secrets and volumes exist',
    change: (all) => {
      mainOf(all, 'Deployment', 'audit').envFrom?.push({ secretRef: { name: 'audit-old' } })
    },
  },
  {
    what: 'the secrets of another process',
    detectedBy: 'a process gets only its own secrets',
    overlay: 'local',
    change: (all) => {
      mainOf(all, 'Deployment', 'audit').envFrom?.push({
        secretRef: { name: find(all, 'Secret', 'identity').metadata.name },
      })
    },
  },
  {
    what: 'a password in a URL',
    detectedBy: 'settings contain no plain-text secrets',
    change: (all) => {
      mainOf(all, 'Deployment', 'audit').env?.push({
        name: 'DATABASE_URL',
        value: 'postgres://audit:hunter2@postgres/audit',
      })
    },
  },
  {
    what: 'a plain password',
    detectedBy: 'settings contain no plain-text secrets',
    change: (all) => {
      Object.assign(find(all, 'ConfigMap', 'settings').data ?? {}, { OIDC_CLIENT_SECRET: 'hunter2' })
    },
  },
  {
    what: 'a wrong selector',
    detectedBy: 'a workload selects only the pods it creates',
    change: (all) => {
      find(all, 'Deployment', 'audit').spec.selector = { matchLabels: { 'app.kubernetes.io/name': 'audit' } }
    },
  },
  {
    what: 'a service without matching pods',
    detectedBy: 'a service selects pods that open its port',
    change: (all) => {
      find(all, 'Service', 'config').spec.selector = { 'app.kubernetes.io/name': 'configuration' }
    },
  },
  {
    what: 'a service that targets a closed port',
    detectedBy: 'a service selects pods that open its port',
    change: (all) => {
      for (const port of find(all, 'Service', 'config').spec.ports) port.targetPort = 'https'
    },
  },
  {
    what: 'a service that selects consumers',
    detectedBy: 'callers reach only the pods that answer calls',
    change: (all) => {
      find(all, 'Service', 'audit').spec.selector = { 'app.kubernetes.io/name': 'audit' }
    },
  },
  {
    what: 'a host name without a service',
    detectedBy: 'every host name that a process calls is a service with that port',
    change: (all) => {
      Object.assign(find(all, 'ConfigMap', 'settings').data ?? {}, { AUDIT_URL: 'http://audit:3014' })
    },
  },
  {
    what: 'an autoscaler without a target',
    detectedBy: 'autoscalers, disruption budgets and monitors name existing objects',
    overlay: 'production',
    change: (all) => {
      find(all, 'HorizontalPodAutoscaler', 'audit').spec.scaleTargetRef.name = 'audits'
    },
  },
  {
    what: 'a disruption budget without pods',
    detectedBy: 'autoscalers, disruption budgets and monitors name existing objects',
    change: (all) => {
      find(all, 'PodDisruptionBudget', 'audit').spec.selector = { matchLabels: { app: 'audit' } }
    },
  },
  {
    what: 'a monitor without a service',
    detectedBy: 'autoscalers, disruption budgets and monitors name existing objects',
    overlay: 'production',
    change: (all) => {
      for (const endpoint of find(all, 'ServiceMonitor', 'gateway').spec.endpoints) endpoint.port = 'metrics'
    },
  },
]
