import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from '../../router.ts'
import { searchNow } from '../../search-now.ts'
import { keyTotalsQuery } from './key-usage.queries.ts'
import type { HeldSecret } from './new-key/hold-secret.ts'
import { KeyCard } from './KeyCard.tsx'
import { keyUseOf } from './key-state.ts'
import { KeysBar } from './KeysBar.tsx'
import { listKeys, readKeysFilter, writeKeysFilter } from './list-keys.ts'

type KeysPanelProps = { keys: readonly ApiKey[]; onRegenerated: (secret: HeldSecret) => void }

export function KeysPanel({ keys, onRegenerated }: KeysPanelProps) {
  const totals = useQuery(keyTotalsQuery)
  const [search, setSearch] = useSearchParams()
  const filter = readKeysFilter(search)
  const shown = listKeys(keys, totals.data?.rows ?? [], filter)
  return (
    <>
      {(keys.length > 1 || keys.some(({ tags }) => tags.length > 0)) && (
        <KeysBar
          keys={keys}
          shown={shown}
          filter={filter}
          onChange={(changed) =>
            setSearch(writeKeysFilter({ ...readKeysFilter(searchNow()), ...changed }), { replace: true })
          }
        />
      )}
      <section className="panel keys" aria-label={t`API keys`}>
        <div className="keys-head" aria-hidden="true">
          <span>{t`Key`}</span>
          <span>{t`Last 60 minutes`}</span>
          <span className="numeric">{t`Total`}</span>
          <span className="numeric">{t`Success`}</span>
          <span className="numeric">{t`Failed`}</span>
          <span>{t`Active`}</span>
          <span />
        </div>
        {shown.length === 0 && <p className="message muted">{t`No key matches this search.`}</p>}
        {shown.map((key) => (
          <KeyCard
            key={key.id}
            apiKey={key}
            keyCount={shown.length}
            use={keyUseOf(totals.data?.rows, key.id)}
            onRegenerated={onRegenerated}
          />
        ))}
      </section>
      <p className="under">
        <span>
          {t`A key is shown in full once, when it is created. Lists show its public prefix. Totals are of the last 30 days.`}
        </span>
        <span className="end">
          <span className="key">{t`served`}</span>
          <span className="key key-throttled">{t`rejected by a limit`}</span>
          <span className="key key-client-error">{t`client error`}</span>
          <span className="key key-server-error">{t`server error`}</span>
        </span>
      </p>
    </>
  )
}
