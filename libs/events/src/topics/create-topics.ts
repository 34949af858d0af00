import type { Admin, ITopicConfig } from 'kafkajs'

const LED_WITHIN_MS = 30_000
const RETRY_MS = 100

/**
 * Creates missing topics and waits until every partition has a leader. kafkajs's own wait fails when a broker does
 * not have the metadata of a new topic yet.
 * @returns true when any topic was created
 * @throws Error with the topics that have no leader after 30 s
 */
export async function createTopics(admin: Admin, topics: ITopicConfig[]): Promise<boolean> {
  const isCreated = await admin.createTopics({ topics, waitForLeaders: false })
  const deadlineMs = Date.now() + LED_WITHIN_MS
  const names = topics.map(({ topic }) => topic)
  while (!(await areLed(admin, names))) {
    if (Date.now() > deadlineMs) throw new Error(`the topics ${names.join(', ')} have no leaders`)
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
  return isCreated
}

async function areLed(admin: Admin, names: string[]): Promise<boolean> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: names })
    return topics.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0))
  } catch (error) {
    if (error instanceof Error && 'type' in error && IS_NEW.has(String(error.type))) return false
    throw error
  }
}

const IS_NEW = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'])
