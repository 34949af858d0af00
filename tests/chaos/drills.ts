import type { Drill } from './drill.ts'
import { kafkaAway } from './kafka-away.ts'
import { kills } from './kills.ts'
import { notices } from './notices.ts'
import { poison } from './poison.ts'
import { redisAway, redisHung } from './redis-away.ts'
import { redisEmptied, redisFlushed } from './redis-lost.ts'
import { rollingRestarts } from './rolling-restart-drill.ts'
import { signInAway } from './sign-in-away.ts'
import { twice } from './twice.ts'
import { zombie } from './zombie.ts'

/** What `npm run chaos` knows; `all` runs them in this order. */
export const DRILLS: readonly Drill[] = [
  kills,
  kafkaAway,
  redisAway,
  redisHung,
  redisFlushed,
  redisEmptied,
  twice,
  poison,
  zombie,
  notices,
  signInAway,
  rollingRestarts,
]
