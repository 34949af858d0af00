/** All Kafka topics of the platform. Each has a dead-letter topic `<topic>.dead`. */
export const TOPICS = {
  usage: { partitions: 12 },
  identity: { partitions: 3 },
  'api-key': { partitions: 3 },
  config: { partitions: 3 },
  'market-data': { partitions: 3 },
  audit: { partitions: 3 },
} as const

export type Topic = keyof typeof TOPICS

export function deadLetterTopic(topic: string): string {
  return `${topic}.dead`
}
