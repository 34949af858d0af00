import { type Static, type TSchema, Type } from 'typebox'
import type { Actor } from './actor.ts'
import type { Topic } from './topics.ts'

/** One kind of event: `owner.thing-happened.vN` on its owner's topic, with the shape of its data. */
export type EventDefinition<T extends TSchema = TSchema> = { topic: Topic; type: string; data: T }

/** CloudEvents 1.0 in JSON; `account`, `actorkind`, `actorid`, `network` and `traceparent` are extension attributes. */
export const EventEnvelope = Type.Object({
  specversion: Type.Literal('1.0'),
  id: Type.String(),
  source: Type.String(),
  type: Type.String(),
  /** The aggregate that changed: events with the same subject keep their order. */
  subject: Type.String(),
  time: Type.String(),
  datacontenttype: Type.Literal('application/json'),
  account: Type.Union([Type.String(), Type.Null()]),
  /** `user`, `api_key` (`actorid` is the key's id), `service` or `anonymous`. */
  actorkind: Type.String(),
  actorid: Type.Union([Type.String(), Type.Null()]),
  /** Network of the caller, /24 for IPv4 and /48 for IPv6: never the whole address. */
  network: Type.Union([Type.String(), Type.Null()]),
  /** Trace context of the request that caused the event, if traced. */
  traceparent: Type.Optional(Type.String()),
  data: Type.Unknown(),
})
export type EventEnvelope = Static<typeof EventEnvelope>
export type Event<T> = Omit<EventEnvelope, 'data'> & { data: T }

export type NewEvent<T> = {
  id: string
  time: Date
  subject: string
  /** The affected account; null when the event concerns the platform. */
  account: string | null
  actor: Actor
  /** Defaults to the actor's network. */
  network?: string | null
  data: T
}

/** Declares an event type of a topic, `owner.thing-happened.vN`, with the schema of its data. */
export function defineEvent<T extends TSchema>(topic: Topic, type: string, data: T): EventDefinition<T> {
  return { topic, type, data }
}

/**
 * An event in a CloudEvents 1.0 envelope. `id` and `time` come from the caller, so that tests are deterministic.
 */
export function newEvent<T extends TSchema>(
  definition: EventDefinition<T>,
  { id, time, subject, account, actor, network, data }: NewEvent<Static<T>>,
): Event<Static<T>> {
  return {
    specversion: '1.0',
    id,
    source: `/tapeline/${definition.topic}`,
    type: definition.type,
    subject,
    time: time.toISOString(),
    datacontenttype: 'application/json',
    account,
    actorkind: actorKind(actor),
    actorid: actorId(actor),
    network: network ?? networkOf(actor),
    data,
  }
}

function networkOf(actor: Actor): string | null {
  return actor.kind === 'service' ? null : (actor.network ?? null)
}

/** A change made with a key names the key: `account` is its owner. */
function actorKind(actor: Actor): string {
  return actor.kind === 'user' && actor.keyId !== null ? 'api_key' : actor.kind
}

function actorId(actor: Actor): string | null {
  if (actor.kind === 'user') return actor.keyId ?? actor.userId
  return actor.kind === 'service' ? actor.service : null
}
