import type { Sabotage } from './sabotage-definition.ts'

/** Faults in the code that limits the effect of a lost or stalled process. */
export const PROCESS_SABOTAGES: readonly Sabotage[] = [
  {
    name: 'leases-outlast',
    breaks: 'the requests of a killed gateway count for half a minute',
    drill: 'lease-kills',
    caughtBy: 'the leases of a killed gateway end within',
    edits: [
      {
        file: 'gateway/src/limiter/limiter-call.ts',
        find: 'LEASE_MS = 10_000',
        replace: 'LEASE_MS = 30_000',
      },
    ],
  },
  {
    name: 'stalled-for-good',
    breaks: 'a process does not end when its consumer makes no progress',
    drill: 'stalled-consumer',
    caughtBy: 'a new process runs within',
    edits: [
      {
        file: 'libs/events/src/consumer/progress.ts',
        find: 'isStuck: () => detector.isStalled()',
        replace: 'isStuck: () => false',
      },
    ],
  },
  {
    name: 'retries-without-budget',
    breaks: 'every failed read is sent again',
    drill: 'upstream-failing',
    caughtBy: 'the service receives at most',
    edits: [
      {
        file: 'gateway/src/proxy/upstream-health.ts',
        find: 'this.retries < 1 || this.breaker.isOpen',
        replace: 'this.breaker.isOpen',
      },
    ],
  },
  {
    name: 'many-probes',
    breaks: 'an open breaker lets every fifth request through',
    drill: 'upstream-failing',
    caughtBy: 'one second after the breakers opened',
    edits: [
      {
        file: 'libs/service/src/calls/breaker.ts',
        find: 'if (nowMs < this.nextProbeMs) return false',
        replace: 'if (nowMs < this.nextProbeMs && nowMs % 5 >= 1) return false',
      },
    ],
  },
]
