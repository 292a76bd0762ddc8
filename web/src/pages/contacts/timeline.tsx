/** The history of a person, newest first, with the notes that members write. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Failure } from '../../ui/states.tsx'
import { contactWords } from '../../words/contacts.ts'
import { ago, day, moment, number } from '../../words/words.ts'

interface Entry {
  at: string
  type: string
  details: Record<string, unknown>
}

interface TimelineProps {
  contactId: string
  entries: readonly Entry[]
  more: boolean
  busy: boolean
  onMore: () => void
}

export function Timeline({ contactId, entries, more, busy, onMore }: TimelineProps) {
  const { drawer } = contactWords
  const mayWrite = useMay('editor')
  return (
    <section className="grid gap-3" aria-labelledby="timeline-heading">
      <h3 id="timeline-heading" className="font-semibold">
        {drawer.timeline}
      </h3>
      {mayWrite && <NewNote key={contactId} contactId={contactId} />}
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
            {entry.type === 'contact.note' || entry.type === 'contact.note_deleted' ? (
              <Note contactId={contactId} details={entry.details} mayDelete={mayWrite} />
            ) : entry.type === 'contact.history_deleted' ? (
              <p className="text-sm text-muted">{drawer.deletedHistory(sumsOf(entry.details))}</p>
            ) : (
              <About details={entry.details} />
            )}
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

/** What the deleted entries of a timeline said, in numbers. */
function sumsOf(details: Record<string, unknown>) {
  const of = (name: string) => number(Number(details[name] ?? 0))
  return {
    since: day(String(details['since'])),
    sent: of('sent'),
    opened: of('opened'),
    clicked: of('clicked'),
    events: of('own_events'),
  }
}

/** The server's limit. */
const longestNote = 4_000

function NewNote({ contactId: contact_id }: { contactId: string }) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const { notes } = contactWords.drawer
  const [text, setText] = useState('')
  const adding = useMutation({
    mutationFn: () => api.note.add({ business_id, contact_id, text }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['contact.get', business_id, contact_id] })
      setText('')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') adding.mutate()
  }
  return (
    <form className="grid gap-2" onSubmit={submit}>
      <TextArea
        label={notes.label}
        hint={notes.hint}
        rows={2}
        maxLength={longestNote}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {adding.error && <Failure error={adding.error} />}
      {text.trim() !== '' && (
        <div>
          <Button type="submit" busy={adding.isPending}>
            {notes.add}
          </Button>
        </div>
      )}
    </form>
  )
}

interface NoteProps {
  contactId: string
  details: Record<string, unknown>
  mayDelete: boolean
}

/** What somebody wrote, and who. */
function Note({ contactId: contact_id, details, mayDelete }: NoteProps) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const { notes } = contactWords.drawer
  // The text is absent once the note was deleted.
  const { note_id, by } = details
  const text = details['text'] as string | undefined
  const deleting = useMutation({
    mutationFn: () => api.note.delete({ business_id, contact_id, note_id: String(note_id) }),
    onSuccess: () =>
      client.invalidateQueries({ queryKey: ['contact.get', business_id, contact_id] }),
  })
  return (
    <div className="grid gap-1">
      {text !== undefined && (
        <p className="whitespace-pre-wrap break-words">
          <bdi>{text}</bdi>
        </p>
      )}
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-muted">
        {typeof by === 'string' && <bdi>{by}</bdi>}
        {text !== undefined && mayDelete && (
          <Button look="quiet" busy={deleting.isPending} onClick={() => deleting.mutate()}>
            {notes.delete}
          </Button>
        )}
      </p>
      {deleting.error && <Failure error={deleting.error} />}
    </div>
  )
}

/** What it was about, with the way there. The raw JSON shows everything. */
function About({ details }: { details: Record<string, unknown> }) {
  const business = useBusinessId()
  const { drawer } = contactWords
  const { campaign_id: campaign, message_id: message, sequence_id: automation } = details
  const { form_id: form } = details
  const className = 'text-link hover:underline'
  const facts = factsOf(details)
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
      {typeof automation === 'string' && (
        <Link
          to="/$business/automations/$automation"
          params={{ business, automation }}
          className={className}
        >
          {drawer.toAutomation}
        </Link>
      )}
      {typeof form === 'string' && (
        <Link to="/$business/forms/$form" params={{ business, form }} className={className}>
          {drawer.toForm}
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
      {facts.length > 0 && (
        <p className="text-muted">
          <bdi>{facts.join(' · ')}</bdi>
        </p>
      )}
    </div>
  )
}

/** Server replies and addresses of links may be long. */
const longest = 160

/** The facts that say something to a person, each in words. */
function factsOf(details: Record<string, unknown>): string[] {
  const { drawer } = contactWords
  const { source, changed: fields, kind, reason, url, code, text, event } = details
  const names = Array.isArray(fields) ? fields.map((field) => nameOfField(String(field))) : []
  const shown = [
    names.length > 0 ? drawer.changed(names.join(', ')) : undefined,
    drawer.changedBy[String(source)],
    drawer.kinds[String(kind)],
    drawer.leftFor[String(reason)],
    ...[event, code, text, url].map((value) =>
      typeof value === 'string' || typeof value === 'number' ? String(value) : undefined,
    ),
  ]
  return shown
    .filter((fact) => fact !== undefined)
    .filter((fact) => fact !== '')
    .map((fact) => (fact.length > longest ? `${fact.slice(0, longest)}…` : fact))
}

/** Own fields, and topics by their keys, are called what the business calls them. */
function nameOfField(field: string): string {
  return contactWords.drawer.fields[field] ?? field.replace(/^(attributes|topics\.\w+)\./, '')
}
