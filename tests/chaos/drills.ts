import { databasesAway } from './databases-away.ts'
import { day } from './day.ts'
import type { Drill } from './drill.ts'
import { kafkaAway } from './kafka-away.ts'
import { killLoops, kills } from './kills.ts'
import { notices } from './notices.ts'
import { overload } from './overload.ts'
import { poison } from './poison.ts'
import { redisAway, redisHung } from './redis-away.ts'
import { redisSlow } from './redis-slow.ts'
import { redisEmptied, redisFlushed } from './redis-lost.ts'
import { rollingRestarts } from './rolling-restart-drill.ts'
import { signInAway } from './sign-in-away.ts'
import { signInFlood } from './sign-in-flood.ts'
import { twice } from './twice.ts'
import { upstreamHung, upstreamSlow } from './upstream-hung.ts'
import { zombie } from './zombie.ts'

/** What `npm run chaos` knows; `all` runs them in this order. */
export const DRILLS: readonly Drill[] = [
  kills,
  ...killLoops,
  kafkaAway,
  redisAway,
  redisHung,
  redisSlow,
  redisFlushed,
  redisEmptied,
  twice,
  poison,
  zombie,
  notices,
  signInAway,
  databasesAway,
  upstreamHung,
  upstreamSlow,
  signInFlood,
  overload,
  rollingRestarts,
  day,
]
