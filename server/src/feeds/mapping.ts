/**
 * Where the parts of items stand in JSON of a shop's or an application's own. Nothing of it is a
 * program: paths are names and numbers between dots.
 */
import { refuse } from '../core/errors.ts'
import { type Static, Type } from '../lib/schema/schema.ts'

const path = Type.String({ minLength: 1, maxLength: 200 })

export const mappingInput = Type.Object(
  {
    items: Type.Optional(path),
    title: path,
    url: Type.String({ minLength: 1, maxLength: 500 }),
    id: Type.Optional(path),
    text: Type.Optional(path),
    image: Type.Optional(path),
    price: Type.Optional(path),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    published: Type.Optional(path),
  },
  { additionalProperties: false },
)

/** Paths within an item, that of `items` within the document; `url` may have paths in braces instead. */
export type Mapping = Static<typeof mappingInput>

/** The most names of a path. */
const mostNames = 8

/** Refuses a path that could name nothing. */
export function checkMapping({ url, ...paths }: Mapping): void {
  for (const [key, names] of Object.entries(paths)) {
    if (key !== 'currency' && !isPath(names)) throw wrongPath(`mapping.${key}`, 'must be')
  }
  if (!isTemplate(url) && !isPath(url)) {
    throw wrongPath('mapping.url', 'must be an address with paths in braces, or')
  }
  if (isTemplate(url) && !placesOf(url).every(isPath)) {
    throw wrongPath('mapping.url', 'must have in its braces')
  }
}

const isPath = (text: string): boolean =>
  text.split('.').length <= mostNames && text.split('.').every((name) => /^[\w$@:-]+$/.test(name))

export const isTemplate = (url: string): boolean => /^https?:\/\//i.test(url)

const placesOf = (url: string): string[] =>
  [...url.matchAll(/\{([^{}]*)\}/g)].map(([, names = '']) => names)

function wrongPath(field: string, rule: string) {
  const text = `${field} ${rule} a path of at most ${mostNames} names or numbers between dots, such as images.0.src.`
  return refuse('invalid_request', text, { field, data: { reason: 'wrong_form' } })
}
