import { type SentinelConnectionOptions, SentinelConnector } from 'ioredis'

type Connect = SentinelConnector['connect']

/**
 * ioredis still hears of failovers by the Sentinels of its previous connection while it asks them for the master. An
 * announcement at that moment would end the client for good, so it stops listening first; the next connection listens
 * again.
 */
export class FollowingConnector extends SentinelConnector {
  constructor(options: unknown) {
    // ioredis passes the options of the client and declares them as unknown.
    super(options as SentinelConnectionOptions)
  }

  override connect(...args: Parameters<Connect>): ReturnType<Connect> {
    this['failoverDetector']?.cleanup()
    return super.connect(...args)
  }
}
