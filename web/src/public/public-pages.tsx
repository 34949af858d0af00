import { msg } from '@lingui/core/macro'
import { paths } from '../paths.ts'
import { ContactPage } from './contact/ContactPage.tsx'
import { LandingPage } from './landing/LandingPage.tsx'
import { prosePages } from './prose/prose-pages.tsx'
import { PricingPage } from './pricing/PricingPage.tsx'
import { docsPages } from './docs/docs-pages.tsx'
import { StatusPage } from './status/StatusPage.tsx'
import type { PublicPage } from './public-page.ts'

/** Every page that can be read without JavaScript. */
export const publicPages: readonly PublicPage[] = [
  {
    path: paths.home,
    title: msg`Home`,
    documentTitle: msg`Tapeline: trades and order books, in order`,
    description: msg`Trades and level-2 order-book events over REST and as a live stream. Each instrument has one sequence without gaps.`,
    Page: LandingPage,
    styles: ['src/public/landing/landing.css'],
    isForVisitors: true,
  },
  {
    path: paths.pricing,
    title: msg`Pricing`,
    description: msg`Three plans, compared limit by limit, and the one that fits the load you send.`,
    Page: PricingPage,
    styles: ['src/public/pricing/pricing.css', 'src/public/pricing/plan-grid.css'],
    isForVisitors: true,
  },
  {
    path: paths.status,
    title: msg`Status`,
    description: msg`Availability and response times of every part over 90 days, as measured from requests and probes.`,
    Page: StatusPage,
    styles: ['src/public/status/status.css'],
  },
  {
    path: paths.contact,
    title: msg`Contact`,
    description: msg`Contact the operator of this platform.`,
    Page: ContactPage,
  },
  ...prosePages,
  ...docsPages,
]
