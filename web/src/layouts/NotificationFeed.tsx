import { t } from '@lingui/core/macro'
import type { Notification } from '@tapeline/contracts/audit/notifications'
import { markRead, type NotificationsResult } from '../api/notifications.queries.ts'
import { formatAgo } from '../format/duration.ts'
import { paths } from '../paths.ts'
import { Link } from '../router.ts'
import { useSettings } from '../settings/use-settings.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorPanel } from '../ui/ErrorPanel.tsx'
import { StateBadge } from '../ui/StateBadge.tsx'
import { useNow } from '../ui/hooks/use-now.ts'
import { styleOf } from './notification-style.ts'
import { notificationWords } from './notification-words.ts'

type FeedProps = { feed: NotificationsResult; notifications: readonly Notification[]; onFollow: () => void }

export function NotificationFeed({ feed, notifications, onFollow }: FeedProps) {
  return (
    <>
      {feed.data === undefined && feed.isError && (
        <ErrorPanel
          title={t`Notifications could not be loaded`}
          onRetry={() => void feed.refetch()}
          isRetrying={feed.isFetching}
        >
          {feed.error.message}
        </ErrorPanel>
      )}
      {feed.data !== undefined && notifications.length === 0 && (
        <p className="message muted">
          {t`No notifications yet. They appear here when a limit is nearly used up, a key expires or is used from a new network.`}
        </p>
      )}
      {notifications.length > 0 && (
        <ul>
          {notifications.map((one) => (
            <Entry key={one.id} notification={one} onFollow={onFollow} />
          ))}
        </ul>
      )}
      <p className="panel-foot row">
        <Link className="link" to={paths.auditTrail} onClick={onFollow}>
          {t`All account activity: audit trail`}
        </Link>
        {feed.hasNextPage && (
          <Button
            className="end"
            variant="quiet"
            size="small"
            isBusy={feed.isFetchingNextPage}
            onClick={() => void feed.fetchNextPage()}
          >
            {t`Older`}
          </Button>
        )}
      </p>
    </>
  )
}

function Entry({ notification, onFollow }: { notification: Notification; onFollow: () => void }) {
  const nowMs = useNow()
  const { tone, path, label } = styleOf(notification)
  const { timezone } = useSettings()
  const { title, text } = notificationWords(notification, timezone)
  const isUnread = notification.read_at === null
  function follow(): void {
    onFollow()
    if (isUnread) void markRead(notification.id)
  }
  return (
    <li className={isUnread ? 'unread' : undefined}>
      <StateBadge tone={tone} />
      <div>
        <p className="title">
          {isUnread && <span className="sr-only">{t`Unread:`} </span>}
          {title}
        </p>
        <p className="muted small">{text}</p>
        <Link className="link small" to={path} onClick={follow}>
          {label}
        </Link>
      </div>
      <time className="faint small nowrap" dateTime={notification.created_at}>
        {formatAgo(notification.created_at, Math.max(nowMs, Date.parse(notification.created_at)))}
      </time>
    </li>
  )
}
