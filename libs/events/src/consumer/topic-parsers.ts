import type { Subscription } from '../subscription.ts'
import { createParser, type Parser } from '../parse-message.ts'

export type Listening<Tables> = {
  topicPrefix: string
  subscriptions: readonly Subscription<Tables>[]
  /** Topics on which an unknown event type is dead-lettered instead of ignored. */
  strictTopics?: readonly string[]
}

/** Parsers for the topics of these subscriptions, by full topic name. */
export function topicParsers<Tables>({
  topicPrefix,
  subscriptions,
  strictTopics = [],
}: Listening<Tables>): Map<string, Parser> {
  const byTopic = Map.groupBy(
    subscriptions.map(({ definition }) => definition),
    ({ topic }) => topic,
  )
  return new Map(
    [...byTopic].map(([topic, definitions]) => [
      topicPrefix + topic,
      createParser(definitions, strictTopics.includes(topic)),
    ]),
  )
}
