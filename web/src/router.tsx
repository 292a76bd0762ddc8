/** The app's URLs below `/b`. Code that a page needs beyond the frame is loaded with the page. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { readAuditSearch } from './pages/audit/search.ts'
import { readCampaignSearch, readCampaignsSearch } from './pages/campaigns/search.ts'
import { contactsQuery } from './pages/contacts/query.ts'
import { type ContactsSearch, readContactsSearch } from './pages/contacts/search.ts'
import { readFormSearch } from './pages/forms/search.ts'
import { readMessagesSearch } from './pages/messages/search.ts'
import { readOperatorBusinessesSearch } from './pages/operator/search.ts'
import { Shell } from './shell/shell.tsx'
import { ToBusiness } from './shell/to-business.tsx'
import { buttonClass } from './ui/button.tsx'
import { Empty, Failure, Skeleton } from './ui/states.tsx'
import { words } from './words/words.ts'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })
const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: () => <ToBusiness />,
})
/** Pages that are the same in each business have an address without one, for links from elsewhere. */
const ofAny = <Page extends 'status' | 'connections' | 'sessions' | 'businesses'>(page: Page) =>
  createRoute({
    getParentRoute: () => root,
    path: page,
    component: () => <ToBusiness page={`/$business/${page}`} />,
  })
const anyBusiness = [
  ofAny('status'),
  ofAny('connections'),
  ofAny('sessions'),
  ofAny('businesses'),
] as const
const business = createRoute({ getParentRoute: () => root, path: '$business', component: Shell })
const within = { getParentRoute: () => business }

const home = createRoute({
  ...within,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/home.tsx'), 'Home'),
})

const contacts = createRoute({
  ...within,
  path: 'contacts',
  validateSearch: readContactsSearch,
  loaderDeps: ({ search: { q, consent, filter, segment } }) => ({ q, consent, filter, segment }),
  // The rows come while the page's own code does; the page does not wait for them.
  loader({ params, deps }) {
    void queryClient.prefetchInfiniteQuery(contactsQuery(params.business, deps as ContactsSearch))
  },
  component: lazyRouteComponent(() => import('./pages/contacts/contacts.tsx'), 'Contacts'),
})

const contactsImport = createRoute({
  ...within,
  path: 'contacts/import',
  validateSearch: ({ id }: Record<string, unknown>): { id?: string } =>
    typeof id === 'string' ? { id } : {},
  component: lazyRouteComponent(() => import('./pages/imports/import.tsx'), 'ImportPage'),
})

const campaigns = createRoute({
  ...within,
  path: 'campaigns',
  validateSearch: readCampaignsSearch,
  component: lazyRouteComponent(() => import('./pages/campaigns/campaigns.tsx'), 'Campaigns'),
})
const campaign = createRoute({
  ...within,
  path: 'campaigns/$campaign',
  validateSearch: readCampaignSearch,
  component: lazyRouteComponent(() => import('./pages/campaigns/campaign.tsx'), 'Campaign'),
})
const domains = createRoute({
  ...within,
  path: 'domains',
  component: lazyRouteComponent(() => import('./pages/domains/domains.tsx'), 'Domains'),
})
const settings = createRoute({
  ...within,
  path: 'settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings.tsx'), 'SettingsPage'),
})
const brand = createRoute({
  ...within,
  path: 'brand',
  component: lazyRouteComponent(async () => {
    await (await import('./words/block-words.ts')).loadBlockWords()
    return import('./pages/settings/brand.tsx')
  }, 'BrandPage'),
})
const members = createRoute({
  ...within,
  path: 'members',
  component: lazyRouteComponent(() => import('./pages/settings/members.tsx'), 'Members'),
})

const audit = createRoute({
  ...within,
  path: 'audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'Audit'),
})
const connections = createRoute({
  ...within,
  path: 'connections',
  component: lazyRouteComponent(() => import('./pages/account/connections.tsx'), 'Connections'),
})
const businesses = createRoute({
  ...within,
  path: 'businesses',
  validateSearch: (search: Record<string, unknown>): { new?: boolean } =>
    search['new'] === true ? { new: true } : {},
  component: lazyRouteComponent(
    () => import('./pages/businesses/businesses.tsx'),
    'BusinessesPage',
  ),
})
const sessions = createRoute({
  ...within,
  path: 'sessions',
  component: lazyRouteComponent(() => import('./pages/account/sessions.tsx'), 'Sessions'),
})

const status = createRoute({
  ...within,
  path: 'status',
  component: lazyRouteComponent(() => import('./pages/status/status.tsx'), 'Status'),
})

