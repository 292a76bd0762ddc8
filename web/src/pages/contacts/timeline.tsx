/** The history of a person, newest first. */
import { Link } from '@tanstack/react-router'
import { useBusinessId } from '../../api/businesses.ts'
import { Button } from '../../ui/button.tsx'
import { contactWords } from '../../words/contacts.ts'
import { ago, moment } from '../../words/words.ts'

interface Entry {
  at: string
  type: string
  details: Record<string, unknown>
}

interface TimelineProps {
  entries: readonly Entry[]
  more: boolean
  busy: boolean
  onMore: () => void
}

export function Timeline({ entries, more, busy, onMore }: TimelineProps) {
  const { drawer } = contactWords
  return (
    <section className="grid gap-3" aria-labelledby="timeline-heading">
      <h3 id="timeline-heading" className="font-semibold">
        {drawer.timeline}
      </h3>
      {entries.length === 0 && <p className="text-muted">{drawer.nothing}</p>}
      <ol className="grid gap-2 border-l border-line pl-3">
        {entries.map((entry, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several may happen in one moment; the order stays.
          <li key={place} className="grid gap-0.5">
            <p className="flex items-baseline gap-2">
              <span title={entry.type}>{drawer.happened[entry.type] ?? entry.type}</span>
              <time
                dateTime={entry.at}
                title={moment(entry.at)}
                className="ml-auto shrink-0 text-sm text-muted"
              >
                {ago(entry.at)}
              </time>
            </p>
            <About details={entry.details} />
          </li>
        ))}
      </ol>
      {more && (
        <div>
          <Button busy={busy} onClick={onMore}>
            {drawer.older}
          </Button>
        </div>
      )}
    </section>
  )
}

const longest = 160

/** What it was about, with the way there. */
function About({ details }: { details: Record<string, unknown> }) {
  const business = useBusinessId()
  const { drawer } = contactWords
  const { campaign_id: campaign, message_id: message, ...rest } = details
  const className = 'text-link hover:underline'
  return (
    <div className="flex flex-wrap gap-x-3 text-sm">
      {typeof campaign === 'string' && (
        <Link
          to="/$business/campaigns/$campaign"
          params={{ business, campaign }}
          className={className}
        >
          {drawer.toCampaign}
        </Link>
      )}
      {typeof message === 'string' && (
        <Link
          to="/$business/messages"
          params={{ business }}
          search={{ open: message }}
          className={className}
        >
          {drawer.toMessage}
        </Link>
      )}
      <Details details={rest} />
    </div>
  )
}

/** Short facts in one line. The raw JSON shows everything. */
function Details({ details }: { details: Record<string, unknown> }) {
  const text = Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
  if (text === '') return null
  return (
    <p className="text-sm text-muted">
      <bdi>{text.length > longest ? `${text.slice(0, longest)}…` : text}</bdi>
    </p>
  )
}
