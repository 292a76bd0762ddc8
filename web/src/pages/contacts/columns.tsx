import { Link } from '@tanstack/react-router'
import type { api } from '../../api/client.ts'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { Badge, TagChip, type Tone } from '../../ui/badge.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { contactWords } from '../../words/contacts.ts'
import { day } from '../../words/words.ts'

export type Contact = Awaited<ReturnType<typeof api.contact.list>>['contacts'][number]
export type Standing = Contact['standing']['email']

const looks: Record<Standing, { tone: Tone; icon?: IconName }> = {
  subscribed: { tone: 'good' },
  pending: { tone: 'calm', icon: 'clock' },
  unsubscribed: { tone: 'warn', icon: 'close' },
  none: { tone: 'calm' },
  bounced: { tone: 'bad' },
  complained: { tone: 'bad' },
  stopped: { tone: 'bad', icon: 'close' },
  suppressed: { tone: 'bad', icon: 'close' },
}

export function StandingBadge({ status }: { status: Standing }) {
  return <Badge {...looks[status]}>{contactWords.consent[status]}</Badge>
}

const tagsShown = 2

/** Getters, since the language is chosen after this file is loaded. */
export const contactColumns: readonly RowsColumn<Contact>[] = [
  {
    id: 'address',
    get header() {
      return contactWords.email
    },
    cell: ({ contact_id, email, phone }) => (
      <Link
        from="/$business/contacts"
        to="/$business/contacts"
        search={(before) => ({ ...before, open: contact_id })}
        className="font-medium"
      >
        <bdi>{email ?? phone ?? contact_id}</bdi>
      </Link>
    ),
  },
  {
    id: 'name',
    get header() {
      return contactWords.name
    },
    cell: ({ name }) => <bdi>{name}</bdi>,
    className: 'w-1/5 max-md:hidden',
  },
  {
    id: 'tags',
    get header() {
      return contactWords.tags
    },
    cell: ({ tags }) => (
      <span className="flex items-center gap-1">
        {tags.slice(0, tagsShown).map((tag) => (
          <TagChip key={tag}>{tag}</TagChip>
        ))}
        {tags.length > tagsShown && (
          <span className="text-xs text-muted">+{tags.length - tagsShown}</span>
        )}
      </span>
    ),
    className: 'w-1/5 max-lg:hidden',
  },
  {
    id: 'status',
    get header() {
      return contactWords.status
    },
    cell: ({ standing }) => <StandingBadge status={standing.email} />,
    className: 'w-52 max-lg:w-36',
  },
  {
    id: 'added',
    get header() {
      return contactWords.added
    },
    cell: ({ created_at }) => (
      <time dateTime={created_at} className="text-muted tabular-nums">
        {day(created_at)}
      </time>
    ),
    className: 'w-32 max-sm:hidden',
  },
]
