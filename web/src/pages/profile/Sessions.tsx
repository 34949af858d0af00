import { plural, t } from '@lingui/core/macro'
import type { SessionView } from '@tapeline/contracts/identity/sessions'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { formatDateTime } from '../../format/date.ts'
import { formatAgo } from '../../format/duration.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { ConfirmDialog } from './dialogs.tsx'
import { Line, Panel } from './Lines.tsx'
import { endOtherSessions, endSession, sessionsQuery } from './profile.queries.ts'

/** Everywhere this account is signed in. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const [isConfirming, setConfirming] = useState(false)
  const others = sessions.data?.filter(({ is_current }) => !is_current) ?? []
  return (
    <Panel
      title={t`Sessions`}
      tools={
        <>
          <Link className="link small" to={paths.auditTrail}>
            {t`Audit trail`}
          </Link>
          {others.length > 0 && (
            <Button variant="quiet" size="small" onClick={() => setConfirming(true)}>
              {t`Sign out other sessions`}
            </Button>
          )}
        </>
      }
    >
      {sessions.data !== undefined && (
        <dl className="lines sessions">
          {sessions.data.map((one) => (
            <SessionLine key={one.id} session={one} />
          ))}
        </dl>
      )}
      {sessions.isPending && <SessionsSkeleton />}
      {sessions.data === undefined && sessions.isError && (
        <NotLoaded error={sessions.error} isRetrying={sessions.isFetching} onRetry={() => void sessions.refetch()} />
      )}
      {isConfirming && (
        <ConfirmDialog
          title={t`Sign out other sessions`}
          text={t`Are you sure you want to sign out of all other sessions?`}
          impact={plural(others.length, {
            one: 'One session ends immediately. API keys keep working.',
            other: '# sessions end immediately. API keys keep working.',
          })}
          action={t`Sign out other sessions`}
          failure={t`The other sessions could not be signed out. Please try again.`}
          done={t`The other sessions are signed out`}
          onConfirm={async () => void (await endOtherSessions())}
          onClose={() => setConfirming(false)}
        />
      )}
    </Panel>
  )
}

type NotLoadedProps = { error: Error; isRetrying: boolean; onRetry: () => void }

function NotLoaded({ error, isRetrying, onRetry }: NotLoadedProps) {
  return (
    <ErrorPanel
      title={t`Your sessions could not be loaded`}
      requestId={error instanceof ApiError ? error.requestId : undefined}
      onRetry={onRetry}
      isRetrying={isRetrying}
    >
      {error.message}
    </ErrorPanel>
  )
}

/** This browser's session, and one that has a button. */
const ROW_HEIGHTS_PX = [20, 36]

function SessionsSkeleton() {
  return (
    <Skeleton label={t`Loading your sessions`}>
      <dl className="lines">
        {ROW_HEIGHTS_PX.map((heightPx) => (
          <Line
            key={heightPx}
            label={<Bone widthPx={80} heightPx={20} />}
            action={<Bone widthPx={64} heightPx={heightPx} />}
          >
            <Bone widthPx={220} heightPx={20} />
          </Line>
        ))}
      </dl>
    </Skeleton>
  )
}

/** Device names of programs that are not browsers (the service names them from the user agent). */
const PROGRAMS: ReadonlySet<string> = new Set(['curl', 'Python'])

function labelOf({ is_current, device }: SessionView): ReactNode {
  if (is_current) return <StateBadge tone="live">{t`This browser`}</StateBadge>
  const [program = ''] = device.split(' on ')
  return PROGRAMS.has(program) ? program : t`Browser`
}

function SessionLine({ session }: { session: SessionView }) {
  const nowMs = useNow()
  const { timezone } = useSettings()
  const [isBusy, setBusy] = useState(false)

  async function end(): Promise<void> {
    setBusy(true)
    try {
      await endSession(session.id)
      showToast({ type: 'success', title: t`${session.device} is signed out` })
    } catch (error) {
      const message = error instanceof ApiError ? error.message : t`Please try again.`
      showToast({ type: 'error', title: t`This session could not be ended`, message })
      setBusy(false)
    }
  }

  return (
    <Line
      label={labelOf(session)}
      action={
        <>
          <span className="muted small" title={formatDateTime(session.last_used_at, timezone)}>
            {session.is_current ? t`now` : formatAgo(session.last_used_at, nowMs)}
          </span>
          {!session.is_current && (
            <Button
              variant="quiet"
              size="small"
              isBusy={isBusy}
              aria-label={t`Sign out ${session.device}`}
              onClick={() => void end()}
            >
              {t`Sign out`}
            </Button>
          )}
        </>
      }
    >
      <span>{session.device}</span> {session.network !== null && <span className="faint mono">{session.network}</span>}
    </Line>
  )
}
