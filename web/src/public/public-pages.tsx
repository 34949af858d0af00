import { msg } from '@lingui/core/macro'
import { paths } from '../paths.ts'
import { AboutPage } from './about/AboutPage.tsx'
import { LandingPage } from './landing/LandingPage.tsx'
import { PricingPage } from './pricing/PricingPage.tsx'
import { docsPages } from './docs/docs-pages.tsx'
import type { PublicPage } from './public-page.ts'

/** Every page that can be read without JavaScript. */
export const publicPages: readonly PublicPage[] = [
  {
    path: paths.home,
    title: msg`Home`,
    documentTitle: msg`Tapeline: trades and order books, in order`,
    description: msg`Trades and level-2 order-book events as JSON over REST. Each instrument has one sequence without gaps.`,
    Page: LandingPage,
    styles: ['src/public/landing/landing.css'],
    isForVisitors: true,
  },
  {
    path: paths.pricing,
    title: msg`Pricing`,
    description: msg`Three plans, compared limit by limit, and the one that fits the load you send.`,
    Page: PricingPage,
    styles: ['src/public/pricing/pricing.css'],
    isForVisitors: true,
  },
  {
    path: paths.about,
    title: msg`About Us`,
    description: msg`Why Tapeline exists, what it holds itself to, and how it is made.`,
    Page: AboutPage,
    isForVisitors: true,
  },
  ...docsPages,
]
