import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { formatCount } from '../../format/number.ts'
import { useSearchParams } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import './api-keys.css'
import './api-keys-narrow.css'
import { keysQuery } from './api-keys.queries.ts'
import { keyTotalsQuery } from './key-usage.queries.ts'
import type { HeldSecret } from './new-key/hold-secret.ts'
import { KeysPanel } from './KeysPanel.tsx'
import { KeysSkeleton } from './KeysSkeleton.tsx'
import './bulk/bulk.css'
import { LeakPolicy } from './bulk/LeakPolicy.tsx'
import { LimitsInUse } from './LimitsInUse.tsx'
import { NewKeyDialog } from './new-key/NewKeyDialog.tsx'
import { NoKeys } from './NoKeys.tsx'
import { SecretOnceDialog } from './new-key/SecretOnceDialog.tsx'

export function ApiKeysPage() {
  const keys = useQuery(keysQuery)
  const [search, setSearch] = useSearchParams()
  const [secret, setSecret] = useState<HeldSecret>()
  const isCreating = search.get('new') === 'key'

  function setCreating(isOpen: boolean): void {
    const { new: _, ...rest } = Object.fromEntries(search)
    setSearch(isOpen ? { ...rest, new: 'key' } : rest, { replace: true })
  }

  useEffect(() => () => secret?.wipe(), [secret])
  const close = (): void => setSecret(undefined)

  return (
    <>
      <div className="pagebar">
        <StateLine />
        {keys.data !== undefined && keys.data.length > 0 && (
          <div className="actions">
            <Button
              variant="primary"
              icon={<Plus className="icon" aria-hidden="true" />}
              onClick={() => setCreating(true)}
            >
              {t`Create API Key`}
            </Button>
          </div>
        )}
      </div>
      <Keys onCreate={() => setCreating(true)} onRegenerated={setSecret} />
      {isCreating && (
        <NewKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(held) => {
            setCreating(false)
            setSecret(held)
          }}
        />
      )}
      {secret !== undefined && <SecretOnceDialog secret={secret} onClose={close} />}
    </>
  )
}

type KeysProps = { onCreate: () => void; onRegenerated: (secret: HeldSecret) => void }

function Keys({ onCreate, onRegenerated }: KeysProps) {
  const keys = useQuery(keysQuery)
  if (keys.isPending) return <KeysSkeleton />
  if (keys.data === undefined) {
    return (
      <section className="panel">
        <ErrorPanel
          title={t`Your API keys could not be loaded`}
          requestId={keys.error instanceof ApiError ? keys.error.requestId : undefined}
          onRetry={() => void keys.refetch()}
          isRetrying={keys.isFetching}
        >
          {keys.error?.message}
        </ErrorPanel>
      </section>
    )
  }
  if (keys.data.length === 0) return <NoKeys onCreate={onCreate} />
  return (
    <>
      <KeysPanel keys={keys.data} onRegenerated={onRegenerated} />
      <LimitsInUse />
      <LeakPolicy />
    </>
  )
}

/** Summary line: number of keys, number of active keys, number of requests. */
function StateLine() {
  const keys = useQuery(keysQuery)
  const totals = useQuery(keyTotalsQuery)
  if (keys.data === undefined) return <p>{keys.isPending ? t`Loading your keys…` : ''}</p>
  const active = keys.data.filter(({ status }) => status === 'active').length
  const count = keys.data.length
  return (
    <p>
      <Trans>
        <b className="mono">{count}</b> <Plural value={count} one="key configured" other="keys configured" />
      </Trans>{' '}
      <span className="faint">·</span>{' '}
      <Trans>
        <b className="mono">{active}</b> <Plural value={active} one="active" other="active" />
      </Trans>
      {totals.data !== undefined && (
        <>
          {' '}
          <span className="faint">·</span>{' '}
          <Trans>
            <b className="mono">{formatCount(totals.data.total)}</b>{' '}
            <Plural value={totals.data.total} one="request" other="requests" /> in 30 days
          </Trans>
        </>
      )}
    </p>
  )
}
