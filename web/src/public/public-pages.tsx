import { paths } from '../paths.ts'
import { AboutPage } from './about/AboutPage.tsx'
import type { PublicPage } from './public-page.ts'

/** Every page that can be read without JavaScript. */
export const publicPages: readonly PublicPage[] = [
  {
    path: paths.about,
    title: 'About Us',
    description: 'Why Tapeline exists, what it holds itself to, and who makes it.',
    Page: AboutPage,
    isForVisitors: true,
  },
]
