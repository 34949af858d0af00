import type { PlatformStatus } from '@tapeline/contracts/audit/status'

/** Number of days with measurements, and of the measured requests and probes. */
export function measuredDays({ components }: PlatformStatus): { days: number; counted: number } {
  const days = components.flatMap((component) => component.days).filter(({ availability }) => availability !== null)
  return {
    days: new Set(days.map(({ day }) => day)).size,
    counted: days.reduce((sum, { requests, probes }) => sum + requests + probes, 0),
  }
}
