import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Tier } from '@tapeline/contracts/actor'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { Check } from 'lucide-react'
import { Fragment } from 'react'
import { pageLanguage } from '../page-language.ts'
import { PlanHead } from './PlanHead.tsx'
import { PLAN_GROUPS, type PlanGroup, type PlanRow } from './plan-rows.ts'
import { PLANS } from './plans.ts'
import { cellText } from './cell-text.ts'
import { type PricingWord, pricingWords } from './pricing-words.ts'
import { shippedText } from './shipped-texts.ts'

const NOTHING = '\u00A0'

/** One grid for heads and rows, so that everything lines up. */
export function PlanTable() {
  const { currency } = tierDocuments.basic.billing
  return (
    <section className="site plan-table" aria-label={t`Plans compared`}>
      <table className="grid">
        <colgroup>
          <col />
          <col />
          <col />
          <col />
        </colgroup>
        <thead>
          <tr>
            <td className="muted small">
              <span data-part="prices">
                <Trans>Prices in {currency}, without tax.</Trans>
              </span>
              <br />
              <Trans>
                Limits apply to the account,
                <br />
                all keys together.
              </Trans>
            </td>
            {PLANS.map((tier) => (
              <PlanHead key={tier} tier={tier} plan={tierDocuments[tier]} />
            ))}
          </tr>
        </thead>
        <tbody>
          {PLAN_GROUPS.map((group) => (
            <Group key={group.id} group={group} />
          ))}
        </tbody>
      </table>
      {/* Mark that the island inserts for an included feature. */}
      <template data-part="check">
        <Included />
      </template>
    </section>
  )
}

function Group({ group }: { group: PlanGroup }) {
  return (
    <Fragment>
      <tr className="group-row">
        <th scope="rowgroup">{groupLabels()[group.id]}</th>
        {PLANS.map((tier) => (
          <td key={tier} data-tier={tier}>
            {NOTHING}
          </td>
        ))}
      </tr>
      {group.rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">{rowLabels()[row.id]}</th>
          {PLANS.map((tier) => (
            <Cell key={tier} tier={tier} row={row} />
          ))}
        </tr>
      ))}
    </Fragment>
  )
}

function Cell({ tier, row }: { tier: Tier; row: PlanRow }) {
  const cell = row.cell(tierDocuments[tier])
  const texts = pricingWords()
  const words = (name: PricingWord, { count = 0 } = {}): string =>
    (texts[name].split(' | ').at(-1) ?? '').replace('%count%', String(count))
  return (
    <td data-tier={tier} data-row={row.id} data-kind={cell.kind} data-p={tierDocuments[tier].display.name}>
      {cell.kind === 'included' ? (
        <Included />
      ) : (
        cellText(cell, { words, known: shippedText, language: pageLanguage() })
      )}
    </td>
  )
}

function Included() {
  return (
    <>
      <Check className="icon" aria-hidden="true" />
      <span className="sr-only">
        <Trans>included</Trans>
      </span>
    </>
  )
}

function groupLabels(): Record<string, string> {
  return { limits: t`Rate limits`, data: t`Data`, insight: t`Insight`, support: t`Support` }
}

function rowLabels(): Record<string, string> {
  return {
    requestsPerMinute: t`Requests per minute`,
    requestsPerHour: t`Requests per hour`,
    requestsPerDay: t`Requests per day`,
    requestsPerMonth: t`Requests per month`,
    burstLimit: t`Burst, per second`,
    concurrentRequests: t`Concurrent requests`,
    streamConnections: t`Stream connections`,
    streamMessagesPerSecond: t`Stream messages per second`,
    apiAccess: t`REST access`,
    realTimeData: t`Live stream`,
    history: t`History`,
    dataExport: t`Data export`,
    webhooks: t`Webhooks`,
    basicAnalytics: t`Basic analytics`,
    advancedAnalytics: t`Advanced analytics`,
    customReports: t`Custom reports`,
    channels: t`Channels`,
    responseTime: t`Response within`,
    availability: t`Availability`,
    trial: t`Trial`,
  }
}
