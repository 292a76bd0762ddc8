/** What the open page is about, with the guide that tells more. */
import { useRouterState } from '@tanstack/react-router'
import { useBusinessId } from '../api/businesses.ts'
import { buttonClass } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { helpWords } from '../words/help.ts'

type Subject = keyof typeof helpWords.pages

/** The guide of each subject below `/docs/help/`, with its section. */
const guides: Partial<Record<Subject, string>> = {
  home: 'first-campaign',
  contacts: 'topics-and-consent',
  import: 'importing',
  segments: 'filters',
  topics: 'topics-and-consent',
  suppressions: 'clean-lists',
  forms: 'forms',
  campaigns: 'send-campaigns',
  automations: 'automations',
  messages: 'campaign-results',
  templates: 'blocks',
  reports: 'campaign-results',
  brand: 'your-brand',
  domains: 'mail-that-looks-right',
  members: 'members',
  connections: 'connections',
  keys: 'connections',
  webhooks: 'receiving-webhooks',
}

export function Help({ open, onClose }: { open: boolean; onClose: () => void }) {
  const business = useBusinessId()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [, below = ''] = path.split(business)
  const subject = subjectOf(below)
  const { title, guide, pages } = helpWords
  const name = guides[subject]
  return (
    <Dialog open={open} onClose={onClose} title={title} description={pages[subject]}>
      {name !== undefined && (
        <DialogActions>
          <a className={buttonClass()} href={`/docs/help/${name}`} target="_blank" rel="noreferrer">
            {guide}
          </a>
        </DialogActions>
      )}
    </Dialog>
  )
}

/** `/contacts/import` is about imports, and the address of the business itself about Home. */
function subjectOf(path: string): Subject {
  const [page = 'home', more] = path.split('/').slice(1)
  if (more === 'import') return 'import'
  return Object.hasOwn(helpWords.pages, page) ? (page as Subject) : 'home'
}
