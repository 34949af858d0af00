import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Button } from '../../../ui/Button.tsx'
import { showToast } from '../../../ui/toasts/Toasts.tsx'
import { downloadFile } from './download-files.ts'
import type { ListedFile } from './listed-files.ts'

export function DownloadOne({ file, name }: { file: ListedFile; name: string }) {
  const download = useMutation({
    mutationFn: () => downloadFile(file),
    onError: (error) => showToast({ type: 'error', title: t`The download failed`, message: error.message }),
  })
  return (
    <Button
      variant="quiet"
      size="small"
      isIconOnly
      isBusy={download.isPending}
      aria-label={t`Download ${name}`}
      onClick={() => download.mutate()}
      icon={<Download className="icon" aria-hidden="true" />}
    />
  )
}
