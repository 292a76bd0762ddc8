import { operation } from '../../core/operation.ts'
import { countThatFits } from '../../core/paging.ts'
import { untrusted } from '../../core/untrusted.ts'
import { Type } from '../../lib/schema/schema.ts'
import { attributeField, operators, operatorsOfThePast, ownFields } from '../filters/filter.ts'
import { type FieldType, fieldLimits, fieldTypes } from './field-changes.ts'
import {
  type CommonValue,
  type ListedField,
  listCommonValues,
  listEventNames,
  listFields,
  listTags,
} from './queries.ts'

/** How many of each are shown, the most used first. */
const shownAtMost = { fields: 200, values: 10, tags: 200, events: 200 } as const

const operatorList = Type.Array(Type.String())

export const contactFieldsList = operation({
  name: 'contact.fields',
  title: 'List fields',
  summary:
    'What filters can ask for: fields with their type and how many contacts have each, tags, own events. Free, changes nothing.',
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
      }),
    ),
    operators: Type.Record(Type.String(), operatorList),
    tags: Type.Array(Type.Object({ tag: Type.String(), contacts: Type.Integer() })),
    events: Type.Array(Type.String()),
    more: Type.Optional(Type.Array(Type.Enum(['fields', 'tags', 'events']))),
  }),

  async run({ db, business }) {
    const [fields, tags, events] = await Promise.all([
      listFields(db, business.id, shownAtMost.fields + 1),
      listTags(db, business.id, shownAtMost.tags + 1),
      listEventNames(db, business.id, shownAtMost.events + 1),
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

function fitting<T>(all: readonly T[], most: number): { shown: T[]; isCut: boolean } {
  const some = all.slice(0, most)
  const shown = some.slice(0, countThatFits(some))
  return { shown, isCut: shown.length < all.length }
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
