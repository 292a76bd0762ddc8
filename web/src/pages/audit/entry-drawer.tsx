/** One entry of the audit log with all that it holds. */
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/page.tsx'
import { keyWords } from '../../words/api-keys.ts'
import { auditWords } from '../../words/audit.ts'
import { moment, number, words } from '../../words/words.ts'
import { type Entry, operationName, personName, subjectName, throughName } from './names.tsx'
import type { AuditFilters } from './search.ts'

interface EntryDrawerProps {
  entry: Entry | undefined
  onClose: () => void
  onFilter: (filters: AuditFilters) => void
}

export function EntryDrawer({ entry, onClose, onFilter }: EntryDrawerProps) {
  // The drawer keeps its entry while it slides out.
  const [shown, setShown] = useState(entry)
  if (entry !== undefined && entry !== shown) setShown(entry)
  return (
    <Drawer
      open={entry !== undefined}
      onClose={onClose}
      title={shown ? operationName(shown.operation) : auditWords.title}
      actions={shown && <ForDevelopers value={shown} id={shown.entry_id} />}
    >
      {shown && (
        <div className="grid divide-y divide-line *:p-4">
          <What entry={shown} onFilter={onFilter} />
          <Details entry={shown} />
        </div>
      )}
    </Drawer>
  )
}

function What({ entry, onFilter }: { entry: Entry; onFilter: (filters: AuditFilters) => void }) {
  const audit = auditWords
  const { person, connection, operation, subject } = entry
  return (
    <div className="grid gap-4">
      <Facts>
        <Fact name={audit.when}>{moment(entry.created_at)}</Fact>
        <Fact name={audit.who}>
          <bdi>{personName(entry)}</bdi>
        </Fact>
        <Fact name={audit.through}>
          <bdi>{throughName(entry) ?? '—'}</bdi>
          {connection !== null && !connection.is_key && (
            <p className="text-sm text-muted">{audit.unverified}</p>
          )}
        </Fact>
        {subject !== null && (
          <Fact name={audit.subject}>
            <Subject entry={entry} id={subject} />
          </Fact>
        )}
      </Facts>
      <div className="flex flex-wrap gap-2">
        {person !== null && (
          <Button onClick={() => onFilter({ person: person.user_id })}>{audit.onlyPerson}</Button>
        )}
        {connection !== null && (
          <Button onClick={() => onFilter({ connection: connection.connection_id })}>
            {audit.onlyConnection}
          </Button>
        )}
        <Button onClick={() => onFilter({ operation })}>{audit.onlyOperation}</Button>
      </div>
    </div>
  )
}

/** What it was done to, with a link to its page where it exists and the app has one. */
function Subject({ entry, id }: { entry: Entry; id: string }) {
  const params = { business: useBusinessId() }
  const className = 'text-link hover:underline'
  const name = <bdi>{subjectName(entry) ?? '—'}</bdi>
  const isNamed = entry.subject_name !== null
  const links: Record<string, ReactNode> = {
    cmp_: (
      <Link
        to="/$business/campaigns/$campaign"
        params={{ ...params, campaign: id }}
        className={className}
      >
        {name}
      </Link>
    ),
    con_: (
      <Link to="/$business/contacts" params={params} search={{ open: id }} className={className}>
        {name}
      </Link>
    ),
    frm_: (
      <Link to="/$business/forms/$form" params={{ ...params, form: id }} className={className}>
        {name}
      </Link>
    ),
    seg_: (
      <Link to="/$business/segments" params={params} search={{ open: id }} className={className}>
        {name}
      </Link>
    ),
    seq_: (
      <Link
        to="/$business/automations/$automation"
        params={{ ...params, automation: id }}
        className={className}
      >
        {name}
      </Link>
    ),
    fed_: (
      <Link to="/$business/feeds/$feed" params={{ ...params, feed: id }} className={className}>
        {name}
      </Link>
    ),
    tpl_: (
      <Link
        to="/$business/templates/$template"
        params={{ ...params, template: id }}
        className={className}
      >
        {name}
      </Link>
    ),
    imp_: (
      <Link to="/$business/contacts/import" params={params} search={{ id }} className={className}>
        {name}
      </Link>
    ),
  }
  if (id.startsWith('msg_')) {
    return (
      <Link to="/$business/messages" params={params} search={{ open: id }} className={className}>
        {name}
      </Link>
    )
  }
  return (isNamed && links[id.slice(0, 4)]) || name
}

function Details({ entry }: { entry: Entry }) {
  const details = Object.entries(entry.details).flatMap(([key, value]) => {
    const name = auditWords.facts[key]
    return name === undefined || value === null ? [] : [{ name, value: valueText(key, value) }]
  })
  if (details.length === 0) return null
  return (
    <section className="grid gap-3" aria-labelledby="details-heading">
      <h3 id="details-heading" className="font-semibold">
        {auditWords.details}
      </h3>
      <Facts>
        {details.map(({ name, value }) => (
          <Fact key={name} name={name}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
      </Facts>
    </section>
  )
}

function valueText(key: string, value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? auditWords.yes : auditWords.no
  if (typeof value === 'number') return number(value)
  if (times.has(key)) return moment(value)
  // Free text, such as a reason, stands as it was typed.
  if (!codes.has(key)) return value
  const texts =
    key === 'role' ? words.role : key === 'scopes' ? keyWords.scopes : auditWords.values[key]
  return value
    .split(' ')
    .map((code) => (texts as Record<string, string> | undefined)?.[code] ?? code)
    .join(', ')
}

const times = new Set(['from', 'to'])

/** Details whose value is a code, or several between spaces. */
const codes = new Set(['role', ...Object.keys(auditWords.values), 'domains', 'scopes'])
