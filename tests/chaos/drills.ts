import { databasesAway } from './drills/databases-away.ts'
import { day } from './drills/day.ts'
import type { Drill } from './drill.ts'
import { kafkaAway } from './drills/kafka-away.ts'
import { killLoops, kills } from './drills/kill-under-load.ts'
import { leaseKills } from './drills/lease-kills.ts'
import { notices } from './drills/notices.ts'
import { overload } from './drills/overload.ts'
import { poison } from './drills/poison.ts'
import { redisAway, redisHung } from './drills/redis-away.ts'
import { redisSlow } from './drills/redis-slow.ts'
import { redisEmptied, redisFlushed } from './drills/redis-lost.ts'
import { rollingRestarts } from './drills/rolling-restart-drill.ts'
import { signInAway } from './drills/sign-in-away.ts'
import { signInFlood } from './drills/sign-in-flood.ts'
import { stalledConsumer } from './drills/stalled-consumer.ts'
import { streamCuts } from './drills/stream-cuts.ts'
import { streamRestarts } from './drills/stream-restarts.ts'
import { twice } from './drills/twice.ts'
import { upstreamFailing } from './drills/upstream/upstream-failing.ts'
import { upstreamHung, upstreamSlow } from './drills/upstream/upstream-hung.ts'
import { zombie } from './drills/zombie.ts'

/** The drills of `npm run chaos`; `all` runs them in this order. */
export const DRILLS: readonly Drill[] = [
  kills,
  ...killLoops,
  leaseKills,
  kafkaAway,
  redisAway,
  redisHung,
  redisSlow,
  redisFlushed,
  redisEmptied,
  twice,
  poison,
  zombie,
  stalledConsumer,
  notices,
  signInAway,
  databasesAway,
  upstreamHung,
  upstreamSlow,
  upstreamFailing,
  signInFlood,
  overload,
  rollingRestarts,
  streamRestarts,
  streamCuts,
  day,
]
