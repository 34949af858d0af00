import { plural, t } from '@lingui/core/macro'
import type { UsagePoint } from '@tapeline/contracts/audit/http'
import type { TapeKind, TapeSlot } from '../../ui/Tape.tsx'

export type HourTape = { slots: TapeSlot[]; label: string; summary: string; isIdle: boolean }

/** One slot a minute, newest first; height by square root, so that one request is visible next to a thousand. */
export function hourTape(series: readonly UsagePoint[]): HourTape {
  const newestFirst = series.toReversed()
  const most = Math.max(1, ...newestFirst.map(({ success, failed }) => Math.max(success, failed)))
  const height = (count: number): number => (count === 0 ? 0 : Math.max(0.12, Math.sqrt(count / most)))
  const slots = newestFirst.map((point): TapeSlot => {
    const kind = worstOf(point)
    return {
      key: point.from,
      ...(point.success === 0 ? {} : { up: height(point.success) }),
      ...(kind === undefined ? {} : { kind, down: height(point.failed) }),
    }
  })
  const served = sum(series, ({ success }) => success)
  const denied = sum(series, (point) => point.denied)
  const failed = sum(series, (point) => point.failed)
  const parts = [
    plural(served, { one: '# served', other: '# served' }),
    ...(failed === 0 ? [] : [failedWords(failed, denied)]),
  ]
  const isIdle = served + failed === 0
  return {
    slots,
    isIdle,
    summary: isIdle ? t`no requests` : parts.join(', '),
    label: isIdle ? t`No requests in the last 60 minutes` : t`In the last 60 minutes: ${parts.join(', ')}`,
  }
}

/** As in the Failed column, requests that a limit rejected count as failed. */
function failedWords(failed: number, denied: number): string {
  const all = plural(failed, { one: '# failed', other: '# failed' })
  if (denied === 0) return all
  return t`${all} (${denied} by a limit)`
}

function worstOf({ server_errors, denied, failed }: UsagePoint): TapeKind | undefined {
  if (server_errors > 0) return 'server'
  if (denied > 0) return 'throttled'
  return failed > 0 ? 'client' : undefined
}

function sum(series: readonly UsagePoint[], of: (point: UsagePoint) => number): number {
  return series.reduce((total, point) => total + of(point), 0)
}
