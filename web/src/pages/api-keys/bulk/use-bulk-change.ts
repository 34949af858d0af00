import { t } from '@lingui/core/macro'
import type { BulkAction, BulkAnswer, BulkChange } from '@tapeline/contracts/api-key/bulk'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { changeKeys } from './bulk.queries.ts'

const CHANGED = 'api_key.selection_changed'
export type BulkForm = { action: BulkAction; expires_at: string; grace_seconds: number }

/** First a preview of the keys, then the change of exactly these; a preview that is out of date is shown again. */
export function useBulkChange(tag: string) {
  const [form, setForm] = useState<BulkForm>({ action: 'deactivate', expires_at: '', grace_seconds: 3_600 })
  const [previewed, setPreviewed] = useState<{ of: BulkForm; answer: BulkAnswer }>()
  const [result, setResult] = useState<BulkAnswer>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(problemOf(error))
      if (error instanceof ApiError && error.code === CHANGED) await previewAgain()
    } finally {
      setBusy(false)
    }
  }

  async function previewAgain(): Promise<void> {
    try {
      setPreviewed({ of: form, answer: await changeKeys(bodyOf(tag, form)) })
    } catch (error) {
      setPreviewed(undefined)
      setProblem(problemOf(error))
    }
  }

  return {
    form,
    // The answer to another choice may arrive after this one was made.
    preview: previewed?.of === form ? previewed.answer : undefined,
    result,
    problem,
    isBusy,
    change: (changed: Partial<BulkForm>) => {
      setForm({ ...form, ...changed })
      setProblem(undefined)
    },
    show: () => run(async () => setPreviewed({ of: form, answer: await changeKeys(bodyOf(tag, form)) })),
    apply: (digest: string) => run(async () => setResult(await changeKeys({ ...bodyOf(tag, form), preview: digest }))),
    setProblem,
  }
}

function problemOf(error: unknown): string {
  return error instanceof ApiError && error.status > 0 ? error.message : t`The keys could not be changed.`
}

function bodyOf(tag: string, { action, expires_at, grace_seconds }: BulkForm): BulkChange {
  return {
    tag,
    action,
    ...(action === 'expire' && expires_at !== '' ? { expires_at } : {}),
    ...(action === 'rotate' ? { grace_seconds: graceOf(grace_seconds) } : {}),
  }
}

const GRACES = [0, 60, 900, 3_600, 21_600, 86_400] as const

function graceOf(seconds: number): (typeof GRACES)[number] {
  return GRACES.find((one) => one === seconds) ?? 0
}
