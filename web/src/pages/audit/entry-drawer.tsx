/** One entry of the audit log with all that it holds. */
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/page.tsx'
import { auditWords } from '../../words/audit.ts'
import { moment } from '../../words/words.ts'
import { type Entry, operationName, personName, throughName } from './names.tsx'
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
  const { person, connection, operation, subject, request_id } = entry
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
        <Fact name={audit.operation}>
          <code className="font-mono text-xs">{operation}</code>
        </Fact>
        {subject !== null && (
          <Fact name={audit.subject}>
            <Subject id={subject} />
          </Fact>
        )}
        {request_id !== null && (
          <Fact name={audit.request}>
            <Copyable text={request_id} />
          </Fact>
        )}
        <Fact name="ID">
          <Copyable text={entry.entry_id} />
        </Fact>
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

/** The page of what it was done to, if the app has one. */
function Subject({ id }: { id: string }) {
  const params = { business: useBusinessId() }
  const className = 'font-mono text-xs text-link hover:underline'
  const links: Record<string, ReactNode> = {
    cmp_: (
      <Link
        to="/$business/campaigns/$campaign"
        params={{ ...params, campaign: id }}
        className={className}
      >
        {id}
      </Link>
    ),
    con_: (
      <Link to="/$business/contacts" params={params} search={{ open: id }} className={className}>
        {id}
      </Link>
    ),
    msg_: (
      <Link to="/$business/messages" params={params} search={{ open: id }} className={className}>
        {id}
      </Link>
    ),
    imp_: (
      <Link to="/$business/contacts/import" params={params} search={{ id }} className={className}>
        {id}
      </Link>
    ),
  }
  return links[id.slice(0, 4)] ?? <Copyable text={id} />
}

function Details({ entry }: { entry: Entry }) {
  const details = Object.entries(entry.details)
  if (details.length === 0) return null
  return (
    <section className="grid gap-3" aria-labelledby="details-heading">
      <h3 id="details-heading" className="font-semibold">
        {auditWords.details}
      </h3>
      <Facts>
        {details.map(([name, value]) => (
          <Fact key={name} name={name}>
            <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
          </Fact>
        ))}
      </Facts>
    </section>
  )
}
