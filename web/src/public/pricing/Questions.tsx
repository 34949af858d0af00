import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'

export function Questions() {
  return (
    <section className="site faq" aria-labelledby="questions">
      <h2 className="size-20" id="questions">
        <Trans>Questions</Trans>
      </h2>
      <div>
        {questions().map(({ question, answer }, index) => (
          <details key={question} open={index === 0}>
            <summary>
              {question}
              <ChevronDown className="icon" aria-hidden="true" />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}

function questions() {
  return [
    {
      question: t`What happens at a limit?`,
      answer: t`The response is 429, with the limit that was reached and the number of seconds to wait. The request is not counted in any window and never billed. Your keys stay active.`,
    },
    {
      question: t`How does a trial end?`,
      answer: t`After 14 days the account returns to its previous plan and keeps its keys and data. You are notified before the trial ends. You can cancel at any time on the plan page. No card is required, and nothing is charged.`,
    },
    {
      question: t`Can I change the plan later?`,
      answer: t`To change your plan, contact support. The new limits apply from your next request, and your usage so far still counts.`,
    },
    {
      question: t`Are the windows fixed or rolling?`,
      answer: t`Rolling: in any second and in any minute, never more than the limit. The month starts on the day you signed up.`,
    },
  ]
}
