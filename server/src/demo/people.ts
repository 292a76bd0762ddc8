/** The people of the demo, with common names. The same number always gives the same person. */
import { createHash } from 'node:crypto'

const firstNames =
  'Ana Ben Chloé Dmitri Elif Farah Greta Hiro Inês Jonas Keiko Liam Mara Noah Olga Pablo Quinn Rosa Samir Tess Umar Vera Wim Yara Zoë Amara Bruno Clara Diego Emma Felix Grace Hugo Iris Jakub Lena Mateo Nadia Oskar Priya'.split(
    ' ',
  )
const lastNames =
  'Moreau Okafor Dubois Volkov Yılmaz Haddad Lindqvist Tanaka Costa Becker Sato Murphy Novak Williams Petrova García Adams Rossi Khan Bergman Aziz Horvat Peeters Nasser Keller Mensah Silva Fischer Romero Larsen Wagner Osei Blanc Ferrari Kowalski Weber Cruz Popescu Nilsson Sharma Martin Jensen Santos Nowak Brandt Leroy Castillo Eriksen Ito Greco Walsh Dahl'.split(
    ' ',
  )
const cities = ['Berlin', 'Lyon', 'Lisbon', 'Dublin', 'Oslo', 'Kraków', 'Ghent', 'Porto']

/** A number from 0 to 999 that depends only on the words. */
export function drawn(...words: (string | number)[]): number {
  return createHash('sha256').update(words.join(' ')).digest().readUInt32BE(0) % 1000
}

function oneOf<T>(values: readonly T[], ...words: (string | number)[]): T {
  return values[drawn(...words) % values.length] as T
}

/** A person in the form that contact.import accepts. */
export interface DemoPerson {
  email: string
  name: string
  tags: string[]
  attributes: Record<string, string | number>
  consent?: { email: { status: 'subscribed' | 'unsubscribed'; source: string; text?: string } }
}

export interface Crowd {
  seed: string
  people: number
  tags: readonly string[]
  /** An attribute and its possible values. */
  attribute: { key: string; values: readonly string[] }
  /** Where they agreed, and to which text. */
  source: string
  text: string
}

/** The contacts of a business, in the order in which they joined. */
export function crowd(wanted: Crowd): DemoPerson[] {
  return Array.from({ length: wanted.people }, (_, index) => personAt(wanted, index))
}

function personAt({ seed, tags, attribute, source, text }: Crowd, index: number): DemoPerson {
  const first = oneOf(firstNames, seed, 'first', index)
  const last = oneOf(lastNames, seed, 'last', index)
  const draw = drawn(seed, 'consent', index)
  const consent =
    draw < 900
      ? { status: 'subscribed' as const, source, text }
      : { status: 'unsubscribed' as const, source: 'unsubscribe link' }
  return {
    email: `${asciiOf(first)}.${asciiOf(last)}.${index + 1}@example.com`,
    name: `${first} ${last}`,
    tags: tags.filter((tag, at) => drawn(seed, tag, index) < 420 / (at + 1)),
    attributes: {
      city: oneOf(cities, seed, 'city', index),
      [attribute.key]: oneOf(attribute.values, seed, attribute.key, index),
      visits: drawn(seed, 'visits', index) % 40,
    },
    ...(draw < 965 && { consent: { email: consent } }),
  }
}

function asciiOf(name: string): string {
  const letters = name.replaceAll('ı', 'i').normalize('NFD').toLowerCase()
  return Array.from(letters)
    .filter((letter) => letter >= 'a' && letter <= 'z')
    .join('')
}
