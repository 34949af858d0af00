import { t } from '@lingui/core/macro'
import type { Venue, VenueFeed, VenueInstrument } from '@tapeline/contracts/market-data/venues'
import { formatAgo } from '../../../format/duration.ts'
import { formatNumber } from '../../../format/number.ts'
import { i18n } from '../../../language/i18n.ts'
import { Button } from '../../../ui/Button.tsx'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { type Column, Table } from '../../../ui/rows/Table.tsx'
import { StateBadge } from '../../../ui/StateBadge.tsx'
import { bookStyles, countWords, feedStyles, gapWords, lagWords, venueName } from './venue-words.ts'

type VenuePanelProps = { venue: Venue; onSymbols: () => void; onPause: () => void }

/** One venue: its connections, and the instruments of each. */
export function VenuePanel({ venue, onSymbols, onPause }: VenuePanelProps) {
  const name = venueName(venue.venue)
  const isEmpty = venue.feeds.length === 0
  return (
    <section className="panel" aria-label={name}>
      <div className="panel-head">
        <h2>{name}</h2>
        <span className="muted">{isEmpty ? t`Nothing is connected` : countWords(venue)}</span>
        <span className="end venue-actions">
          {!isEmpty && (
            <Button size="small" onClick={onPause}>
              {venue.is_paused ? t`Resume` : t`Pause`}
            </Button>
          )}
          <Button size="small" onClick={onSymbols}>
            {isEmpty ? t`Connect` : t`Symbols`}
          </Button>
        </span>
      </div>
      {venue.feeds.map((feed) => (
        <Feed key={feed.feed} feed={feed} />
      ))}
    </section>
  )
}

function Feed({ feed }: { feed: VenueFeed }) {
  const nowMs = useNow()
  const { tone, words } = feedStyles[feed.state]
  return (
    <>
      <div className="venue-feed">
        <code>{feed.feed}</code>
        <StateBadge tone={tone}>{i18n._(words)}</StateBadge>
        {feed.connected_at !== null && feed.is_connected && (
          <span className="muted">{t`opened ${formatAgo(feed.connected_at, nowMs)}`}</span>
        )}
        {feed.last_message_at !== null && (
          <span className="muted">
            {t`${formatNumber(feed.messages, 0)} messages, the latest ${formatAgo(feed.last_message_at, nowMs)}`}
          </span>
        )}
        {feed.last_error !== null && feed.last_error_at !== null && (
          <span className="venue-error">
            {t`Last error, ${formatAgo(feed.last_error_at, nowMs)}:`} <code>{feed.last_error}</code>
          </span>
        )}
      </div>
      <Table
        caption={t`Instruments of ${feed.feed}`}
        className="venue-instruments"
        rows={feed.instruments}
        rowKey={({ symbol }) => symbol}
        columns={columns(nowMs)}
      />
    </>
  )
}

function columns(nowMs: number): Column<VenueInstrument>[] {
  return [
    { key: 'symbol', head: t`Symbol`, cell: ({ symbol }) => <span className="mono">{symbol}</span> },
    {
      key: 'book',
      head: t`Book`,
      cell: ({ book }) => <StateBadge tone={bookStyles[book].tone}>{i18n._(bookStyles[book].words)}</StateBadge>,
    },
    {
      key: 'lag',
      head: t`Lag`,
      isNumber: true,
      cell: ({ lag_ms }) => <span className="nowrap">{lagWords(lag_ms)}</span>,
    },
    { key: 'gaps', head: t`Gaps`, cell: (instrument) => gapWords(instrument) },
    {
      key: 'missing',
      head: t`Missing trades`,
      isNumber: true,
      className: 'only-wide',
      cell: ({ missing_trades }) => formatNumber(missing_trades, 0),
    },
    {
      key: 'latest',
      head: t`Latest record`,
      className: 'only-wide',
      cell: ({ last_record_at }) => (
        <span className="muted nowrap">{last_record_at === null ? '–' : formatAgo(last_record_at, nowMs)}</span>
      ),
    },
  ]
}
