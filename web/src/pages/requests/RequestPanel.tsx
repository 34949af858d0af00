import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { RequestDetail } from '@tapeline/contracts/audit/requests'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import type { Tier } from '@tapeline/contracts/actor'
import { ApiError } from '../../api/api-error.ts'
import { pricingQuery } from '../../api/pricing.queries.ts'
import { paths } from '../../paths.ts'
import { publicApiUrl } from '../../platform.ts'
import { Link } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { curlOf } from './curl-of.ts'
import { DecisionTrace } from './DecisionTrace.tsx'
import { explanationWords, keyShadowWords, tierShadowWords } from './explanation-words.ts'
import { RequestFacts } from './RequestFacts.tsx'
import { requestQuery } from './requests.queries.ts'
import { verdictOf, waitUntil } from './verdict.ts'

type RequestPanelProps = {
  id: string
  timeZone: string
  onClose: () => void
  onNewer: (() => void) | undefined
  onOlder: (() => void) | undefined
}

/** Explains the answer of one request. */
export function RequestPanel({ id, timeZone, onClose, onNewer, onOlder }: RequestPanelProps) {
  const request = useQuery(requestQuery(id))
  return (
    <aside className="panel why" aria-label={t`The request explained`}>
      <div className="panel-head">
        <span className="mono muted">{request.data === undefined ? '' : shortId(request.data.request_id)}</span>
        {request.data !== undefined && (
          <CopyButton size="small" label={t`Copy request id`} text={request.data.request_id} />
        )}
        <span className="tools">
          <Tool label={t`Newer request`} onClick={onNewer} Icon={ChevronUp} />
          <Tool label={t`Older request`} onClick={onOlder} Icon={ChevronDown} />
          <Tool label={t`Close`} onClick={onClose} Icon={X} />
        </span>
      </div>
      {request.data !== undefined && <Explained request={request.data} timeZone={timeZone} />}
      {request.isPending && (
        <Skeleton label={t`Loading the request`}>
          <div className="message">
            <Bone widthPx={220} heightPx={20} />
            <Bone widthPx={340} />
          </div>
        </Skeleton>
      )}
      {request.isError && (
        <ErrorPanel
          title={t`This request could not be explained`}
          requestId={request.error instanceof ApiError ? request.error.requestId : undefined}
          onRetry={() => void request.refetch()}
          isRetrying={request.isFetching}
        >
          {request.error.message}
        </ErrorPanel>
      )}
    </aside>
  )
}

type ToolProps = { label: string; onClick: (() => void) | undefined; Icon: typeof X }

function Tool({ label, onClick, Icon }: ToolProps) {
  return (
    <Button
      variant="quiet"
      size="small"
      isIconOnly
      aria-label={label}
      isDisabled={onClick === undefined}
      onClick={onClick}
      icon={<Icon className="icon" aria-hidden="true" />}
    />
  )
}

function Explained({ request, timeZone }: { request: RequestDetail; timeZone: string }) {
  const { explanation, time } = request
  const wait = waitUntil(time, explanation.passes_at)
  return (
    <>
      <div className="verdict" role="status">
        <h2>{verdictOf(request)}</h2>
        <p className="muted">
          {explanationWords(request, timeZone)}
          {wait !== undefined && (
            <>
              {' '}
              <Trans>
                You had to wait <b className="mono">{wait}</b>.
              </Trans>
            </>
          )}
          {explanation.verdict === 'denied' && ` ${t`It did not count against any limit.`}`}
        </p>
        {explanation.would_pass_with !== null && <PassingPlan tier={explanation.would_pass_with} />}
        {request.shadow_denied_by !== undefined && (
          <p className="muted">{tierShadowWords(request.shadow_denied_by, request.shadow_retry_after_ms)}</p>
        )}
        {request.key_shadow !== undefined && <p className="muted">{keyShadowWords(request.key_shadow)}</p>}
      </div>
      <DecisionTrace explanation={explanation} time={time} timeZone={timeZone} />
      <RequestFacts request={request} timeZone={timeZone} />
      <div className="panel-foot">
        <div className="row">
          <CopyButton variant="plain" size="small" label={t`Copy as curl`} text={curlOf(request, publicApiUrl)}>
            {t`Copy as curl`}
          </CopyButton>
          <span className="kbd" aria-hidden="true">
            C
          </span>
        </div>
        <p className="faint size-12">{t`Contains a placeholder for the key: neither its secret nor the body is stored.`}</p>
      </div>
    </>
  )
}

/** The smallest plan whose limits had room for the request. */
function PassingPlan({ tier }: { tier: Tier }) {
  const pricing = useQuery(pricingQuery)
  const name = pricing.data?.[tier].display.name ?? tier
  return (
    <p>
      <Trans>The {name} plan would have allowed this request.</Trans>{' '}
      <Link className="link" to={paths.plan}>
        {t`Compare plans`}
      </Link>
    </p>
  )
}

function shortId(requestId: string): string {
  return `${requestId.slice(0, 8)}…${requestId.slice(-4)}`
}
