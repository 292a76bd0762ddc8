import type { Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { countThatFits } from '../../core/paging.ts'
import { untrusted } from '../../core/untrusted.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { attributeField, operators, operatorsOfThePast, ownFields } from '../filters/filter.ts'
import { type FieldType, fieldLimits, fieldTypes } from './count-fields.ts'
import { countAttributes } from './spelling-queries.ts'

/** How many of each are shown, the most used first. */
const shownAtMost = { fields: 200, values: 10, tags: 200, events: 200 } as const

const operatorList = Type.Array(Type.String())

export const contactFieldsList = operation({
  name: 'contact.fields',
  title: 'List fields',
  area: 'contacts',
  everyday: true,
  summary:
    'What filters can use: fields with their type and how many contacts have each, tags, own events. Free, changes nothing.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/contacts/fields',
  input: {},
  output: Type.Object({
    fields: Type.Array(
      Type.Object({
        field: Type.String(),
        type: Type.Enum(fieldTypes),
        contacts: Type.Integer(),
        by_type: Type.Optional(Type.Record(Type.String(), Type.Integer())),
        untrusted: untrusted({
          values: Type.Array(Type.Object({ value: Type.String(), contacts: Type.Integer() }), {
            description: `Short texts that at least five have, the commonest first: of the newest ${fieldLimits.contactsRead.toLocaleString('en')} contacts.`,
          }),
        }),
      }),
    ),
    built_in: Type.Array(
      Type.Object({
        field: Type.String(),
        type: Type.Enum(['text', 'date']),
        operators: operatorList,
        contacts: Type.Optional(
          Type.Integer({
            description: `How many of the newest ${fieldLimits.contactsRead.toLocaleString('en')} contacts have one.`,
          }),
        ),
      }),
    ),
    operators: Type.Record(Type.String(), operatorList),
    tags: Type.Array(Type.Object({ tag: Type.String(), contacts: Type.Integer() })),
    events: Type.Array(Type.String()),
    more: Type.Optional(Type.Array(Type.Enum(['fields', 'tags', 'events']))),
  }),

  async run({ db, business }) {
    const [fields, tags, events, owners] = await Promise.all([
      listFields(db, business.id, shownAtMost.fields + 1),
      listTags(db, business.id, shownAtMost.tags + 1),
      listEventNames(db, business.id, shownAtMost.events + 1),
      countOwnFields(db, business.id),
    ])
    const keys = fields.map(({ key }) => key)
    const { values } = shownAtMost
    const common = await listCommonValues(db, business.id, { keys, values })
    const valuesOf = Map.groupBy(common, ({ key }) => key)
    const lists = {
      fields: fitting(
        fields.map((field) => viewOf(field, valuesOf.get(field.key) ?? [])),
        shownAtMost.fields,
      ),
      tags: fitting(tags, shownAtMost.tags),
      events: fitting(events, shownAtMost.events),
    }
    const more = (['fields', 'tags', 'events'] as const).filter((word) => lists[word].isCut)
    return {
      fields: lists.fields.shown,
      built_in: Object.entries(ownFields).map(([field, type]) => ({
        field,
        type,
        operators: [...(type === 'text' ? operators.text : operatorsOfThePast), ...operators.any],
        ...(isCounted(field) && { contacts: owners[field] }),
      })),
      operators: {
        text: [...operators.text],
        number: [...operators.number],
        date: [...operators.date],
        boolean: ['is', 'is_not'],
        any: [...operators.any],
      },
      tags: lists.tags.shown,
      events: lists.events.shown,
      ...(more.length > 0 && { more }),
    }
  },
})

const countedFields = ['email', 'phone', 'name', 'first_name', 'last_name', 'language'] as const
type CountedField = (typeof countedFields)[number]

const isCounted = (field: string): field is CountedField =>
  countedFields.some((counted) => counted === field)

/** The keys of the business's own fields, those that most contacts have first. */
export async function ownFieldKeys(db: Db, businessId: Id<'business'>): Promise<string[]> {
  const fields = await countAttributes(db, businessId)
  return fields.map(({ name }) => name)
}

/** How many of the newest contacts have each, which a mail may say. */
function countOwnFields(db: Db, businessId: Id<'business'>): Promise<Record<CountedField, number>> {
  return db.one(sql`
    select count(email)::int as email, count(phone)::int as phone, count(name)::int as name,
      count(first_name)::int as first_name, count(last_name)::int as last_name, count(language)::int as language
    from (
      select email, phone, name, first_name, last_name, language from contacts where business_id = ${businessId}
      order by id desc limit ${fieldLimits.contactsRead}
    ) as newest
  `)
}

function fitting<T>(all: readonly T[], limit: number): { shown: T[]; isCut: boolean } {
  const candidates = all.slice(0, limit)
  const fields = candidates.slice(0, countThatFits(candidates))
  return { shown: fields, isCut: fields.length < all.length }
}

function viewOf({ key, contacts, ...counted }: ListedField, values: CommonValue[]) {
  const counts: Record<FieldType, number> = {
    text: counted.texts,
    number: counted.numbers,
    boolean: counted.booleans,
    date: counted.dates,
  }
  const used = fieldTypes
    .filter((type) => counts[type] > 0)
    .toSorted((a, b) => counts[b] - counts[a])
  return {
    field: attributeField(key),
    type: used[0] ?? 'text',
    contacts,
    ...(used.length > 1 && {
      by_type: Object.fromEntries(used.map((type) => [type, counts[type]])),
    }),
    untrusted: {
      values: values.map(({ value, contacts: having }) => ({ value, contacts: having })),
    },
  }
}

interface ListedField {
  key: string
  texts: number
  numbers: number
  booleans: number
  dates: number
  contacts: number
}

/** Lists fields, those that most contacts have first. */
function listFields(db: Db, businessId: Id<'business'>, limit: number): Promise<ListedField[]> {
  return db.all(sql`
    select key, texts, numbers, booleans, dates, texts + numbers + booleans + dates as contacts
    from contact_fields
    where business_id = ${businessId} and texts + numbers + booleans + dates > 0
    order by contacts desc, key limit ${limit}
  `)
}

interface CommonValue {
  key: string
  value: string
  contacts: number
}

/**
 * Lists short texts of these attributes that several of the newest contacts have, the most common
 * first. They are counted each time and never stored, so the value of a deleted contact is absent.
 */
export function listCommonValues(
  db: Db,
  businessId: Id<'business'>,
  { keys, values }: { keys: readonly string[]; values: number },
): Promise<CommonValue[]> {
  return db.all(sql`
    select key, value, contacts
    from (
      select key, value, count(*) as contacts,
        row_number() over (
          partition by key order by count(*) desc, value collate "C"
        ) as place
      from (
        select attributes from contacts where business_id = ${businessId}
        order by id desc limit ${fieldLimits.contactsRead}
      ) as newest,
      lateral (
        select key, value #>> '{}' as value from jsonb_each(attributes) as attribute (key, value)
        where key = any(${keys}::text[]) and jsonb_typeof(value) = 'string'
      ) as given
      where value <> '' and length(value) <= ${fieldLimits.valueLength}
      group by key, value having count(*) >= ${fieldLimits.peopleShown}
    ) as common
    where place <= ${values}
    order by key, place
  `)
}

interface ListedTag {
  tag: string
  contacts: number
}

function listTags(db: Db, businessId: Id<'business'>, limit: number): Promise<ListedTag[]> {
  return db.all(sql`
    select tag, contacts from contact_tags where business_id = ${businessId} and contacts > 0
    order by contacts desc, tag limit ${limit}
  `)
}

/** Lists names of own events, with one step through the index for each. */
export async function listEventNames(
  db: Db,
  businessId: Id<'business'>,
  limit: number,
): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    with recursive seen as (
      (select name from own_events where business_id = ${businessId} order by name limit 1)
      union all
      select (
        select name from own_events where business_id = ${businessId} and name > seen.name
        order by name limit 1
      ) from seen where name is not null
    )
    select name from seen where name is not null limit ${limit}
  `)
  return rows.map(({ name }) => name)
}