const messages = createRoute({
  ...within,
  path: 'messages',
  validateSearch: readMessagesSearch,
  component: lazyRouteComponent(() => import('./pages/messages/messages.tsx'), 'Messages'),
})
const replies = createRoute({
  ...within,
  path: 'replies',
  validateSearch: ({ open }: Record<string, unknown>): { open?: boolean } =>
    open === true ? { open } : {},
  component: lazyRouteComponent(() => import('./pages/replies/replies.tsx'), 'Replies'),
})
const segments = createRoute({
  ...within,
  path: 'segments',
  validateSearch: ({ open }: Record<string, unknown>): { open?: string } =>
    typeof open === 'string' ? { open } : {},
  component: lazyRouteComponent(() => import('./pages/segments/segments.tsx'), 'Segments'),
})
const suppressions = createRoute({
  ...within,
  path: 'suppressions',
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    typeof q === 'string' && q !== '' ? { q } : {},
  component: lazyRouteComponent(
    () => import('./pages/suppressions/suppressions.tsx'),
    'Suppressions',
  ),
})
const forms = createRoute({
  ...within,
  path: 'forms',
  component: lazyRouteComponent(() => import('./pages/forms/forms.tsx'), 'Forms'),
})
const form = createRoute({
  ...within,
  path: 'forms/$form',
  validateSearch: readFormSearch,
  component: lazyRouteComponent(() => import('./pages/forms/form.tsx'), 'FormPage'),
})
const templates = createRoute({
  ...within,
  path: 'templates',
  validateSearch: ({ open }: Record<string, unknown>): { open?: string } =>
    typeof open === 'string' ? { open } : {},
  component: lazyRouteComponent(() => import('./pages/templates/templates.tsx'), 'Templates'),
})
const template = createRoute({
  ...within,
  path: 'templates/$template',
  component: lazyRouteComponent(async () => {
    await (await import('./words/content-words.ts')).loadContentWords()
    return import('./pages/templates/template-page.tsx')
  }, 'TemplatePage'),
})
const keys = createRoute({
  ...within,
  path: 'keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys.tsx'), 'Keys'),
})
const usage = createRoute({
  ...within,
  path: 'usage',
  validateSearch: ({ month }: Record<string, unknown>): { month?: string } =>
    typeof month === 'string' ? { month } : {},
  component: lazyRouteComponent(() => import('./pages/usage/usage.tsx'), 'Usage'),
})
const webhooks = createRoute({
  ...within,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks.tsx'), 'Webhooks'),
})

const operatorBusinesses = createRoute({
  ...within,
  path: 'operator/businesses',
  validateSearch: readOperatorBusinessesSearch,
  component: lazyRouteComponent(
    () => import('./pages/operator/businesses.tsx'),
    'OperatorBusinesses',
  ),
})
const operatorTiers = createRoute({
  ...within,
  path: 'operator/tiers',
  component: lazyRouteComponent(() => import('./pages/operator/tiers.tsx'), 'OperatorTiers'),
})
const operatorJobs = createRoute({
  ...within,
  path: 'operator/jobs',
  component: lazyRouteComponent(() => import('./pages/operator/jobs.tsx'), 'OperatorJobs'),
})
const operatorMail = createRoute({
  ...within,
  path: 'operator/mail',
  component: lazyRouteComponent(() => import('./pages/operator/mail.tsx'), 'OperatorMail'),
})

const audience = [home, contacts, contactsImport, suppressions, segments, forms, form] as const
const sending = [campaigns, campaign, messages, replies, templates, template, domains] as const
const technical = [webhooks, keys, usage] as const
const account = [
  settings,
  brand,
  members,
  audit,
  connections,
  businesses,
  sessions,
  status,
] as const
const operating = [operatorBusinesses, operatorTiers, operatorJobs, operatorMail] as const
const pages = [...audience, ...sending, ...technical, ...account, ...operating] as const
const tree = root.addChildren([index, ...anyBusiness, business.addChildren(pages)])

export function createAppRouter() {
  return createRouter({
    routeTree: tree,
    basepath: '/b',
    defaultPreload: 'intent',
    defaultPendingMs: 0,
    defaultPendingComponent: Skeleton,
    defaultErrorComponent: ({ error, reset }) => (
      <div className="p-5">
        <Failure error={error} onRetry={reset} />
      </div>
    ),
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

function NotFound() {
  return (
    <Empty
      icon="search"
      action={
        <Link to="/" className={buttonClass()}>
          {words.toHome}
        </Link>
      }
    >
      {words.notHere}
    </Empty>
  )
}
