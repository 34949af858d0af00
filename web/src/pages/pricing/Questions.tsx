import { ChevronDown } from 'lucide-react'

const QUESTIONS = [
  {
    question: 'What happens at a limit?',
    answer:
      'The request is answered with 429, the window that was full and the seconds until it would pass. It is not counted in any window, and it is never billed. Nothing is switched off.',
  },
  {
    question: 'Can I change the plan later?',
    answer:
      'Whoever runs this platform changes it for you. The new limits hold on your very next request, and what you have used so far stays counted.',
  },
  {
    question: 'Are the windows fixed or rolling?',
    answer:
      'Rolling: in any second and in any minute, never more than the limit. The month starts on the day you signed up.',
  },
] as const

export function Questions() {
  return (
    <section className="site faq" aria-labelledby="questions">
      <h2 className="t20" id="questions">
        Questions
      </h2>
      <div>
        {QUESTIONS.map(({ question, answer }, index) => (
          <details key={question} open={index === 0}>
            <summary>
              {question}
              <ChevronDown className="i" aria-hidden="true" />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
