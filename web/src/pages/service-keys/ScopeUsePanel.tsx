import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../format/number.ts'
import { Button } from '../../ui/Button.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { ConfirmDialog } from '../api-keys/ConfirmDialog.tsx'
import { EditKeyDialog } from '../api-keys/EditKeyDialog.tsx'
import { updateKey } from '../api-keys/send-key-changes.ts'
import { Locked } from '../metrics/Locked.tsx'
import { lockedTier } from '../metrics/locked-tier.ts'
import { type ScopeUse, scopeUse, unusedScopes } from './scope-use.ts'
import { keyUseQuery } from './service-keys.queries.ts'

/** The scopes of the key compared with its requests of 30 days. */
export function ScopeUsePanel({ apiKey }: { apiKey: ApiKey }) {
  const use = useQuery(keyUseQuery(apiKey.id, 'endpoint'))
  const [isEditing, setEditing] = useState(false)
  const locked = use.data && lockedTier(use.data, 'basicAnalytics')
  // A locked report has no rows, which says nothing about the use.
  const rows = locked === undefined ? use.data?.rows : undefined
  return (
    <section className="panel" aria-labelledby="scope-use">
      <div className="panel-head">
        <h2 id="scope-use">{t`What ${apiKey.name} may do`}</h2>
        <span className="small muted">{t`compared with its requests of the last 30 days`}</span>
        <span className="tools">
          <Button
            size="small"
            variant="quiet"
            isDisabled={apiKey.status === 'revoked'}
            onClick={() => setEditing(true)}
          >
            {t`Edit`}
          </Button>
        </span>
      </div>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t`Scope`}</th>
            <th scope="col">{t`Read`}</th>
            <th scope="col">{t`Write`}</th>
            <th scope="col" className="numeric">
              {t`Requests`}
            </th>
          </tr>
        </thead>
        <tbody>
          {scopeUse(apiKey.scopes, rows ?? []).map((one) => (
            <tr key={one.area}>
              <th scope="row" className="mono">
                {one.area}
              </th>
              <td>
                <Granted is={one.read} />
              </td>
              <td>
                <Granted is={one.write} />
              </td>
              <td className="numeric">{rows === undefined ? '' : countOf(one)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {use.error !== null && <p className="panel-foot">{t`The requests could not be loaded. ${use.error.message}`}</p>}
      {locked !== undefined && <Locked what={t`Breakdowns`} tier={locked} />}
      {rows !== undefined && <Unused apiKey={apiKey} scopes={unusedScopes(apiKey.scopes, rows)} />}
      {isEditing && <EditKeyDialog apiKey={apiKey} onClose={() => setEditing(false)} />}
    </section>
  )
}

function Granted({ is }: { is: boolean | undefined }) {
  if (is === undefined) return <span className="faint">–</span>
  return (
    <StateBadge tone={is ? 'ok' : 'off'}>
      <span className="sr-only">{is ? t`yes` : t`no`}</span>
    </StateBadge>
  )
}

/** A scope that the key does not have has no count, unless requests were made before it was removed. */
function countOf({ read, write, requests }: ScopeUse): string {
  return read !== true && write !== true && requests === 0 ? '' : formatCount(requests)
}

function Unused({ apiKey, scopes }: { apiKey: ApiKey; scopes: readonly string[] }) {
  const [isConfirming, setConfirming] = useState(false)
  if (scopes.length === 0 || apiKey.status === 'revoked') return null
  const remaining = apiKey.scopes.filter((scope) => !scopes.includes(scope))
  return (
    <>
      <p className="panel-foot">
        <span>
          <code>{scopes.join(' ')}</code> {t`not used in 30 days.`}
        </span>{' '}
        {remaining.length > 0 && (
          <button type="button" className="link" onClick={() => setConfirming(true)}>
            {t`Remove`}
          </button>
        )}
      </p>
      {isConfirming && (
        <ConfirmDialog
          title={t`Remove unused scopes of ${apiKey.name}`}
          text={t`Calls that need them are rejected from the next request on. You can add them again.`}
          impact={<code>{scopes.join(' ')}</code>}
          action={t`Remove`}
          failure={t`Failed to update API key. Please try again.`}
          done={t`${apiKey.name} is saved`}
          onConfirm={() => updateKey(apiKey.id, { scopes: remaining })}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}
