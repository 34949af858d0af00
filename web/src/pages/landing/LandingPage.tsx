import './landing.css'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { Claims } from './Claims.tsx'
import { Figures } from './Figures.tsx'
import { Hero } from './Hero.tsx'
import { PlansSummary } from './PlansSummary.tsx'
import { useLiveSample } from './use-live-sample.ts'
import { UseCases } from './UseCases.tsx'

export function LandingPage() {
  const live = useLiveSample()
  return (
    <div className="landing">
      <Hero live={live} />
      <Figures durationsMs={live.durationsMs} />
      <Claims trades={live.trades} />
      <UseCases />
      <PlansSummary />
      <section className="site sect last">
        <h2 className="t28">Your first request takes a minute.</h2>
        <div className="row wide">
          <Link className={buttonClass({ size: 'large' })} to={paths.signup}>
            Create an account
          </Link>
          <span className="t2">
            Cancel anytime.{' '}
            <Link className="link" to={paths.login}>
              Login
            </Link>
          </span>
        </div>
      </section>
    </div>
  )
}
