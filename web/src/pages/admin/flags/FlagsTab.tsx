import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { Role } from '@tapeline/contracts/actor'
import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { useQuery } from '@tanstack/react-query'
import { Plus, Search } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../../ui/Skeleton.tsx'
import { ConflictDialog } from '../ConflictDialog.tsx'
import { DeleteFlagDialog } from './DeleteFlagDialog.tsx'
import { FlagDialog } from './FlagDialog.tsx'
import { FlagGroup } from './FlagGroup.tsx'
import { FlagHistoryPanel } from './FlagHistoryPanel.tsx'
import { GROUPS } from './flag-groups.ts'
import { flagsQuery, readFlagAgain } from './flags.queries.ts'
import { useFlagSwitch } from './use-flag-switch.ts'

type OpenDialog = { what: 'create' } | { what: 'edit' | 'delete'; flag: AdminFlag }

export function FlagsTab({ role }: { role: Role }) {
  const flags = useQuery(flagsQuery)
  const [words, setWords] = useState('')
  const [dialog, setDialog] = useState<OpenDialog>()
  const [chosenId, setChosenId] = useState<string>()
  const { flip, busyIds, conflict, dropConflict } = useFlagSwitch()

  return (
    <>
      <FlagsBar words={words} onWords={setWords} onCreate={() => setDialog({ what: 'create' })} />
      <div className={chosenId === undefined ? undefined : 'admin-split'}>
        <div className="flag-groups">
          {flags.data === undefined ? (
            <NoFlagsYet />
          ) : (
            GROUPS.map((group) => (
              <FlagGroup
                key={group.role}
                {...group}
                flags={flags.data}
                words={words}
                reader={role}
                chosenId={chosenId}
                busyIds={busyIds}
                onFlip={(flag) => void flip(flag)}
                onChoose={({ id }) => setChosenId(id)}
                onEdit={(flag) => setDialog({ what: 'edit', flag })}
                onDelete={(flag) => setDialog({ what: 'delete', flag })}
              />
            ))
          )}
        </div>
        {chosenId !== undefined && (
          <FlagHistoryPanel key={chosenId} flagId={chosenId} reader={role} onClose={() => setChosenId(undefined)} />
        )}
      </div>
      {dialog !== undefined && (
        <FlagsDialog dialog={dialog} reader={role} onClose={() => setDialog(undefined)} onDeleted={setChosenId} />
      )}
      {conflict !== undefined && (
        <ConflictDialog
          name={conflict.flag.flag_key}
          conflict={conflict.error}
          onTakeTheirs={() => {
            dropConflict()
            void readFlagAgain(conflict.flag.id)
          }}
        />
      )}
    </>
  )
}

type FlagsDialogProps = { dialog: OpenDialog; reader: Role; onClose: () => void; onDeleted: (flagId: string) => void }

function FlagsDialog({ dialog, reader, onClose, onDeleted }: FlagsDialogProps) {
  if (dialog.what === 'create') return <FlagDialog reader={reader} onClose={onClose} />
  const { what, flag } = dialog
  if (what === 'edit') return <FlagDialog reader={reader} flag={flag} onClose={onClose} />
  return <DeleteFlagDialog flag={flag} onClose={onClose} onDeleted={() => onDeleted(flag.id)} />
}

type FlagsBarProps = { words: string; onWords: (words: string) => void; onCreate: () => void }

function FlagsBar({ words, onWords, onCreate }: FlagsBarProps) {
  return (
    <div className="pagebar">
      <StateLine />
      <div className="actions">
        <label className="searchbox find">
          <Search className="icon" aria-hidden="true" />
          <input
            type="search"
            aria-label={t`Find a flag`}
            placeholder={t`Find a flag`}
            value={words}
            onChange={(event) => onWords(event.currentTarget.value)}
          />
        </label>
        <Button variant="primary" icon={<Plus className="icon" aria-hidden="true" />} onClick={onCreate}>
          {t`Create flag`}
        </Button>
      </div>
    </div>
  )
}

function NoFlagsYet() {
  const flags = useQuery(flagsQuery)
  if (flags.isPending) {
    return (
      <Skeleton label={t`Loading feature flags`}>
        <section className="panel panel-body flag-bones">
          {[0, 1, 2].map((row) => (
            <Bone key={row} widthPx={240} />
          ))}
        </section>
      </Skeleton>
    )
  }
  return (
    <section className="panel">
      <ErrorPanel
        title={t`Error loading feature flags`}
        requestId={flags.error instanceof ApiError ? flags.error.requestId : undefined}
        onRetry={() => void flags.refetch()}
        isRetrying={flags.isFetching}
      >
        <Trans>Failed to fetch feature flags. {flags.error?.message}</Trans>
      </ErrorPanel>
    </section>
  )
}

function StateLine() {
  const { data: flags } = useQuery(flagsQuery)
  if (flags === undefined) return <p />
  const active = flags.filter(({ is_active }) => is_active)
  const on = active.filter(({ enabled }) => enabled).length
  return (
    <p>
      <Trans>
        <b className="mono">{active.length}</b> <Plural value={active.length} one="flag" other="flags" />
      </Trans>{' '}
      <span className="faint">·</span>{' '}
      <Trans>
        <b className="mono">{on}</b> <Plural value={on} one="on" other="on" /> <span className="faint">·</span> changes
        apply from the next request
      </Trans>
    </p>
  )
}
