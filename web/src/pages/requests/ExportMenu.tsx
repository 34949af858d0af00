import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Lock } from 'lucide-react'
import { pricingQuery } from '../../api/pricing.queries.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { useUser } from '../../session/use-session.ts'
import { Menu } from '../../ui/Menu.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import './export-menu.css'
import type { RequestsFilter } from './requests-filter.ts'
import { type ExportFormat, fetchExport } from './requests.queries.ts'

const TIERS = ['free', 'basic', 'pro'] as const

/** Exports all rows of the filter; without export in the plan, names the plan that includes it. */
export function ExportMenu({ filter }: { filter: RequestsFilter }) {
  const user = useUser()
  const pricing = useQuery(pricingQuery)
  const download = useMutation({
    mutationFn: (format: ExportFormat) => fetchExport(filter, format),
    onSuccess: ({ name, file }) => saveFile(name, file),
    onError: (error) => showToast({ type: 'error', title: t`The export failed`, message: error.message }),
  })
  const plans = pricing.data
  if (plans !== undefined && !plans[user.subscriptionTier].features.dataExport) {
    const tier = TIERS.find((one) => plans[one].features.dataExport)
    return (
      <p className="export-locked small end">
        <Lock className="icon" aria-hidden="true" />
        {tier === undefined ? t`No plan includes export` : t`Upgrade to ${plans[tier].display.name} to export`}
        <Link className="link" to={paths.plan}>
          {t`Compare plans`}
        </Link>
      </p>
    )
  }
  return (
    <div className="end export">
      <span className="sr-only" role="status">
        {download.isPending ? t`Preparing the export` : ''}
      </span>
      <Menu
        label={t`Export`}
        trigger={
          <>
            <Download className="icon" aria-hidden="true" />
            {download.isPending ? t`Exporting` : t`Export`}
          </>
        }
        items={[
          { label: t`CSV, all rows of this filter`, onSelect: () => download.mutate('csv') },
          { label: t`JSON lines, all rows of this filter`, onSelect: () => download.mutate('jsonl') },
        ]}
      />
    </div>
  )
}
