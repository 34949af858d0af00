import { t } from '@lingui/core/macro'
import type { Component } from '@tapeline/contracts/audit/status'

export function componentWords(): Record<Component, { name: string; what: string }> {
  return {
    gateway: { name: t`Gateway`, what: t`every public call` },
    'market-data': { name: t`Market data`, what: t`trades, level-2 events, samples` },
    identity: { name: t`Accounts`, what: t`sign-in, profile, mail` },
    config: { name: t`Plans and settings`, what: t`limits, flags, prices` },
    audit: { name: t`Usage numbers`, what: t`dashboard, request log, this page` },
    'api-key': { name: t`API keys`, what: t`creation, changes, revocation` },
  }
}

/** Texts of the island (islands/parts/words.ts). */
export function statusWords() {
  return {
    allUp: t`All systems operational`,
    targetMissed: t`All systems respond, %count% target missed`.concat(
      ' | ',
      t`All systems respond, %count% targets missed`,
    ),
    someDegraded: t`Some components return errors`,
    someDown: t`Some components are down`,
    nothing: t`Nothing has been measured yet`,
    unreadable: t`The status cannot be read at the moment`,
    unknown: t`unknown`,
    again: t`Updated every minute.`,
    asOf: t`As of %time% UTC.`,
    up: t`Operational`,
    degraded: t`With errors`,
    down: t`Down`,
    not_measured: t`not measured`,
    kept: t`Met`,
    missed: t`Missed`,
    bars: t`%part%: %days% of 90 days measured, %trouble% with failures.`,
    counted: t`%count% counted request`.concat(' | ', t`%count% counted requests`),
    histogram: t`Histogram of response times: p50 %p50% ms, p95 %p95% ms, p99 %p99% ms.`,
    promised: t`target: %ms% ms`,
    upTo: t`up to %ms% ms`,
    above: t`slower`,
    noTrouble: t`None of the measured days.`,
    trouble: t`%share% of %count% requests and probes were answered.`,
    day: t`Day`,
    caption: t`Share of requests and probes that were answered, per part and day`,
  }
}
