import { plural, t } from '@lingui/core/macro'
import type { TradePage } from '@tapeline/contracts/market-data/http'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { formatMilliseconds } from '../../../format/duration.ts'
import { api } from '../../../platform.ts'
import { Button } from '../../../ui/Button.tsx'
import { StateBadge } from '../../../ui/StateBadge.tsx'
import type { HeldSecret } from './hold-secret.ts'

type TestResult = { status: number; durationMs?: number; left?: number; trade?: string; message?: string }

/** A real request with the new key, and its answer. It is counted like any other. */
export function TestSecret({ secret }: { secret: HeldSecret }) {
  const [result, setResult] = useState<TestResult>()
  const [isBusy, setBusy] = useState(false)

  async function sendRequest(): Promise<void> {
    setBusy(true)
    setResult(await callWith(secret.read()))
    setBusy(false)
  }

  return (
    <div className="field">
      <div className="row">
        <span className="label">{t`Test the key`}</span>
        <span className="end">
          <Button size="small" isBusy={isBusy} onClick={() => void sendRequest()}>
            {t`Send a request`}
          </Button>
        </span>
      </div>
      <p className="proof" role="status">
        {result === undefined ? (
          <span className="muted">{t`The test counts as one request.`}</span>
        ) : (
          <TestOutcome result={result} />
        )}
      </p>
    </div>
  )
}

function TestOutcome({ result: { status, durationMs, left, trade, message } }: { result: TestResult }) {
  const isGood = status >= 200 && status < 300
  return (
    <>
      <StateBadge tone={isGood ? 'ok' : 'bad'}>{status === 0 ? t`No response` : `${status}`}</StateBadge>
      {durationMs !== undefined && <span className="mono">{formatMilliseconds(durationMs)} ms</span>}
      {trade !== undefined && <span className="muted">{trade}</span>}
      {message !== undefined && <span className="muted">{message}</span>}
      {left !== undefined && (
        <span className="end">
          {plural(left, { one: '# request left in this second', other: '# requests left in this second' })}
        </span>
      )}
    </>
  )
}

async function callWith(bearer: string): Promise<TestResult> {
  try {
    const { status, durationMs, headers, body } = await api.send<TradePage>({
      method: 'POST',
      path: '/api/v1/trades/list',
      body: { venues: ['sim'], limit: 1 },
      credential: { bearer },
    })
    const trade = body.data[0]
    const left = headers.get('x-ratelimit-remaining')
    return {
      status,
      durationMs,
      ...(left === null ? {} : { left: Number(left) }),
      ...(trade === undefined ? {} : { trade: `${trade.symbol} ${trade.price}` }),
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, message: error.message }
  }
}
