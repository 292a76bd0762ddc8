/**
 * Ids and what they name. Internally an id is a uuid branded with its noun (`lib/text/uuid.ts`);
 * callers see a prefix and 26 characters: `bus_01jd…`.
 */
import * as uuid from '../lib/text/uuid.ts'

const prefixes = {
  business: 'bus',
  user: 'usr',
  connection: 'cnx',
  client: 'cli',
  form: 'frm',
  submission: 'sub',
  contact: 'con',
  domain: 'dom',
  webhook: 'whk',
  event: 'evt',
  delivery: 'dlv',
  message: 'msg',
  template: 'tpl',
  campaign: 'cmp',
  request: 'req',
  job: 'job',
  link: 'lnk',
  invitation: 'inv',
  session: 'ses',
  mail: 'mai',
  text: 'txt',
  audit: 'aud',
  activity: 'act',
  note: 'nte',
  consent: 'cns',
  confirmation: 'cnf',
  templateVersion: 'tpv',
  reply: 'rpl',
  segment: 'seg',
  tagging: 'tgg',
  import: 'imp',
  image: 'img',
  sequence: 'seq',
  feed: 'fed',
  entry: 'ent',
  passkey: 'pky',
  mandate: 'mdt',
  removal: 'rmv',
  proposal: 'prp',
  batch: 'bat',
} as const

export type Noun = keyof typeof prefixes

/**
 * The prefix of the ids in a field: `cmp` for `campaign_id`. Undefined if the field's name is not
 * that of an id.
 */
export function prefixOfField(field: string): string | undefined {
  const noun = Object.keys(prefixes).find(
    (noun) => field === `${noun}_id` || field.endsWith(`_${noun}_id`),
  )
  return noun && prefixes[noun as Noun]
}

export type Id<N extends Noun> = uuid.Id<N>

/** Makes a new id, greater than every id that this process made before. */
export const newId: <N extends Noun>(noun: N) => Id<N> = uuid.newId

/** The lowest id that could have been made at that moment, so that lists by time are lists by id. */
export const lowestIdAt: <N extends Noun>(noun: N, moment: Date) => Id<N> = uuid.lowestIdAt

/** The time at which the id was made, by the clock of the machine that made it. */
export const timeOf: (id: Id<Noun>) => Date = uuid.timeOf

/** The place of the version in a uuid. Ids that the service makes are of version 7. */
const versionAt = 14

/**
 * The hidden twin in which a business's test keys act: the same id as a uuid of version 8 (RFC 9562
 * section 5.8), so that it is known without asking the database.
 */
export function twinOf(id: Id<'business'>): Id<'business'> {
  return `${id.slice(0, versionAt)}8${id.slice(versionAt + 1)}` as Id<'business'>
}

export const isTwin = (id: Id<'business'>): boolean => id[versionAt] === '8'

/** The business of which this is the twin, or the business itself. */
export function liveOf(id: Id<'business'>): Id<'business'> {
  if (!isTwin(id)) return id
  return `${id.slice(0, versionAt)}7${id.slice(versionAt + 1)}` as Id<'business'>
}

/**
 * The public spelling: `formatId('business', id)` gives `bus_…`. Callers know a twin by the id of
 * the business that they named.
 */
export function formatId<N extends Noun>(noun: N, id: Id<N>): string {
  const liveId = noun === 'business' ? liveOf(id as Id<'business'>) : id
  return `${prefixes[noun]}_${uuid.spell(liveId)}`
}

/** The public spelling of a new id. */
export function newPublicId(noun: Noun): string {
  return formatId(noun, newId(noun))
}

/** The id behind a public spelling, or undefined where the text is not a valid id of this noun. */
export function parseId<N extends Noun>(noun: N, text: string): Id<N> | undefined {
  const prefix = prefixes[noun]
  const start = prefix.length + 1
  if (!text.startsWith(prefix) || text[start - 1] !== '_') return undefined
  return uuid.unspell(text, start) as Id<N> | undefined
}
