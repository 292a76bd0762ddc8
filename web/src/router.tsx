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
import { readAutomationSearch, readAutomationsSearch } from './pages/automations/search.ts'
import { readCampaignSearch, readCampaignsSearch } from './pages/campaigns/search.ts'
import { contactsQuery } from './pages/contacts/query.ts'
import { type ContactsSearch, readContactsSearch } from './pages/contacts/search.ts'
import { readFeedSearch } from './pages/feeds/search.ts'
import { readFormSearch } from './pages/forms/search.ts'
import { readMessagesSearch } from './pages/messages/search.ts'
import { readOperatorBusinessesSearch } from './pages/operator/search.ts'
import { readTemplatesSearch } from './pages/templates/search.ts'
import { Shell } from './shell/shell.tsx'
import { ToBusiness } from './shell/to-business.tsx'
import { buttonClass } from './ui/button.tsx'
import { Empty, Failure, Skeleton } from './ui/states.tsx'
import { withTexts } from './words/texts.ts'
import { words } from './words/words.ts'

/** The component of a page, which is loaded together with its texts. */
const page = <Module extends object, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent<Module, Name>(withTexts(load), name)

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
  component: page(() => import('./pages/home/home.tsx'), 'Home'),
})

const contacts = createRoute({
  ...within,
  path: 'contacts',
  validateSearch: readContactsSearch,
  loaderDeps: ({ search: { q, state, filter, segment } }) => ({ q, state, filter, segment }),
  // The rows come while the page's own code does; the page does not wait for them.
  loader({ params, deps }) {
    void queryClient.prefetchInfiniteQuery(contactsQuery(params.business, deps as ContactsSearch))
  },
  component: page(() => import('./pages/contacts/contacts.tsx'), 'Contacts'),
})

const contactsImport = createRoute({
  ...within,
  path: 'contacts/import',
  validateSearch: ({ id }: Record<string, unknown>): { id?: string } =>
    typeof id === 'string' ? { id } : {},
  component: page(() => import('./pages/imports/import.tsx'), 'ImportPage'),
})

const campaigns = createRoute({
  ...within,
  path: 'campaigns',
  validateSearch: readCampaignsSearch,
  component: page(() => import('./pages/campaigns/campaigns.tsx'), 'Campaigns'),
})
const campaign = createRoute({
  ...within,
  path: 'campaigns/$campaign',
  validateSearch: readCampaignSearch,
  component: page(() => import('./pages/campaigns/campaign.tsx'), 'Campaign'),
})
const automations = createRoute({
  ...within,
  path: 'automations',
  validateSearch: readAutomationsSearch,
  component: page(() => import('./pages/automations/automations.tsx'), 'Automations'),
})
const automation = createRoute({
  ...within,
  path: 'automations/$automation',
  validateSearch: readAutomationSearch,
  component: page(() => import('./pages/automations/automation.tsx'), 'AutomationPage'),
})
const feeds = createRoute({
  ...within,
  path: 'feeds',
  component: page(() => import('./pages/feeds/feeds.tsx'), 'Feeds'),
})
const feed = createRoute({
  ...within,
  path: 'feeds/$feed',
  validateSearch: readFeedSearch,
  component: page(() => import('./pages/feeds/feed.tsx'), 'FeedPage'),
})
const domains = createRoute({
  ...within,
  path: 'domains',
  component: page(() => import('./pages/domains/domains.tsx'), 'Domains'),
})
const settings = createRoute({
  ...within,
  path: 'settings',
  component: page(() => import('./pages/settings/settings.tsx'), 'SettingsPage'),
})
const brand = createRoute({
  ...within,
  path: 'brand',
  component: page(() => import('./pages/settings/brand.tsx'), 'BrandPage'),
})
const members = createRoute({
  ...within,
  path: 'members',
  component: page(() => import('./pages/settings/members.tsx'), 'Members'),
})

const audit = createRoute({
  ...within,
  path: 'audit',
  validateSearch: readAuditSearch,
  component: page(() => import('./pages/audit/audit.tsx'), 'Audit'),
})
const connections = createRoute({
  ...within,
  path: 'connections',
  component: page(() => import('./pages/account/connections.tsx'), 'Connections'),
})
const proposals = createRoute({
  ...within,
  path: 'proposals',
  component: page(() => import('./pages/proposals/proposals.tsx'), 'Proposals'),
})
const businesses = createRoute({
  ...within,
  path: 'businesses',
  validateSearch: (search: Record<string, unknown>): { new?: boolean } =>
    search['new'] === true ? { new: true } : {},
  component: page(() => import('./pages/businesses/businesses.tsx'), 'BusinessesPage'),
})
const sessions = createRoute({
  ...within,
  path: 'sessions',
  component: page(() => import('./pages/account/sessions.tsx'), 'Sessions'),
})

