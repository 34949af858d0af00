import type { Job } from '@tapeline/service/jobs'
import type { Logger } from '@tapeline/service/logger'
import { reconcileUsage } from './reconciliation/reconcile-usage.ts'
import { makeDueReports, type ReadSubscription } from './custom-reports/make-due-reports.ts'
import { anchorTrail } from './anchors/anchor-trail.ts'
import { checkTrail } from './anchors/check-trail.ts'
import type { Deps } from './deps.ts'
import { eraseInThread } from './erasure/erase-in-thread.ts'
import { archiveInThread } from './request-log/archive/archive-in-thread.ts'
import { sweepArchive } from './request-log/archive/sweep-archive.ts'
import { pruneStream } from './streams/prune-stream.ts'
import { runReplays } from './replay/run-replay.ts'
import { maintainPartitions } from './ingest/maintain-partitions.ts'
import { probePlatform } from './status/probe-platform.ts'
import { closeHours } from './statements/close-hours.ts'
import { issueStatements } from './statements/issue-statements.ts'
import { pruneNotifications } from './notifications/prune-notifications.ts'
import { pruneStatus } from './status/prune-status.ts'
import { streamTrail, type TrailReceiver } from './trail/stream-trail.ts'
import { sumTraffic } from './status/sum-traffic.ts'
import { pruneDeliveries } from './webhooks/deliveries/prune-deliveries.ts'
import { reencryptSecrets } from './webhooks/endpoints/reencrypt-secrets.ts'
import type { SecretVault } from './webhooks/secret-vault.ts'

const LATE_HOURS = 49

type JobDeps = Deps & {
  vault: SecretVault
  trailReceiver: TrailReceiver | undefined
  logger: Pick<Logger, 'info' | 'error'>
}

/** Scheduled jobs of audit, in UTC. */
export function jobs(deps: JobDeps, gatewayUrl: string, readSubscription: ReadSubscription): Job[] {
  return [
    { name: 'probe', cron: '* * * * *', run: () => probePlatform({ ...deps, gatewayUrl }) },
    { name: 'sum-traffic', cron: '*/5 * * * *', run: () => sumTraffic(deps, 2) },
    // Includes late events: a gateway's journal may have waited for Kafka.
    { name: 'sum-traffic-again', cron: '23 * * * *', run: () => sumTraffic(deps, LATE_HOURS) },
    { name: 'prune-stream', cron: '*/10 * * * *', run: () => pruneStream(deps) },
    { name: 'prune-status', cron: '43 3 * * *', run: () => pruneStatus(deps) },
    { name: 'erase-accounts', cron: '*/10 * * * *', run: () => eraseInThread(deps) },
    { name: 'anchor-trail', cron: '11 0 * * *', run: () => anchorTrail(deps) },
    { name: 'stream-trail', cron: '*/15 * * * * *', run: () => streamTrail(deps) },
    { name: 'check-trail', cron: '31 0 * * *', run: () => checkTrail(deps) },
    { name: 'close-hours', cron: '*/10 * * * *', run: () => closeHours(deps) },
    { name: 'issue-statements', cron: '19 * * * *', run: () => issueStatements(deps) },
    { name: 'maintain-partitions', cron: '7 * * * *', run: () => maintainPartitions(deps) },
    { name: 'archive-requests', cron: '4-59/10 * * * *', run: () => archiveRequests(deps) },
    { name: 'sweep-request-archive', cron: '53 2 * * *', run: () => sweepArchive(deps) },
    { name: 'prune-notifications', cron: '17 4 * * *', run: () => pruneNotifications(deps) },
    { name: 'prune-webhooks', cron: '13 4 * * *', run: () => pruneDeliveries(deps) },
    { name: 'reencrypt-webhook-secrets', cron: '29 4 * * *', run: () => reencryptSecrets(deps) },
    { name: 'make-due-reports', cron: '* * * * *', run: () => makeDueReports(deps, readSubscription) },
    { name: 'run-replays', cron: '* * * * *', run: () => runReplays({ ...deps, readSubscription }) },
    { name: 'reconcile-usage', cron: '* * * * *', run: () => reconcileUsage(deps, 'last hour') },
    { name: 'reconcile-usage-again', cron: '37 * * * *', run: () => reconcileUsage(deps, 'all that Redis keeps') },
  ]
}

async function archiveRequests({ store, logger }: JobDeps): Promise<void> {
  if (store !== undefined) await archiveInThread(logger)
}
