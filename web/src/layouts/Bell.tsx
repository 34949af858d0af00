import { t } from '@lingui/core/macro'
import type { Notification } from '@tapeline/contracts/audit/notifications'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { markRead, notificationsQuery } from '../api/notifications.queries.ts'
import { formatCount } from '../format/number.ts'
import { useSettings } from '../settings/use-settings.ts'
import { Button } from '../ui/Button.tsx'
import { showToast, ToastLog } from '../ui/toasts/Toasts.tsx'
import { useCloseOutside } from '../ui/hooks/use-close-outside.ts'
import './bell.css'

/** Loaded on demand, because it is rarely opened. */
const NotificationFeed = lazy(async () => ({ default: (await import('./NotificationFeed.tsx')).NotificationFeed }))

/** Account notifications, newest first, updated live. */
export function Bell() {
  const [isOpen, setOpen] = useState(false)
  const wrap = useRef<HTMLDivElement>(null)
  const feed = useInfiniteQuery(notificationsQuery)
  const unread = feed.data?.pages[0]?.unread ?? 0
  const all = feed.data?.pages.flatMap(({ notifications }) => notifications) ?? []
  useCloseOutside(wrap, isOpen ? () => setOpen(false) : undefined)

  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    setOpen(false)
    wrap.current?.querySelector('button')?.focus()
  }

  return (
    <div className="menu-wrap" ref={wrap}>
      <Button
        variant="quiet"
        isIconOnly
        className="bell"
        aria-label={unread === 0 ? t`Notifications` : t`Notifications, ${unread} unread`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={closeOnEscape}
        icon={<BellIcon className="icon" aria-hidden="true" />}
      >
        {unread > 0 && <b />}
      </Button>
      <NewestAnnounced newest={all[0]} />
      {isOpen && (
        <div
          className="popover bellpop"
          role="dialog"
          aria-label={t`Notifications`}
          tabIndex={-1}
          onKeyDown={closeOnEscape}
        >
          <Head unread={unread} />
          <Suspense fallback={null}>
            <NotificationFeed feed={feed} notifications={all} onFollow={() => setOpen(false)} />
            {/* Together with the list above it, which would otherwise push it away from the pointer. */}
            <ToastLog />
          </Suspense>
        </div>
      )}
    </div>
  )
}

function Head({ unread }: { unread: number }) {
  const readAll = useMutation({
    mutationFn: () => markRead(),
    onError: (error) =>
      showToast({ type: 'error', title: t`Failed to mark notifications as read`, message: error.message }),
  })
  return (
    <div className="panel-head">
      <h2>{t`Notifications`}</h2>
      <span className="small muted">{unread === 0 ? t`all read` : t`${formatCount(unread)} unread`}</span>
      <span className="tools">
        {unread > 0 && (
          <Button variant="quiet" size="small" isBusy={readAll.isPending} onClick={() => readAll.mutate()}>
            {t`Mark all read`}
          </Button>
        )}
      </span>
    </div>
  )
}

/** Announces notifications that arrive while the page is open, not earlier ones. */
function NewestAnnounced({ newest }: { newest: Notification | undefined }) {
  const previousId = useRef<string | undefined>(undefined)
  const [announcement, setAnnouncement] = useState('')
  const { timezone } = useSettings()
  useEffect(() => {
    if (newest === undefined) return
    const isNew = previousId.current !== undefined && previousId.current !== newest.id
    previousId.current = newest.id
    if (!isNew) return
    void import('./notification-words.ts').then(({ notificationWords }) =>
      setAnnouncement(notificationWords(newest, timezone).title),
    )
  }, [newest, timezone])
  return (
    <span className="sr-only" role="status">
      {announcement}
    </span>
  )
}
