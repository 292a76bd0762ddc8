/**
 * Exports contacts as CSV. The columns have the names that imports recognise, with the types of
 * attributes, so that an import of the file restores the same contacts.
 */

import {
  type AttributeValue,
  type ConsentSubject,
  channels,
  consentSubjects,
} from '../contacts/contact.ts'
import {
  type AttributeKind,
  type ExportedContact,
  exportContacts,
  kindsOfAttributes,
} from '../contacts/exporting/export-contacts.ts'
import type { Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import {
  type AttributeType,
  attributeTarget,
  csvLine,
  emptyText,
  guarded,
  joinTags,
} from '../imports/cells.ts'
import type { Db, Sql } from '../lib/db/types.ts'

/**
 * The most columns of attributes. An import accepts 500 columns; with more attributes than this,
 * one JSON column contains all of them.
 */
const mostAttributeColumns = 400

const typeNames: Readonly<Record<string, AttributeType>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
}

const plainColumns = [
  'email',
  'phone',
  'external_id',
  'name',
  'first_name',
  'last_name',
  'language',
  'tags',
]
const consentColumns = consentSubjects.flatMap((subject) =>
  ['', '.source', '.text', '.ip', '.agent', ...(hasTopics(subject) ? ['.topics'] : [])].map(
    (part) => `consent.${subject}${part}`,
  ),
)

/** How the person stands; an import leaves these out, and keeps its own record of who said no. */
const standingColumns = channels.map((channel) => `standing.${channel}`)

function hasTopics(subject: ConsentSubject): boolean {
  return subject !== 'tracking'
}

export async function* contactsCsv(
  deps: { db: Db; hmac: Hmac },
  businessId: Id<'business'>,
  where: Sql,
): AsyncGenerator<string> {
  const kinds = await kindsOfAttributes(deps.db, businessId, {
    where,
    limit: mostAttributeColumns + 1,
  })
  const isWide = kinds.length > mostAttributeColumns
  const own = isWide ? [] : kinds
  yield csvLine([
    ...plainColumns,
    ...consentColumns,
    ...standingColumns,
    ...(isWide ? ['attributes'] : own.map((kind) => guarded(columnOf(kind)))),
  ])
  for await (const contacts of exportContacts(deps, businessId, where)) {
    yield contacts.map((contact) => csvLine(cellsOf(contact, own, isWide))).join('')
  }
}

const columnOf = ({ key, type }: AttributeKind) => attributeTarget(key, typeNames[type] ?? 'text')

function cellsOf(
  contact: ExportedContact,
  kinds: readonly AttributeKind[],
  isWide: boolean,
): string[] {
  const { email, phone, external_id, name, first_name, last_name, language, tags, attributes } =
    contact
  const plain = [email, phone, external_id, name, first_name, last_name, language].map((text) =>
    guarded(text ?? ''),
  )
  const own = kinds.map(({ key, type }) => {
    const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined
    return typeof value === type ? attributeCell(value) : ''
  })
  const wide = isWide ? [guarded(JSON.stringify(attributes))] : []
  return [
    ...plain,
    guarded(joinTags(tags)),
    ...consentSubjects.flatMap((subject) => consentCells(contact, subject)),
    ...channels.map((channel) => contact.standing[channel]),
    ...own,
    ...wide,
  ]
}

function attributeCell(value: AttributeValue | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : JSON.stringify(value)
  return value === '' ? emptyText : guarded(value)
}

function consentCells(contact: ExportedContact, channel: ConsentSubject): string[] {
  const status = contact.consent[channel]
  const evidence = contact.evidence[channel]
  const chosen = Object.entries(contact.topics[channel] ?? {}).flatMap(([key, topicStatus]) =>
    topicStatus === 'subscribed' ? [key] : [],
  )
  const width = hasTopics(channel) ? 6 : 5
  if (status === 'none') return Array.from({ length: width }, () => '')
  const isBackedUp = evidence?.action === status
  return [
    status,
    ...(isBackedUp
      ? [evidence.source, evidence.text ?? '', evidence.ip ?? '', evidence.agent ?? '']
      : ['', '', '', '']),
    status === 'subscribed' ? joinTags(chosen) : '',
  ]
    .slice(0, width)
    .map(guarded)
}
