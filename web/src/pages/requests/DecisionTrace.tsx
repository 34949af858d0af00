import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { ExplainedWindow, Explanation } from '@tapeline/contracts/audit/requests'
import { Check, OctagonX } from 'lucide-react'
import { i18n } from '../../language/i18n.ts'
import { formatCount } from '../../format/number.ts'
import { Meter } from '../../ui/Meter.tsx'
import { POLICY_NAMES } from '../api-keys/policy-names.ts'
import { momentOf, waitUntil } from './verdict.ts'

type DecisionTraceProps = { explanation: Explanation; time: string; timeZone: string }

/** Every limit as it stood when the request was decided, the ones that denied it marked. */
export function DecisionTrace({ explanation, ...moment }: DecisionTraceProps) {
  const { windows, key_windows } = explanation
  if (windows.length + key_windows.length === 0) return null
  return (
    <>
      <h3>{t`Decision, limit by limit`}</h3>
      <ol className="trace">
        {windows.map((one) => (
          <Line key={one.policy} limit={one} name={i18n._(POLICY_NAMES[one.policy])} {...moment} />
        ))}
        {key_windows.map((one) => (
          <Line
            key={`key-${one.policy}`}
            limit={one}
            name={t`Key, ${i18n._(POLICY_NAMES[one.policy]).toLowerCase()}`}
            {...moment}
          />
        ))}
      </ol>
    </>
  )
}

type LineProps = { limit: ExplainedWindow; name: string; time: string; timeZone: string }

function Line({ limit: { used, limit, has_denied, resets_at }, name, time, timeZone }: LineProps) {
  const Icon = has_denied ? OctagonX : Check
  const wait = waitUntil(time, resets_at)
  return (
    <li className={has_denied ? 'hit' : undefined}>
      <Icon className="icon" aria-hidden="true" />
      <span>
        {name}
        <span className="sr-only">, {has_denied ? t`rejected the request` : t`was not reached`}</span>
      </span>
      <Meter label={name} value={used} max={limit} valueText={t`${formatCount(used)} of ${formatCount(limit)}`} />
      <span className="mono small right nowrap">
        {formatCount(used)} <span className="faint">/ {formatCount(limit)}</span>
      </span>
      {wait !== undefined && resets_at !== null && (
        <span className="reset size-12 faint">
          <Trans>
            frees a slot after <span className="mono">{wait}</span>, at{' '}
            <span className="mono">{momentOf(resets_at, time, timeZone)}</span>
          </Trans>
        </span>
      )}
    </li>
  )
}
