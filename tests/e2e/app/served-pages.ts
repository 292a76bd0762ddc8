/** Every page that the service renders itself, from the routes of its server. */
import { formatId } from 'crier-server/core/ids.ts'
import { routesOf } from '../../support/clients/routes.ts'
import type { Service } from '../../support/processes/service.ts'
import type { HostileBusiness } from './hostile-business.ts'

export interface ServedPage {
  path: string
  /** The page is a mail in a frame of its own. */
  isMail?: boolean
}

/** Routes that answer programs, or with files. Each new route is a page unless it is named here. */
const technical = (
  '/healthz /readyz /metrics /mcp /tls/ask /v1 /hooks /api/ /.well-known /functions/ /assets/ ' +
  '/openapi.json /llms.txt /sdk.tgz /cli.tgz /packages/:file /f/challenge.js /inbox/messages /phones/texts ' +
  '/f/frame.js /f/:form/qr. /f/:form/embed/.js /o/:token /c/:token /docs /images/:name /archive/:business/feed.xml'
).split(' ')
/** The app itself, which has its own test, and pages that only links in mail or a provider lead to. */
const elsewhere = [
  '/b',
  '/b/*',
  '/sign-in/:token',
  '/setup/:token',
  '/press/:token',
  // It redirects to the page of the only business.
  '/account/stop',
  '/address/:token',
  '/login/company/return',
  '/login/company/:business/return',
  '/login/company/step/:id',
  '/login/company/link/:id',
]
/** Former addresses of pages of the app, which redirect. */
const moved = [
  '/account/connections',
  '/account/sessions',
  '/account/businesses',
  '/account/businesses/:id',
  '/account/businesses/:id/members',
  '/account/businesses/:id/keys',
  '/account/businesses/:id/suppressions',
]

/** The routes to which a browser can go, in the form in which the server declares them. */
export function pageRoutes({ app }: Service): string[] {
  return routesOf(app, 'GET').filter((route) => !technical.some((text) => route.startsWith(text)))
}

export function servedPages(service: Service, hostile: HostileBusiness): ServedPage[] {
  const { objects, waiting, links, mails } = hostile
  const business = formatId('business', hostile.id)
  const linked = (part: string) => {
    const path = links.find((link) => link.includes(part))
    if (path === undefined) throw new Error(`no mail has a link with ${part}`)
    return { path }
  }
  const addresses: Record<string, ServedPage[]> = {
    '/archive/:business': [{ path: `/archive/${business}` }],
    '/archive/:business/personal-link': [{ path: `/archive/${business}/personal-link` }],
    '/archive/:business/:campaign': [
      { path: `/archive/${business}/${objects.sent}`, isMail: true },
    ],
    '/account/stop/:id': [{ path: `/account/stop/${business}` }],
    '/campaigns/:id': [waiting, objects.draft, objects.sent].map((id) => ({
      path: `/campaigns/${id}`,
    })),
    '/campaigns/:id/approval': [{ path: `/campaigns/${waiting}/approval` }],
    '/campaigns/:id/sample': [{ path: `/campaigns/${waiting}/sample?variant=0`, isMail: true }],
    '/f/:form': [{ path: `/f/${objects.form}` }],
    '/f/:form/embed': [{ path: `/f/${objects.form}/embed` }],
    '/f/:form/thanks': [{ path: `/f/${objects.form}/thanks` }],
    '/f/:form/embed/thanks': [{ path: `/f/${objects.form}/embed/thanks` }],
    '/confirm/:token': [linked('/confirm/')],
    '/u/:token': [linked('/u/')],
    '/v/:token': [{ ...linked('/v/'), isMail: true }],
    '/phones/:number': [{ path: '/phones/33612345678' }],
    '/inbox/:id': mails.flatMap((id) =>
      ['', '?view=text', '?view=headers', '?view=source'].map((view) => ({
        path: `/inbox/${id}${view}`,
      })),
    ),
    '/inbox/:id/html': mails.map((id) => ({ path: `/inbox/${id}/html`, isMail: true })),
  }
  return pageRoutes(service)
    .filter((route) => !elsewhere.includes(route) && !moved.includes(route))
    .flatMap((route) => {
      const known = addresses[route]
      if (known) return known
      if (!route.includes(':')) return [{ path: route }]
      throw new Error(`${route} needs its line in tests/e2e/app/served-pages.ts`)
    })
}
