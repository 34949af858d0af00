import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { useSearchParams } from '../../../router.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../../ui/Skeleton.tsx'
import { UnsavedGuard } from '../../UnsavedGuard.tsx'
import { ConflictDialog } from '../ConflictDialog.tsx'
import { isOtherTab } from '../is-other-tab.ts'
import { ConfigList } from './ConfigList.tsx'
import { ConfigPanel } from './ConfigPanel.tsx'
import { checkJson } from './check-json.ts'
import { hasTyped } from './config-drafts.ts'
import { configsQuery } from './configs.queries.ts'
import { useConfigDrafts } from './use-config-drafts.ts'

export function ConfigsTab() {
  const configs = useQuery(configsQuery)
  const [search, setSearch] = useSearchParams()
  const editing = useConfigDrafts(configs.data)
  if (configs.data === undefined) return configs.isPending ? <ConfigsSkeleton /> : <NoConfigs configs={configs} />
  const keys = Object.keys(configs.data)
  const chosen = keys.find((key) => key === search.get('key')) ?? keys[0]
  const config = chosen === undefined ? undefined : configs.data[chosen]
  const valid = Object.entries(editing.drafts).flatMap(([key, { text }]) => (checkJson(text).ok ? [key] : []))
  return (
    <>
      <UnsavedGuard isDirty={hasTyped(editing.drafts)} isLost={isOtherTab} />
      <div className="pagebar">
        <StateLine count={keys.length} />
        {valid.length > 1 && (
          <div className="actions">
            <Button isBusy={editing.isSaving} onClick={() => void editing.save(valid)}>
              <Trans>Save all {valid.length}</Trans>
            </Button>
          </div>
        )}
      </div>
      <div className="config-split">
        <ConfigList
          configs={configs.data}
          drafts={editing.drafts}
          chosen={chosen}
          onChoose={(key) => setSearch({ tab: 'configs', key }, { replace: true })}
        />
        {chosen !== undefined && config !== undefined && (
          <ConfigPanel
            key={chosen}
            configKey={chosen}
            config={config}
            draft={editing.drafts[chosen]}
            isSaving={editing.isSaving}
            onEdit={() => editing.edit(chosen)}
            onType={(text) => editing.type(chosen, text)}
            onCancel={() => editing.drop([chosen])}
            onSave={() => void editing.save([chosen])}
          />
        )}
      </div>
      {editing.conflict !== undefined && (
        <ConflictDialog
          name={editing.conflict.keys.join(', ')}
          conflict={editing.conflict.error}
          changes={editing.conflict.changes}
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
    </>
  )
}

function StateLine({ count }: { count: number }) {
  return (
    <p>
      <Trans>
        <b className="mono">{count}</b> <Plural value={count} one="configuration" other="configurations" />{' '}
        <span className="faint">·</span> changes apply from the next request
      </Trans>
    </p>
  )
}

function ConfigsSkeleton() {
  return (
    <Skeleton label={t`Loading global configurations`}>
      <section className="panel panel-body flag-bones admin-first">
        {[0, 1, 2].map((row) => (
          <Bone key={row} widthPx={280} />
        ))}
      </section>
    </Skeleton>
  )
}

/** Takes the loaded data as a prop: a child that loads on mount would be mounted and load repeatedly. */
function NoConfigs({ configs }: { configs: UseQueryResult }) {
  return (
    <section className="panel admin-first">
      <ErrorPanel
        title={t`Failed to fetch global configurations`}
        requestId={configs.error instanceof ApiError ? configs.error.requestId : undefined}
        onRetry={() => void configs.refetch()}
        isRetrying={configs.isFetching}
      >
        {configs.error?.message}
      </ErrorPanel>
    </section>
  )
}
