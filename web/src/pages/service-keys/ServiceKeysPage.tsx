import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { publicApiUrl } from '../../platform.ts'
import { useSearchParams } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { Command } from '../../ui/Command.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import '../api-keys/api-keys.css'
import '../api-keys/api-keys-narrow.css'
import './service-keys.css'
import { keyTotalsQuery } from '../api-keys/key-usage.queries.ts'
import { keyUseOf } from '../api-keys/key-state.ts'
import { KeysSkeleton } from '../api-keys/KeysSkeleton.tsx'
import type { HeldSecret } from '../api-keys/new-key/hold-secret.ts'
import { SecretOnceDialog } from '../api-keys/new-key/SecretOnceDialog.tsx'
import { NewServiceKeyDialog } from './NewServiceKeyDialog.tsx'
import { ScopeUsePanel } from './ScopeUsePanel.tsx'
import { SecretAndLimits } from './SecretAndLimits.tsx'
import { ServiceKeyRow } from './ServiceKeyRow.tsx'
import { serviceKeysQuery } from './service-keys.queries.ts'

/** Keys for automation: they call the account's API instead of reading market data. */
export function ServiceKeysPage() {
  const keys = useQuery(serviceKeysQuery)
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<HeldSecret>()
  useEffect(() => () => secret?.wipe(), [secret])
  const count = keys.data?.length ?? 0
  return (
    <>
      <div className="pagebar">
        {keys.data === undefined ? (
          <p />
        ) : (
          <p>
            <Trans>
              <b className="mono">{count}</b> <Plural value={count} one="service key" other="service keys" />
            </Trans>
          </p>
        )}
        {count > 0 && (
          <div className="actions">
            <CreateButton onClick={() => setCreating(true)} />
          </div>
        )}
      </div>
      <ServiceKeys onCreate={() => setCreating(true)} onRegenerated={setSecret} />
      {isCreating && (
        <NewServiceKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(created) => {
            setCreating(false)
            setSecret(created)
          }}
        />
      )}
      {secret !== undefined && <SecretOnceDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

type ServiceKeysProps = { onCreate: () => void; onRegenerated: (secret: HeldSecret) => void }

function ServiceKeys({ onCreate, onRegenerated }: ServiceKeysProps) {
  const keys = useQuery(serviceKeysQuery)
  const totals = useQuery(keyTotalsQuery)
  const [search, setSearch] = useSearchParams()
  if (keys.isPending) return <KeysSkeleton />
  if (keys.data === undefined) {
    return (
      <section className="panel">
        <ErrorPanel
          title={t`Your service keys could not be loaded`}
          requestId={keys.error instanceof ApiError ? keys.error.requestId : undefined}
          onRetry={() => void keys.refetch()}
          isRetrying={keys.isFetching}
        >
          {keys.error?.message}
        </ErrorPanel>
      </section>
    )
  }
  const chosen = keys.data.find(({ id }) => id === search.get('key')) ?? keys.data[0]
  if (chosen === undefined) return <NoServiceKeys onCreate={onCreate} />
  const keyUse = ({ id }: ApiKey) => keyUseOf(totals.data?.rows, id)
  return (
    <>
      <section className="panel service-keys" aria-label={t`Service keys`}>
        <div className="service-keys-head" aria-hidden="true">
          <span>{t`Service key`}</span>
          <span>{t`Owner`}</span>
          <span>{t`Scopes and networks`}</span>
          <span>{t`Last 60 minutes`}</span>
          <span className="numeric">{t`30 days`}</span>
          <span>{t`State`}</span>
          <span />
        </div>
        {keys.data.map((key) => (
          <ServiceKeyRow
            key={key.id}
            apiKey={key}
            keyCount={keys.data.length}
            use={keyUse(key)}
            isChosen={key === chosen}
            onChoose={() => setSearch({ key: key.id }, { replace: true })}
            onRegenerated={onRegenerated}
          />
        ))}
      </section>
      <div className="service-keys-split" key={chosen.id}>
        <ScopeUsePanel apiKey={chosen} />
        <SecretAndLimits apiKey={chosen} use={keyUse(chosen)} onRegenerated={onRegenerated} />
      </div>
      <p className="under">
        {t`A service key belongs to the account, and the audit trail names it for each change. It cannot manage service keys, sessions or settings.`}
      </p>
    </>
  )
}

function NoServiceKeys({ onCreate }: { onCreate: () => void }) {
  return (
    <section className="panel" aria-labelledby="no-service-keys">
      <div className="invite">
        <div>
          <h2 className="size-20" id="no-service-keys">
            {t`No service keys yet`}
          </h2>
          <p className="muted">
            {t`A service key lets a pipeline rotate API keys, or a report read usage, without anyone's password. You choose what it may do and from where.`}
          </p>
          <CreateButton onClick={onCreate} />
        </div>
        <div>
          <p className="muted small">{t`Sample call of a pipeline`}</p>
          <Command>{`curl -s ${publicApiUrl}/api/v1/internal/api-keys -H "Authorization: Bearer $TAPELINE_SERVICE_KEY"`}</Command>
        </div>
      </div>
    </section>
  )
}

function CreateButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="primary" icon={<Plus className="icon" aria-hidden="true" />} onClick={onClick}>
      {t`Create service key`}
    </Button>
  )
}
