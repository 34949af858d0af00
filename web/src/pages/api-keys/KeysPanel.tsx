import type { ApiKey, CreatedKey } from '@tapeline/contracts/api-key/http'
import { useQuery } from '@tanstack/react-query'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { keyTotalsQuery } from './api-keys.queries.ts'
import { KeyCard } from './KeyCard.tsx'

type KeysPanelProps = { keys: readonly ApiKey[]; onRegenerated: (created: CreatedKey) => void }

export function KeysPanel({ keys, onRegenerated }: KeysPanelProps) {
  const totals = useQuery(keyTotalsQuery)
  return (
    <>
      <section className="panel keys" aria-label="API keys">
        <div className="keys-head" aria-hidden="true">
          <span>Key</span>
          <span>Last 60 minutes</span>
          <span className="num">Total</span>
          <span className="num">Success</span>
          <span className="num">Failed</span>
          <span />
        </div>
        {keys.map((key) => (
          <KeyCard
            key={key.id}
            apiKey={key}
            keyCount={keys.length}
            usage={totals.data?.rows.find((row) => row.key === key.id)}
            isUsageKnown={totals.data !== undefined}
            onRegenerated={onRegenerated}
          />
        ))}
      </section>
      <p className="under">
        <span>
          A key is shown in full once, when it is created. Lists show its public prefix. Totals are of the last 30 days.
        </span>
        <span className="end">
          <span className="key">served</span>
          <span className="key key-t">throttled</span>
          <span className="key key-c">client error</span>
          <span className="key key-s">server error</span>
        </span>
      </p>
    </>
  )
}

export function KeysSkeleton() {
  return (
    <Skeleton label="Loading your keys">
      <section className="panel keys">
        {[0, 1, 2].map((row) => (
          <div className="keyrow" key={row}>
            <div>
              <Bone widthPx={112} />
              <br />
              <Bone widthPx={196} />
            </div>
            <Bone widthPx={420} heightPx={44} />
          </div>
        ))}
      </section>
    </Skeleton>
  )
}
