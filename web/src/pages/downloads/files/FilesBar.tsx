import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId, useState } from 'react'
import { formatBytes, formatCount, formatShortCount } from '../../../format/number.ts'
import { publicApiUrl } from '../../../platform.ts'
import { Button } from '../../../ui/Button.tsx'
import { Command } from '../../../ui/Command.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { showToast } from '../../../ui/toasts/Toasts.tsx'
import { type FilesCall, filesScript, listCall } from './calls.ts'
import { downloadFile } from './download-files.ts'
import type { ListedFile, Totals } from './listed-files.ts'

type Props = { chosen: readonly ListedFile[]; totals: Totals; call: FilesCall }

/** The chosen files: their size, and how to download them by a call, a script or the browser. */
export function FilesBar({ chosen, totals, call }: Props) {
  const noteId = useId()
  const [saved, setSaved] = useState(0)
  const download = useMutation({
    mutationFn: async () => {
      setSaved(0)
      for (const file of chosen) {
        await downloadFile(file)
        setSaved((count) => count + 1)
      }
    },
    onError: (error) => showToast({ type: 'error', title: t`The download stopped`, message: error.message }),
  })
  const size = formatBytes(totals.bytes)
  return (
    <>
      <div className="bar">
        <dl>
          <Fact name={t`Files`} value={formatCount(totals.files)} />
          <Fact name={t`Rows`} value={formatShortCount(totals.rows)} />
          <Fact name={t`Size`} value={size} />
        </dl>
        <Command label={t`Copy as curl`}>{listCall(call, publicApiUrl)}</Command>
        <div className="row">
          <CopyButton
            variant="plain"
            text={() => filesScript(chosen, publicApiUrl)}
            label={t`Copy as script`}
          >{t`Copy as script`}</CopyButton>
          <Button
            variant="primary"
            isBusy={download.isPending}
            isDisabled={totals.files === 0}
            aria-describedby={noteId}
            onClick={() => download.mutate()}
            icon={<Download className="icon" aria-hidden="true" />}
          >
            {download.isPending ? t`${saved} of ${totals.files}` : t`Download ${size}`}
          </Button>
        </div>
        <span className="sr-only" role="status">
          {download.isSuccess ? plural(saved, { one: '# file downloaded', other: '# files downloaded' }) : ''}
        </span>
      </div>
      <p className="panel-foot" id={noteId}>
        {totals.files === 0
          ? t`Choose at least one file.`
          : t`Each file counts as one request, whatever its size. The script resumes where it stopped, skips files you have and verifies each SHA-256; keys need the scope files:read.`}
      </p>
    </>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
