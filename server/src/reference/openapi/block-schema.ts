/**
 * The schemas of the blocks of a mail, one of each type. Tools have a list of anything in their place,
 * since all fields of all types would not fit; the server checks blocks in both cases.
 */
import { blockSchemas as ownSchemas } from '../../templates/blocks/block.ts'
import { type BlockType, blockTraits, blockTypes } from '../../templates/blocks/types.ts'
import type { Schema } from '../examples/values.ts'
import { filterOf } from './filter-schema.ts'
import { pascal, plain, ref } from './schema.ts'

const schemaName = (type: BlockType) => `${pascal(type)}Block`

/** Any of these blocks, which their `type` tells apart. */
function anyOf(types: readonly BlockType[], description: string): Schema {
  const refs = types.map((type) => [type, ref('schemas', schemaName(type))] as const)
  return {
    description,
    oneOf: refs.map(([, to]) => to),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(refs.map(([type, { $ref }]) => [type, $ref])),
    },
  } as Schema
}

export const blockSchemas: Record<string, Schema> = {
  Block: anyOf(blockTypes, 'One block of a mail. The guide “Blocks” tells of each type.'),
  BlockWithinColumns: anyOf(
    blockTypes.filter((type) => !blockTraits[type].isWide),
    'A block that may stand beside others.',
  ),
  ...Object.fromEntries(blockTypes.map((type) => [schemaName(type), schemaOf(type)])),
}

function schemaOf(type: BlockType): Schema {
  const schema = plain(ownSchemas[type])
  const properties: Record<string, Schema> = { ...schema.properties }
  const { columns, show_if } = properties
  if (columns?.items) columns.items.items = ref('schemas', 'BlockWithinColumns') as Schema
  if (show_if) properties['show_if'] = filterOf('Only contacts who fit it see the block.')
  return { ...schema, properties }
}

/** The fields that hold blocks: of a mail, and of the brand above and below each mail. */
const blockFields = new Set(['blocks', 'header', 'footer'])

/** Says what is in the lists of blocks whose entries the schemas of tools leave open. */
export function withBlockSchema<T>(document: T): T {
  return JSON.parse(JSON.stringify(document), (key, value: Schema) => {
    if (!blockFields.has(key)) return value
    if (isLooseList(value)) return ofBlocks(value)
    // Null where there is none.
    if (!Array.isArray(value?.anyOf)) return value
    const anyOf = value.anyOf.map((option) => (isLooseList(option) ? ofBlocks(option) : option))
    return { ...value, anyOf }
  }) as T
}

const ofBlocks = (list: Schema) => ({ ...list, items: ref('schemas', 'Block') })

/** A list of anything, of objects, or of blocks of which it says the type alone. */
function isLooseList(schema: Schema | null): boolean {
  if (schema?.type !== 'array') return false
  const { items } = schema
  if (items === undefined) return true
  return items.type === 'object' && (items.properties === undefined || 'type' in items.properties)
}
