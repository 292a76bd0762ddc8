/** What the open page is about, with the guide that tells more. */
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId } from '../api/businesses.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { helpWords } from '../words/help.ts'

type Subject = keyof typeof helpWords.pages

/** The guide of each subject below `/docs/help/`, with its section. */
const guides = {
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
} as const satisfies Partial<Record<Subject, string>>

export type GuidedSubject = keyof typeof guides

/** The subjects that have a guide, for the search. */
export const guidedSubjects = Object.keys(guides) as GuidedSubject[]

export function Help({
  open,
  asked,
  onClose,
}: {
  open: boolean
  /** A subject that was searched for, whose guide opens at once. */
  asked?: GuidedSubject | undefined
  onClose: () => void
}) {
  const business = useBusinessId()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [, below = ''] = path.split(business)
  const subject = asked ?? subjectOf(below)
  const { title, pages } = helpWords
  const name = (guides as Partial<Record<Subject, string>>)[subject]
  return (
    <Dialog open={open} onClose={onClose} title={title} description={pages[subject]} wide>
      {name !== undefined && <Guide key={name} first={name} isOpened={asked !== undefined} />}
    </Dialog>
  )
}

/** A guide where one stands. A link to another guide opens it here, any other a page of its own. */
function Guide({ first, isOpened }: { first: string; isOpened: boolean }) {
  const [name, setName] = useState(isOpened ? first : undefined)
  const guide = useQuery({
    queryKey: ['guide', name],
    queryFn: ({ signal }) => readGuide(name ?? '', signal),
    enabled: name !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { guide: label, ownPage } = helpWords
  if (name === undefined) {
    return (
      <DialogActions>
        <Button onClick={() => setName(first)}>{label}</Button>
      </DialogActions>
    )
  }
  return (
    <>
      {guide.error && <Failure error={guide.error} />}
      {guide.isPending && <Skeleton lines={8} />}
      {guide.data && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it hears what its links are asked.
        // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is entered is clicked.
        <div
          lang="en"
          className="guide grid gap-3"
          onClick={(event) => {
            const other = guideIn(event.target)
            if (other === undefined) return
            event.preventDefault()
            setName(other)
          }}
          ref={(element) =>
            element?.replaceChildren(...guide.data.map((node) => node.cloneNode(true)))
          }
        />
      )}
      <DialogActions>
        <a className={buttonClass()} href={`/docs/help/${name}`} target="_blank" rel="noreferrer">
          {ownPage}
        </a>
      </DialogActions>
    </>
  )
}

/** The content of a page of the service's own documents, whose links lead where they do there. */
async function readGuide(name: string, signal: AbortSignal): Promise<Node[]> {
  const address = `/docs/help/${name}`
  const answer = await fetch(address, { signal })
  if (!answer.ok) throw new Error(address)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const main = page.querySelector('main') ?? page.body
  for (const part of main.querySelectorAll('script, style, nav, form, iframe')) part.remove()
  for (const link of main.querySelectorAll('a')) {
    link.href = new URL(link.getAttribute('href') ?? '', new URL(address, location.href)).href
    link.target = '_blank'
    link.rel = 'noreferrer'
  }
  return [...main.childNodes]
}

/** The guide to which a link leads, if it is one. */
function guideIn(target: EventTarget): string | undefined {
  const link = target instanceof Element ? target.closest('a') : null
  return link ? /^\/docs\/help\/([a-z-]+)$/.exec(new URL(link.href).pathname)?.[1] : undefined
}

/** `/contacts/import` is about imports, and the address of the business itself about Home. */
function subjectOf(path: string): Subject {
  const [page = 'home', more] = path.split('/').slice(1)
  if (more === 'import') return 'import'
  return Object.hasOwn(helpWords.pages, page) ? (page as Subject) : 'home'
}
