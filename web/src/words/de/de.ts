import type { Words } from '../words.ts'
import { campaigns } from './campaigns.ts'
import { contacts } from './contacts.ts'
import { domains } from './domains.ts'
import { filters } from './filters.ts'
import { home } from './home.ts'
import { exports, imports } from './imports.ts'
import { messages, replies, segments, templates, usage, webhooks } from './lists.ts'
import { members, settings } from './settings.ts'
import { shell } from './shell.ts'

export const de: Words = {
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
