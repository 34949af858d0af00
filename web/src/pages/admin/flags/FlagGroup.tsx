import { t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { Role } from '@tapeline/contracts/actor'
import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { i18n } from '../../../language/i18n.ts'
import { roleName } from '../../../session/role-names.ts'
import { Tag } from '../../../ui/StateBadge.tsx'
import { type Column, Table } from '../../../ui/rows/Table.tsx'
import { FlagActions } from './FlagActions.tsx'
import { FlagAccounts, FlagChanged, FlagName } from './FlagCells.tsx'
import { flagsOf, mayChange } from './flag-groups.ts'

type FlagGroupProps = {
  role: Role
  about: MessageDescriptor
  isOpenAtFirst: boolean
  flags: readonly AdminFlag[]
  words: string
  reader: Role
  chosenId: string | undefined
  /** Flags whose change is being sent. */
  busyIds: readonly string[]
  onFlip: (flag: AdminFlag) => void
  onChoose: (flag: AdminFlag) => void
  onEdit: (flag: AdminFlag) => void
  onDelete: (flag: AdminFlag) => void
}

export function FlagGroup({ role, about, isOpenAtFirst, flags, words, reader, ...does }: FlagGroupProps) {
  const [isChosenOpen, setOpen] = useState(isOpenAtFirst)
  const bodyId = useId()
  const rows = flagsOf(flags, role, words)
  // Search results are shown in every group.
  const isOpen = isChosenOpen || (words.trim() !== '' && rows.length > 0)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <section className="panel" aria-label={t`${roleName(role)} flags`}>
      <h2>
        <button
          type="button"
          className="flag-head"
          aria-expanded={isOpen}
          aria-controls={isOpen ? bodyId : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron className="icon" aria-hidden="true" />
          <Tag tone={role}>{roleName(role)}</Tag>
          <span className="muted about">{i18n._(about)}</span>
          <span className="end muted mono">
            <span className="sr-only">{t`on:`} </span>
            {rows.filter(({ enabled }) => enabled).length}/{rows.length}
          </span>
        </button>
      </h2>
      {isOpen && (
        <div id={bodyId}>
          {!mayChange(reader, role) && <p className="flag-note">{t`Only admins change flags of the admin role.`}</p>}
          {rows.length === 0 ? (
            <p className="flag-note">
              {words.trim() === '' ? t`No flags for this role.` : t`No flag matches this search.`}
            </p>
          ) : (
            <Table
              caption={t`Flags of the role ${roleName(role)}`}
              className="flags"
              columns={columnsFor(reader, does)}
              rows={rows}
              rowKey={({ id }) => id}
              isSelected={({ id }) => id === does.chosenId}
              onOpen={does.onChoose}
            />
          )}
        </div>
      )}
    </section>
  )
}

type Does = Pick<FlagGroupProps, 'busyIds' | 'onFlip' | 'onChoose' | 'onEdit' | 'onDelete'>

function columnsFor(reader: Role, { busyIds, onFlip, ...does }: Does): Column<AdminFlag>[] {
  return [
    { key: 'flag', head: t`Flag`, cell: (flag) => <FlagName flag={flag} onOpen={() => does.onChoose(flag)} /> },
    {
      key: 'accounts',
      head: t`Accounts`,
      isNumber: true,
      className: 'accounts-cell',
      cell: (flag) => <FlagAccounts flag={flag} />,
    },
    { key: 'changed', head: t`Changed`, className: 'time-cell', cell: (flag) => <FlagChanged flag={flag} /> },
    {
      key: 'on',
      head: t`On`,
      className: 'state-cell',
      cell: (flag) => (
        <input
          className="switch"
          type="checkbox"
          role="switch"
          aria-checked={flag.enabled}
          aria-label={flag.flag_key}
          checked={flag.enabled}
          aria-disabled={busyIds.includes(flag.id)}
          disabled={!mayChange(reader, flag.role)}
          onChange={() => {
            // Not disabled meanwhile: that would take the focus away.
            if (!busyIds.includes(flag.id)) onFlip(flag)
          }}
        />
      ),
    },
    {
      key: 'actions',
      head: <span className="sr-only">{t`Actions`}</span>,
      className: 'menu-cell',
      cell: (flag) => <FlagActions flag={flag} mayChange={mayChange(reader, flag.role)} {...does} />,
    },
  ]
}
