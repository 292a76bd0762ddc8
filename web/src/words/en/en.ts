import { campaigns } from './campaigns.ts'
import { contacts } from './contacts.ts'
import { domains } from './domains.ts'
import { filters } from './filters.ts'
import { home } from './home.ts'
import { exports, imports } from './imports.ts'
import { messages, replies, segments, templates, usage, webhooks } from './lists.ts'
import { members, settings } from './settings.ts'
import { shell } from './shell.ts'

/** The catalogue: it contains each text of the app once, in each language. */
export const en = {
  ...shell,
  home,
  contacts,
  campaigns,
  exports,
  templates,
  imports,
  filters,
  settings,
  members,
  domains,
  messages,
  replies,
  segments,
  usage,
  webhooks,
}
