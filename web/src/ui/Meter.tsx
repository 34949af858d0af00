import type { CSSProperties } from 'react'

const WARN_PERCENT = 70

type MeterProps = {
  label: string
  value: number
  max: number
  /** The value in words, with its unit. */
  valueText: string
}

export function Meter({ label, value, max, valueText }: MeterProps) {
  const percent = max === 0 ? 0 : (value / max) * 100
  const tone = percent > 100 ? 'over' : percent >= WARN_PERCENT ? 'warn' : ''
  return (
    <div
      className={`meter ${tone}`}
      style={{ '--v': Math.min(100, percent).toFixed(1) } as CSSProperties}
      role="meter"
      aria-label={label}
      aria-valuenow={Math.min(value, max)}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuetext={valueText}
    />
  )
}
