import { msg } from '@lingui/core/macro'
import { paths } from '../paths.ts'
import { AboutPage } from './about/AboutPage.tsx'
import type { PublicPage } from './public-page.ts'

/** Every page that can be read without JavaScript. */
export const publicPages: readonly PublicPage[] = [
  {
    path: paths.about,
    title: msg`About Us`,
    description: msg`Why Tapeline exists, what it holds itself to, and how it is made.`,
    Page: AboutPage,
    isForVisitors: true,
  },
]
