import { t } from '@lingui/core/macro'
import type { DayState } from './coverage-days.ts'
import { stateWords } from './coverage-words.ts'

const STATES: readonly DayState[] = ['final', 'revisable', 'recorded', 'empty', 'none']

export function Legend() {
  return (
    <p className="panel-foot legend">
      {STATES.map((state) => (
        <span key={state}>
          <i className={`day-${state}`} aria-hidden="true" />
          {stateWords(state)}
        </span>
      ))}
      <span>
        <i className="gap-mark" aria-hidden="true" />
        {t`gap in the book`}
      </span>
      <span className="end only-wide">{t`Drag across days to choose them`}</span>
    </p>
  )
}
