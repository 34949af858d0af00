import { t } from '@lingui/core/macro'
import type { Venue } from '@tapeline/contracts/market-data/venues'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../../ui/Skeleton.tsx'
import { PauseVenueDialog, SymbolsDialog } from './VenueDialogs.tsx'
import { VenuePanel } from './VenuePanel.tsx'
import './venues.css'
import { venuesQuery } from './venues.queries.ts'

type OpenDialog = { what: 'symbols' | 'pause'; venue: Venue }

/** Every venue that can be connected: its settings, and the state of its connections. */
export function VenuesTab() {
  const venues = useQuery(venuesQuery)
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  if (venues.data === undefined) return venues.isPending ? <VenuesSkeleton /> : <Failure venues={venues} />
  return (
    <div className="venues">
      <p className="muted">{t`Public market data, recorded in order and without an account at the venue.`}</p>
      {venues.data.map((venue) => (
        <VenuePanel
          key={venue.venue}
          venue={venue}
          onSymbols={() => setDialog({ what: 'symbols', venue })}
          onPause={() => setDialog({ what: 'pause', venue })}
        />
      ))}
      {dialog?.what === 'symbols' && <SymbolsDialog venue={dialog.venue} onClose={close} />}
      {dialog?.what === 'pause' && <PauseVenueDialog venue={dialog.venue} onClose={close} />}
    </div>
  )
}

type FailureProps = { venues: { error: Error | null; isFetching: boolean; refetch: () => unknown } }

function Failure({ venues: { error, isFetching, refetch } }: FailureProps) {
  return (
    <section className="panel admin-first">
      <ErrorPanel
        title={t`The venues could not be loaded`}
        requestId={error instanceof ApiError ? error.requestId : undefined}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      >
        {error?.message}
      </ErrorPanel>
    </section>
  )
}

function VenuesSkeleton() {
  return (
    <Skeleton label={t`Loading venues`}>
      <div className="panel-body flag-bones">
        {[0, 1, 2, 3].map((row) => (
          <Bone key={row} widthPx={320} />
        ))}
      </div>
    </Skeleton>
  )
}
