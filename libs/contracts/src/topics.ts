/**
 * All Kafka topics of the platform, with how long Kafka keeps their messages where that is not its default. Each has a
 * dead-letter topic `<topic>.dead`.
 */
export const TOPICS = {
  usage: { partitions: 12 },
  identity: { partitions: 3 },
  'api-key': { partitions: 3 },
  config: { partitions: 3 },
  'market-data': { partitions: 3 },
  /** Between processes of market-data: what was stored, for streams; read only at its end. */
  'market-data-live': { partitions: 3, retentionMs: 3_600_000 },
  audit: { partitions: 3 },
} as const satisfies Record<string, TopicSettings>

export type TopicSettings = { partitions: number; retentionMs?: number }
export type Topic = keyof typeof TOPICS

/** The topic of messages that consumers of `topic` could not apply. */
export function deadLetterTopic(topic: string): string {
  return `${topic}.dead`
}
