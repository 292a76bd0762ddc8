/** The counts of the dry run, and why rows would be refused. */
import { Link } from '@tanstack/react-router'
import { useBusinessId } from '../../api/businesses.ts'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { messageOf } from '../../ui/states.tsx'
import { homeWords } from '../../words/home.ts'
import { importWords } from '../../words/imports.ts'
import { moment, number } from '../../words/words.ts'
import { Counts } from './counts.tsx'
import type { Import } from './import.tsx'

/** Addresses that are probably wrong. The domains come from the file. */
function notesOnAddresses({ found, addresses }: Import): (string | false)[] {
  const counts = found?.addresses
  if (!counts) return []
  const imports = importWords
  const misspelt = addresses?.typos.map(({ domain }) => domain).join(', ') ?? ''
  return [
    counts.without_mail > 0 && imports.found.withoutMail(number(counts.without_mail)),
    counts.typos > 0 && imports.found.typos(number(counts.typos), misspelt),
    counts.roles > 0 && imports.found.roles(number(counts.roles)),
    counts.throw_away > 0 && imports.found.throwAway(number(counts.throw_away)),
  ]
}

/** The field that a row is about, before what is wrong with it; nothing where the whole row is. */
function nameOfTarget(field: string): string {
  const names: Record<string, string> = importWords.map.targets
  const name = names[field] ?? /^attributes\.(.+)$/.exec(field)?.[1]
  return name === undefined ? '' : `${importWords.found.about(name)} `
}

export function Found({ one }: { one: Import }) {
  const business = useBusinessId()
  const { found, same_file, kind } = one
  const imports = importWords
  if (!found) return null
  const refused = found.refusals.reduce((sum, { count }) => sum + count, 0)
  const leftOut = found.left_out.reduce((sum, { count }) => sum + count, 0)
  const notes = [
    found.doubled > 0 && imports.found.doubled(number(found.doubled), found.doubled_at_least),
    found.unsubscribed > 0 && imports.found.unsubscribed(number(found.unsubscribed)),
    found.suppressed > 0 &&
      (kind === 'contacts'
        ? imports.found.suppressed(number(found.suppressed))
        : imports.found.listed(number(found.suppressed))),
    found.erased > 0 && imports.found.erased(number(found.erased)),
    ...notesOnAddresses(one),
    leftOut > 0 && imports.found.leftOut(number(leftOut)),
  ].filter((note) => note !== false)
  return (
    <Card title={<bdi>{imports.found.title(one.file_name)}</bdi>}>
      <div className="grid gap-4">
        <Counts
          counts={[
            [imports.found.rows, found.rows],
            [imports.found.valid, found.valid],
            [imports.found.known, found.known],
            [imports.found.refused, refused],
          ]}
        />
        <ul className="grid gap-1.5 empty:hidden">
          {notes.map((note) => (
            <li key={note} className="flex items-start gap-2 text-muted">
              <Icon name="info" className="mt-0.5 shrink-0" />
              {note}
            </li>
          ))}
          {[...found.refusals, ...found.left_out].map(
            ({ code, field, message, reason, limit, count, rows }) => (
              <li key={`${code} ${field} ${message}`} className="flex items-start gap-2">
                <Icon name="warn" className="mt-0.5 shrink-0 text-warn" />
                <span>
                  {nameOfTarget(field)}
                  {messageOf({ message, code: '', field: undefined, data: { reason, limit } })}{' '}
                  <span className="text-muted">
                    {imports.found.inRows(number(count), rows.map(number).join(', '))}
                  </span>
                </span>
              </li>
            ),
          )}
          {same_file && (
            <li className="flex items-start gap-2">
              <Icon name="warn" className="mt-0.5 shrink-0 text-warn" />
              <span>
                {imports.found.same(moment(same_file.created_at))}{' '}
                <Link
                  to="/$business/contacts/import"
                  params={{ business }}
                  search={{ id: same_file.import_id }}
                  className="text-link hover:underline"
                >
                  {homeWords.waits.open}
                </Link>
              </span>
            </li>
          )}
        </ul>
      </div>
    </Card>
  )
}
