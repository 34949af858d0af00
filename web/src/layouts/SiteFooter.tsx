import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { i18n } from '../language/i18n.ts'
import { paths } from '../paths.ts'
import { Logo } from '../ui/Logo.tsx'

const COLUMNS = [
  {
    head: msg`Product`,
    links: [
      { path: paths.apiDocs, label: msg`API Docs` },
      { path: paths.pricing, label: msg`Pricing` },
      { path: paths.sdk, label: msg`SDKs` },
      { path: paths.status, label: msg`Status` },
      { path: paths.api, label: msg`API` },
    ],
  },
  {
    head: msg`Learn`,
    links: [
      { path: paths.docs, label: msg`Docs` },
      { path: paths.blog, label: msg`Blog` },
      { path: paths.community, label: msg`Community` },
      { path: paths.help, label: msg`Help` },
      { path: paths.support, label: msg`Support` },
    ],
  },
  {
    head: msg`Company`,
    links: [
      { path: paths.about, label: msg`About Us` },
      { path: paths.careers, label: msg`Careers` },
      { path: paths.contact, label: msg`Contact` },
    ],
  },
  {
    head: msg`Legal`,
    links: [
      { path: paths.privacy, label: msg`Privacy` },
      { path: paths.terms, label: msg`Terms` },
      { path: paths.cookies, label: msg`Cookies` },
      { path: paths.gdpr, label: msg`GDPR` },
    ],
  },
]

/** `children`: the language selection. */
export function SiteFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="site-foot">
      <div className="site cols">
        <div>
          <a className="logo" href={paths.home}>
            <Logo>Tapeline</Logo>
          </a>
          <p className="small foot-lead">
            <Trans>Trades and level-2 order-book events over REST. Runs on one machine or on a cluster.</Trans>
          </p>
          {children}
        </div>
        {COLUMNS.map(({ head, links }) => (
          <div key={head.id}>
            <h2>{i18n._(head)}</h2>
            <ul>
              {links.map(({ path, label }) => (
                <li key={path}>
                  <a href={path}>{i18n._(label)}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </footer>
  )
}
