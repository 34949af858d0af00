import { t } from '@lingui/core/macro'

/** The keyboard shortcuts of the chart, and the meaning of a hollow mark. */
export function ChartHints({ hasPartial }: { hasPartial: boolean }) {
  const hints: [keys: string[], text: string][] = [
    [['←', '→'], t`read a bucket`],
    [['Shift', '→'], t`next with errors`],
    [['Enter'], t`open its requests`],
    [['+', '−'], t`or drag to zoom`],
  ]
  return (
    <p className="chart-hints">
      {hints.map(([keys, text]) => (
        <span key={text} className="only-wide">
          {keys.map((key) => (
            <span className="kbd" key={key}>
              {key}
            </span>
          ))}{' '}
          {text}
        </span>
      ))}
      {hasPartial && <span className="end">{t`Hollow marks: incomplete buckets.`}</span>}
    </p>
  )
}
