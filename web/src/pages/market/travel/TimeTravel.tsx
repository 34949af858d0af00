import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { useCallback } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Segmented } from '../../../ui/Segmented.tsx'
import { TimeInput } from '../../../ui/TimeInput.tsx'
import { dayStartMs, isoOf } from '../moment.ts'
import type { MarketView } from '../use-market-view.ts'
import { DaySlider } from './DaySlider.tsx'
import { daySlots, nextGap } from './day-slots.ts'

const SECOND_MS = 1_000

type Props = { instrument: Instrument; view: MarketView; onTravel: (at: string | undefined) => void }

/** Live, or a moment of the past: by field, by slider, by steps. */
export function TimeTravel({ instrument, view, onTravel }: Props) {
  const { moment, activity, gaps } = view
  const { atMs } = moment
  const dayMs = dayStartMs(atMs)
  // Stable, because the slider waits before it calls it.
  const travelTo = useCallback((ms: number) => onTravel(isoOf(ms)), [onTravel])
  const wholeMs = Math.floor(atMs / SECOND_MS) * SECOND_MS
  return (
    <div className="travel">
      <Segmented
        label={t`Time`}
        value={moment.isLive ? 'live' : 'moment'}
        options={[
          { value: 'live', label: t`Live` },
          { value: 'moment', label: t`Point in time` },
        ]}
        onChoose={(mode) => onTravel(mode === 'live' ? undefined : isoOf(wholeMs))}
      />
      <TimeInput
        type="datetime-local"
        step={0.001}
        aria-label={t`Time, UTC`}
        min={instrument.first_ts_event?.slice(0, 19)}
        value={isoOf(moment.isLive ? wholeMs : atMs).slice(0, 23)}
        onPick={(clock) => {
          const ms = Date.parse(`${clock}Z`)
          if (!Number.isNaN(ms)) travelTo(ms)
        }}
      />
      <DaySlider
        dayMs={dayMs}
        atMs={atMs}
        slots={daySlots(activity.data ?? [], dayMs)}
        gaps={gaps.data ?? []}
        onTravel={travelTo}
      />
      <Steps isLive={moment.isLive} atMs={wholeMs} gapEnd={nextGap(gaps.data ?? [], atMs)} onTravel={travelTo} />
      {!moment.isLive && !moment.canBeLive && (
        <p className="hint">{t`No recent records: the page shows the last ones.`}</p>
      )}
    </div>
  )
}

type StepsProps = { isLive: boolean; atMs: number; gapEnd: number | undefined; onTravel: (ms: number) => void }

function Steps({ isLive, atMs, gapEnd, onTravel }: StepsProps) {
  return (
    <div className="step">
      <Button size="small" onClick={() => onTravel(atMs - SECOND_MS)}>
        <Trans>−1 s</Trans> <span className="sr-only">{t`One second earlier`}</span>
      </Button>
      <Button size="small" isDisabled={isLive} onClick={() => onTravel(atMs + SECOND_MS)}>
        <Trans>+1 s</Trans> <span className="sr-only">{t`One second later`}</span>
      </Button>
      <Button
        size="small"
        isDisabled={gapEnd === undefined}
        title={gapEnd === undefined ? t`No gap in the book after this moment of the day` : undefined}
        onClick={() => gapEnd !== undefined && onTravel(gapEnd)}
      >
        {t`Next gap`}
      </Button>
    </div>
  )
}
