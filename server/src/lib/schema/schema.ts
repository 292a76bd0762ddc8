/**
 * Schemas in TypeBox's form and with its types, made by our own code. The package loads 373 modules
 * for these few functions, and with them an idle service takes 163 to 177 MB in place of 150 to 156,
 * where 160 are its limit (as in `npm run bench -- memory`). schema.test.ts compares each function
 * with TypeBox's own.
 */
import type { TObject, TProperties, TSchema, Type as TypeBox } from 'typebox'

export type { Static, TObject, TProperties, TSchema, TUnsafe } from 'typebox'

type Used =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Omit'
  | 'Optional'
  | 'Partial'
  | 'Pick'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unsafe'

type Options = Record<string, unknown>

const optional = '~optional'

const plain = (type: string) => (options?: Options) => ({ type, ...options })

/** The mark is not enumerable, so that JSON does not show it; only object schemas read it. */
function asOptional(schema: TSchema): TSchema {
  return Object.defineProperty({ ...schema }, optional, { value: true })
}

function object(properties: TProperties, options?: Options) {
  const required = Object.keys(properties).filter((key) => !(optional in (properties[key] ?? {})))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

function chosen({ properties }: TObject, isChosen: (key: string) => boolean) {
  return object(Object.fromEntries(Object.entries(properties).filter(([key]) => isChosen(key))))
}

const builders = {
  Array: (items: TSchema, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: plain('boolean'),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Integer: plain('integer'),
  Null: plain('null'),
  Number: plain('number'),
  Object: object,
  Omit: (type: TObject, keys: readonly string[]) => chosen(type, (key) => !keys.includes(key)),
  Optional: asOptional,
  Partial: ({ properties }: TObject) =>
    object(
      Object.fromEntries(
        Object.entries(properties).map(([key, schema]) => [key, asOptional(schema)]),
      ),
    ),
  Pick: (type: TObject, keys: readonly string[]) => chosen(type, (key) => keys.includes(key)),
  /** Accepts any keys. */
  Record: (_anyKey: TSchema, value: TSchema, options?: Options) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: plain('string'),
  Union: (anyOf: readonly TSchema[], options?: Options) => ({ anyOf, ...options }),
  Unsafe: (schema: Options) => ({ ...schema }),
} satisfies Record<Used, unknown>

export const Type = builders as unknown as Pick<typeof TypeBox, Used>
