/** Finds the meaning of each field, and puts it into the schemas that readers see. */
import type { Operation } from '../../core/operation.ts'
import { flatSchema } from '../../operations/flat.ts'
import type { Schema } from '../examples/values.ts'
import { plain } from '../openapi/schema.ts'
import { singular } from '../singular.ts'
import { audienceMeanings } from './audience.ts'
import { campaignMeanings } from './campaigns.ts'
import { sameEverywhere, unlessDescribed } from './common.ts'
import { deliverabilityMeanings } from './deliverability.ts'
import { feedMeanings } from './feeds.ts'
import { formAndFileMeanings } from './forms-and-files.ts'
import { messageMeanings } from './messages.ts'
import { operationMeanings } from './operations.ts'
import { reportMeanings } from './reports.ts'
import { sequenceMeanings } from './sequences.ts'
import { serviceMeanings } from './service.ts'

const specific: ReadonlyMap<string, string> = new Map(
  [
    audienceMeanings,
    campaignMeanings,
    reportMeanings,
    sequenceMeanings,
    feedMeanings,
    deliverabilityMeanings,
    formAndFileMeanings,
    messageMeanings,
    serviceMeanings,
  ].flatMap((meanings) => Object.entries(meanings)),
)

/** Keys that have a meaning in this module. */
export const meaningKeys: readonly string[] = [
  ...specific.keys(),
  ...Object.keys(sameEverywhere),
  ...Object.keys(unlessDescribed),
]

/** The schema of an operation's arguments, each field with its meaning. */
export function inputOf({
  name,
  input,
  entries = {},
}: Pick<Operation, 'name' | 'input' | 'entries'>): Schema {
  const schema = withMeanings(plain(input), [name, nounOf(name)])
  const properties: Record<string, Schema> = { ...schema.properties }
  for (const [field, entry] of Object.entries(entries)) {
    const own = `${name}.${singular(field)}`
    const owners = [own, singleOf[name] ?? name, nounOf(name)]
    properties[field] = { ...properties[field], items: withMeanings(plain(entry), owners) }
  }
  return { ...schema, properties }
}

/** Operations whose entries have the fields of another operation. */
const singleOf: Readonly<Record<string, string>> = {
  'contact.import': 'contact.upsert',
  'email.send_batch': 'email.send',
  'sms.send_batch': 'sms.send',
}

/** The schema of an operation's answer, each field with its meaning. */
export function outputOf({ name, output }: Pick<Operation, 'name' | 'output'>): Schema {
  return withMeanings(plain(output), [name, nounOf(name)])
}

/** The same over REST, where what strangers typed has no field of its own. */
export function restOutputOf(operation: Pick<Operation, 'name' | 'output' | 'hints'>): Schema {
  return flatSchema(operation, outputOf(operation))
}

/** The fields of the answer that strangers may have typed, in their order. */
export function markedFields({ output }: Pick<Operation, 'output'>): string[] {
  const fieldsIn = ({ properties = {}, items, anyOf = [] }: Schema): string[] => [
    ...Object.keys(properties['untrusted']?.properties ?? {}),
    ...[...Object.values(properties), ...(items ? [items] : []), ...anyOf].flatMap(fieldsIn),
  ]
  return [...new Set(fieldsIn(plain(output)))]
}

/** What the operation does, in full sentences. */
export function aboutOf({ name, summary }: Pick<Operation, 'name' | 'summary'>): string {
  return operationMeanings[name] ?? summary
}

const nounOf = (operation: string) => operation.split('.')[0] ?? operation

/** `owners` are the first parts of the keys to look for, the most specific first. */
function withMeanings(schema: Schema, owners: readonly string[]): Schema {
  const { properties, items, anyOf } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, field]) => [
          key,
          fieldWithMeaning(field, key, owners),
        ]),
      ),
    }),
    ...(items && { items: withMeanings(items, owners) }),
    ...(anyOf && { anyOf: anyOf.map((choice) => withMeanings(choice, owners)) }),
  }
}

function fieldWithMeaning(field: Schema, key: string, owners: readonly string[]): Schema {
  const { description: brief, ...rest } = withMeanings(field, [
    `${owners.at(-1)}.${singular(key)}`,
    singular(key),
  ])
  const own = owners.map((owner) => specific.get(`${owner}.${key}`)).find((text) => text)
  const description = own ?? sameEverywhere[key] ?? brief ?? unlessDescribed[key]
  return description === undefined ? rest : { ...rest, description }
}