const status = createRoute({
  ...within,
  path: 'status',
  component: page(() => import('./pages/status/status.tsx'), 'Status'),
})

const messages = createRoute({
  ...within,
  path: 'messages',
  validateSearch: readMessagesSearch,
  component: page(() => import('./pages/messages/messages.tsx'), 'Messages'),
})
const replies = createRoute({
  ...within,
  path: 'replies',
  validateSearch: ({ open }: Record<string, unknown>): { open?: boolean } =>
    open === true ? { open } : {},
  component: page(() => import('./pages/replies/replies.tsx'), 'Replies'),
})
const segments = createRoute({
  ...within,
  path: 'segments',
  validateSearch: ({ open }: Record<string, unknown>): { open?: string } =>
    typeof open === 'string' ? { open } : {},
  component: page(() => import('./pages/segments/segments.tsx'), 'Segments'),
})
const topics = createRoute({
  ...within,
  path: 'topics',
  component: page(() => import('./pages/topics/topics.tsx'), 'Topics'),
})
const suppressions = createRoute({
  ...within,
  path: 'suppressions',
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    typeof q === 'string' && q !== '' ? { q } : {},
  component: page(() => import('./pages/suppressions/suppressions.tsx'), 'Suppressions'),
})
const forms = createRoute({
  ...within,
  path: 'forms',
  component: page(() => import('./pages/forms/forms.tsx'), 'Forms'),
})
const form = createRoute({
  ...within,
  path: 'forms/$form',
  validateSearch: readFormSearch,
  component: page(() => import('./pages/forms/form.tsx'), 'FormPage'),
})
const templates = createRoute({
  ...within,
  path: 'templates',
  validateSearch: readTemplatesSearch,
  component: page(() => import('./pages/templates/templates.tsx'), 'Templates'),
})
const template = createRoute({
  ...within,
  path: 'templates/$template',
  // The automation from which it was opened, to lead back.
  validateSearch: ({ automation }: Record<string, unknown>): { automation?: string } =>
    typeof automation === 'string' ? { automation } : {},
  component: page(() => import('./pages/templates/template-page.tsx'), 'TemplatePage'),
})
const reports = createRoute({
  ...within,
  path: 'reports',
  component: page(() => import('./pages/reports/reports.tsx'), 'Reports'),
})
const keys = createRoute({
  ...within,
  path: 'keys',
  component: page(() => import('./pages/keys/keys.tsx'), 'Keys'),
})
const usage = createRoute({
  ...within,
  path: 'usage',
  validateSearch: ({ month }: Record<string, unknown>): { month?: string } =>
    typeof month === 'string' ? { month } : {},
  component: page(() => import('./pages/usage/usage.tsx'), 'Usage'),
})
const webhooks = createRoute({
  ...within,
  path: 'webhooks',
  component: page(() => import('./pages/webhooks/webhooks.tsx'), 'Webhooks'),
})

const operatorBusinesses = createRoute({
  ...within,
  path: 'operator/businesses',
  validateSearch: readOperatorBusinessesSearch,
  component: page(() => import('./pages/operator/businesses.tsx'), 'OperatorBusinesses'),
})
const operatorTiers = createRoute({
  ...within,
  path: 'operator/tiers',
  component: page(() => import('./pages/operator/tiers.tsx'), 'OperatorTiers'),
})
const operatorJobs = createRoute({
  ...within,
  path: 'operator/jobs',
  component: page(() => import('./pages/operator/jobs.tsx'), 'OperatorJobs'),
})
const operatorMail = createRoute({
  ...within,
  path: 'operator/mail',
  component: page(() => import('./pages/operator/mail.tsx'), 'OperatorMail'),
})

const audience = [
  home,
  reports,
  contacts,
  contactsImport,
  suppressions,
  segments,
  topics,
  forms,
  form,
] as const
const sending = [
  campaigns,
  campaign,
  automations,
  feeds,
  feed,
  automation,
  messages,
  replies,
  templates,
  template,
  domains,
] as const
const technical = [webhooks, keys, usage] as const
const account = [
  settings,
  brand,
  members,
  audit,
  connections,
  proposals,
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
        <h1 className="sr-only">{words.somethingFailed}</h1>
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
      isPage
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
