import { msg, t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import { i18n } from '../../language/i18n.ts'

const QUESTIONS = [
  {
    question: msg`What happens at a limit?`,
    answer: msg`The request is answered with 429, the window that was full and the seconds until it would pass. It is not counted in any window, and it is never billed. Nothing is switched off.`,
  },
  {
    question: msg`Can I change the plan later?`,
    answer: msg`Whoever runs this platform changes it for you. The new limits hold on your very next request, and what you have used so far stays counted.`,
  },
  {
    question: msg`Are the windows fixed or rolling?`,
    answer: msg`Rolling: in any second and in any minute, never more than the limit. The month starts on the day you signed up.`,
  },
] as const

export function Questions() {
  return (
    <section className="site faq" aria-labelledby="questions">
      <h2 className="t20" id="questions">
        {t`Questions`}
      </h2>
      <div>
        {QUESTIONS.map(({ question, answer }, index) => (
          <details key={question.id} open={index === 0}>
            <summary>
              {i18n._(question)}
              <ChevronDown className="i" aria-hidden="true" />
            </summary>
            <p>{i18n._(answer)}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
