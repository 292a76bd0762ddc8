/** The pages of a business, in the order of the sidebar, each with its shortcut. */
import type { IconName } from '../ui/icon.tsx'
import type { Words } from '../words/words.ts'

export interface PageEntry {
  name: Exclude<keyof Words['nav'], 'label' | 'open' | 'groups'>
  to:
    | '/$business'
    | '/$business/contacts'
    | '/$business/campaigns'
    | '/$business/automations'
    | '/$business/forms'
    | '/$business/templates'
    | '/$business/reports'
    | '/$business/keys'
    | '/$business/domains'
    | '/$business/messages'
    | '/$business/replies'
    | '/$business/segments'
    | '/$business/topics'
    | '/$business/suppressions'
    | '/$business/usage'
    | '/$business/webhooks'
    | '/$business/settings'
    | '/$business/brand'
    | '/$business/members'
    | '/$business/audit'
    | '/$business/connections'
    | '/$business/sessions'
    | '/$business/status'
    | '/$business/operator/businesses'
    | '/$business/operator/tiers'
    | '/$business/operator/jobs'
    | '/$business/operator/mail'
  icon: IconName
  /** The key after `g`. */
  key?: string
}

/** A place of the menu, with the pages that it shows below itself while one of them is open. */
export interface MenuPlace extends PageEntry {
  within?: readonly PageEntry[]
}

/** The places that a business works with every day. */
export const menuPlaces: readonly MenuPlace[] = [
  { name: 'home', to: '/$business', icon: 'home', key: 'h' },
  {
    name: 'contacts',
    to: '/$business/contacts',
    icon: 'people',
    key: 'c',
    within: [
      { name: 'segments', to: '/$business/segments', icon: 'segment', key: 'e' },
      { name: 'topics', to: '/$business/topics', icon: 'tag' },
    ],
  },
  { name: 'forms', to: '/$business/forms', icon: 'form', key: 'f' },
  { name: 'campaigns', to: '/$business/campaigns', icon: 'campaign', key: 'm' },
  { name: 'automations', to: '/$business/automations', icon: 'automation', key: 'o' },
  {
    name: 'messages',
    to: '/$business/messages',
    icon: 'message',
    within: [{ name: 'replies', to: '/$business/replies', icon: 'reply', key: 'r' }],
  },
  { name: 'templates', to: '/$business/templates', icon: 'template', key: 't' },
  { name: 'reports', to: '/$business/reports', icon: 'usage' },
]

/** Folded until one of its pages is open, or somebody unfolds it. */
export interface MenuFold {
  name: keyof Words['nav']['groups']
  icon: IconName
  pages: readonly PageEntry[]
}

export const settingsFold: MenuFold = {
  name: 'settings',
  icon: 'settings',
  pages: [
    { name: 'settings', to: '/$business/settings', icon: 'settings', key: 's' },
    { name: 'brand', to: '/$business/brand', icon: 'template' },
    { name: 'domains', to: '/$business/domains', icon: 'domain', key: 'd' },
    { name: 'members', to: '/$business/members', icon: 'person' },
    { name: 'connections', to: '/$business/connections', icon: 'link', key: 'n' },
    { name: 'keys', to: '/$business/keys', icon: 'key', key: 'k' },
    { name: 'webhooks', to: '/$business/webhooks', icon: 'webhook', key: 'w' },
    { name: 'usage', to: '/$business/usage', icon: 'usage', key: 'u' },
    { name: 'audit', to: '/$business/audit', icon: 'audit', key: 'a' },
    { name: 'sessions', to: '/$business/sessions', icon: 'screen' },
    { name: 'status', to: '/$business/status', icon: 'status' },
  ],
}

/** Shown to the person who runs the installation only. */
export const operatorFold: MenuFold = {
  name: 'operator',
  icon: 'status',
  pages: [
    { name: 'allBusinesses', to: '/$business/operator/businesses', icon: 'people' },
    { name: 'tiers', to: '/$business/operator/tiers', icon: 'segment' },
    { name: 'jobs', to: '/$business/operator/jobs', icon: 'clock' },
    { name: 'mailQueue', to: '/$business/operator/mail', icon: 'message' },
  ],
}

/** Pages to which another page leads, and the command palette. */
export const furtherPages: readonly PageEntry[] = [
  { name: 'suppressions', to: '/$business/suppressions', icon: 'close' },
]

/** Pages beside the app, which the server renders. */
export const otherPages = [{ name: 'reference', href: '/docs', icon: 'book' }] as const

export const everyPage: readonly PageEntry[] = [
  ...menuPlaces.flatMap((place) => [place, ...(place.within ?? [])]),
  ...settingsFold.pages,
]
