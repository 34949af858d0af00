import { plural, t } from '@lingui/core/macro'
import type { ShadowReport } from '@tapeline/contracts/audit/shadow'
import { useQuery } from '@tanstack/react-query'
import { formatDateTime } from '../../../format/date.ts'
import { formatCount, formatPercent } from '../../../format/number.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { AccountLink } from '../users/AccountLink.tsx'
import { accountNamesQuery } from '../users/users.queries.ts'

const ROWS_MAX = 50

/** Who would be rejected, how often, when and by which limits. */
export function ShadowAccounts({ report }: { report: ShadowReport }) {
  const { timezone } = useSettings()
  const rows = report.rows.slice(0, ROWS_MAX)
  const names = useQuery(accountNamesQuery(rows.map(({ account_id: id }) => id))).data
  const count = report.rows.length
  return (
    <section className="panel" aria-labelledby="shadow-who">
      <div className="panel-head">
        <h2 id="shadow-who">{t`Affected accounts`}</h2>
        <span className="small muted">
          {count > rows.length
            ? t`the ${formatCount(rows.length)} accounts with the most new rejections`
            : plural(count, { one: '# account', other: '# accounts' })}
        </span>
      </div>
      {rows.length === 0 ? (
        <p className="panel-body muted">{t`Today’s limits and these give the same result for every request.`}</p>
      ) : (
        <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Affected accounts`}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t`Account`}</th>
                <th scope="col">{t`Limits`}</th>
                <th scope="col" className="numeric">{t`Keys`}</th>
                <th scope="col" className="numeric">{t`Rejected`}</th>
                <th scope="col" className="numeric">{t`Would be rejected`}</th>
                <th scope="col" className="numeric">{t`Share`}</th>
                <th scope="col">{t`First, ${timezone}`}</th>
                <th scope="col">{t`Last, ${timezone}`}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.account_id}>
                  <td>
                    <AccountLink id={row.account_id} name={names?.get(row.account_id)} />
                  </td>
                  <td>{row.policies.map(({ policy, requests }) => `${policy} ${formatCount(requests)}`).join(', ')}</td>
                  <td className="numeric">{formatCount(row.keys.length)}</td>
                  <td className="numeric">{formatCount(row.rejected)}</td>
                  <td className="numeric">{formatCount(row.would_be_rejected)}</td>
                  <td className="numeric">{formatPercent(row.would_be_rejected / row.requests)}</td>
                  <td className="mono">{row.first === null ? '' : formatDateTime(row.first.at, timezone)}</td>
                  <td className="mono">{row.last_at === null ? '' : formatDateTime(row.last_at, timezone)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
