/** The documentation by who reads it: owners, developers, operators, and people with an assistant. */
import type { Operation } from '../core/operation.ts'
import type { Page } from './blocks.ts'
import { writtenPages } from './guides/written.ts'
import { type Chapter, chaptersOf } from './pages/all.ts'
import type { Site } from './site.ts'

export interface Shelf {
  title: string
  about: string
  chapters: Chapter[]
}

/** Guides of `docs/guides` and pages of `docs/operate`, in the order in which they are read. */
const ownerChapters = {
  'First steps': [
    'help/first-campaign',
    'help/your-brand',
    'help/importing',
    'help/forms',
    'help/send-campaigns',
    'help/campaign-results',
  ],
  People: [
    'help/topics-and-consent',
    'help/filters',
    'help/clean-lists',
    'help/one-person',
    'help/retention',
  ],
  Mail: [
    'help/blocks',
    'help/mail-that-looks-right',
    'help/personalise',
    'help/translations',
    'help/archive',
    'help/links-in-analytics',
  ],
  Automations: [
    'help/automations',
    'help/birthdays',
    'help/win-back',
    'help/abandoned-carts',
    'help/blog-by-mail',
  ],
  'Move to Crier': ['help/move-from-mailchimp', 'help/move-from-brevo', 'help/move-from-listmonk'],
  'Your business': ['help/members', 'help/connections'],
}

const developerChapters = {
  'From your code': [
    'help/testing',
    'help/own-events',
    'help/automation-examples',
    'help/receiving-webhooks',
    'help/react-email',
    'help/mjml',
    'help/handlebars',
    'help/smtp',
    'help/move-from-resend',
    'help/move-from-postmark',
  ],
}

const operatorChapters = {
  'Set up': [
    'operate',
    'operate/server',
    'operate/settings',
    'operate/mail',
    'operate/relays',
    'operate/sms-providers',
    'operate/files',
    'operate/ports-and-files',
    'operate/several-nodes',
    'operate/citus',
  ],
  'Keep it running': [
    'operate/backup',
    'operate/monitoring',
    'operate/security',
    'operate/upgrade',
    'operate/trouble',
  ],
}

const assistantChapters = { 'Work with an assistant': ['guides/assistants'] }

const placed = new Set(
  [ownerChapters, developerChapters, operatorChapters, assistantChapters].flatMap((chapters) =>
    Object.values(chapters).flat(),
  ),
)

export function shelvesOf(catalog: readonly Operation[], site: Site): Shelf[] {
  const [guides, ...lists] = chaptersOf(catalog, site)
  const written = writtenPages(catalog, site)
  const byPath = new Map(
    [...(guides?.pages ?? []), ...written].map((page): [string, Page] => [page.path, page]),
  )
  const chaptersFrom = (chapters: Record<string, readonly string[]>): Chapter[] =>
    Object.entries(chapters).map(([title, paths]) => ({
      title,
      pages: paths.map((path) => byPath.get(path)).filter((page) => page !== undefined),
    }))
  /** Those that have no place above. */
  const more = (pages: Page[]): Chapter => ({
    title: 'More',
    pages: pages.filter(({ path }) => !placed.has(path)),
  })
  const isHelp = ({ path }: Page) => path.startsWith('help/')
  const shelves: Shelf[] = [
    {
      title: 'For owners',
      about: 'Write mail, look after your contacts, put up forms, read results.',
      chapters: [...chaptersFrom(ownerChapters), more(written.filter(isHelp))],
    },
    {
      title: 'For developers',
      about: 'Send from your code: REST, SDK, webhooks, test mode, every operation and error.',
      chapters: [
        { ...more(guides?.pages ?? []), title: 'Guides' },
        ...chaptersFrom(developerChapters),
        ...lists,
      ],
    },
    {
      title: 'For operators',
      about: 'Install it, connect mail and texts, back it up, watch and upgrade it.',
      chapters: [...chaptersFrom(operatorChapters), more(written.filter((page) => !isHelp(page)))],
    },
    {
      title: 'For assistants',
      about: 'Connect Claude, ChatGPT or another assistant, and decide what it may do.',
      chapters: chaptersFrom(assistantChapters),
    },
  ]
  // An installation without its documents has the reference alone.
  return shelves
    .map((shelf) => ({
      ...shelf,
      chapters: shelf.chapters.filter(({ pages }) => pages.length > 0),
    }))
    .filter(({ chapters }) => chapters.length > 0)
}
