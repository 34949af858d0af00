import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useQuery } from '@tanstack/react-query'
import { planQuery } from '../../../api/plan.queries.ts'
import { formatCount } from '../../../format/number.ts'
import { i18n } from '../../../language/i18n.ts'
import { LIMIT_FIELDS, type LimitField } from '../../admin/limit-fields.ts'

export type TypedLimits = Partial<Record<LimitField, string>>
type ProposedKeyLimitsProps = {
  apiKey: ApiKey
  entered: TypedLimits
  onChange: (field: LimitField, text: string) => void
}

/** The limits that apply to the key today, its own or the plan's, next to proposed ones. */
export function ProposedKeyLimits({ apiKey, entered, onChange }: ProposedKeyLimitsProps) {
  const plan = useQuery(planQuery).data
  return (
    <table className="table key-shadow-limits">
      <thead>
        <tr>
          <th scope="col">{t`Limit`}</th>
          <th scope="col" className="numeric">{t`Today`}</th>
          <th scope="col" className="numeric">{t`Proposed`}</th>
        </tr>
      </thead>
      <tbody>
        {LIMIT_FIELDS.map(({ field, label }) => {
          const name = i18n._(label)
          const own = apiKey.rate_limits?.[field]
          const ofPlan = plan?.rate_limits[field]
          return (
            <tr key={field}>
              <th scope="row">{name}</th>
              <td className={own === undefined ? 'numeric faint' : 'numeric'}>
                {own === undefined ? (ofPlan === undefined ? '' : t`plan: ${formatCount(ofPlan)}`) : formatCount(own)}
              </td>
              <td className="numeric">
                <input
                  className="input mono"
                  inputMode="numeric"
                  aria-label={t`${name}, proposed`}
                  placeholder={t`none`}
                  value={entered[field] ?? ''}
                  onChange={({ target }) => onChange(field, target.value)}
                />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
