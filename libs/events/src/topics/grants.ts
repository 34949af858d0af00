import { deadLetterTopic, type Topic, TOPICS } from '@tapeline/contracts/topics'
import kafkajs, { type AclEntry } from 'kafkajs'

/** Node's module loader detects no named exports in kafkajs here. */
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

type Grant = { reads: readonly Topic[]; writes: readonly Topic[] }

/** Each process has its own user: it writes its own topic, reads its subscriptions, and writes their dead letters. */
export const GRANTS: Record<string, Grant> = {
  gateway: { reads: ['identity', 'api-key', 'config'], writes: ['usage'] },
  identity: { reads: ['audit', 'config'], writes: ['identity'] },
  'api-key': { reads: ['identity', 'usage', 'config'], writes: ['api-key'] },
  audit: { reads: ['usage', 'identity', 'api-key', 'config', 'market-data', 'audit'], writes: ['audit'] },
  config: { reads: ['identity', 'config'], writes: ['config'] },
  'market-data': { reads: ['market-data', 'market-data-live', 'config'], writes: ['market-data', 'market-data-live'] },
}

/** User of make-topics.ts. */
const MIGRATE = 'migrate'
/** User of an autoscaler: it queries the lag of every consumer group, and reads no messages. */
const SCALER = 'scaler'

/** Rights of all processes, of the migrations and of the autoscaler. Consumer groups are prefixed with the name of their process. */
export function aclsOf(prefix: string): AclEntry[] {
  return [...processAcls(prefix), ...migrateAcls(prefix), ...scalerAcls(prefix)]
}

function processAcls(prefix: string): AclEntry[] {
  return Object.entries(GRANTS).flatMap(([user, { reads, writes }]) => {
    const topic = (name: string, operation: AclEntry['operation']) => entry(user, prefix + name, operation)
    return [
      ...reads.map((name) => topic(name, AclOperationTypes.READ)),
      ...reads.map((name) => topic(deadLetterTopic(name), AclOperationTypes.WRITE)),
      ...writes.map((name) => topic(name, AclOperationTypes.WRITE)),
      groupsOf(user, prefix + user, AclOperationTypes.READ),
    ]
  })
}

function migrateAcls(prefix: string): AclEntry[] {
  return Object.keys(TOPICS)
    .flatMap((name) => [prefix + name, prefix + deadLetterTopic(name)])
    .flatMap((name) => [
      entry(MIGRATE, name, AclOperationTypes.CREATE),
      entry(MIGRATE, name, AclOperationTypes.DESCRIBE),
    ])
}

function scalerAcls(prefix: string): AclEntry[] {
  return [
    ...Object.keys(TOPICS).map((name) => entry(SCALER, prefix + name, AclOperationTypes.DESCRIBE)),
    ...Object.keys(GRANTS).map((name) => groupsOf(SCALER, prefix + name, AclOperationTypes.DESCRIBE)),
  ]
}

function groupsOf(user: string, prefix: string, operation: AclEntry['operation']): AclEntry {
  return {
    ...entry(user, prefix, operation),
    resourceType: AclResourceTypes.GROUP,
    resourcePatternType: ResourcePatternTypes.PREFIXED,
  }
}

function entry(user: string, resourceName: string, operation: AclEntry['operation']): AclEntry {
  return {
    principal: `User:${user}`,
    host: '*',
    resourceType: AclResourceTypes.TOPIC,
    resourceName,
    resourcePatternType: ResourcePatternTypes.LITERAL,
    operation,
    permissionType: AclPermissionTypes.ALLOW,
  }
}
