/**
 * A second, simple implementation of filters for comparison: one person at a time, on plain
 * objects, following `docs/guides/filters.md`. It finds days by stepping in quarters of an hour.
 */
import { createHash } from 'node:crypto'
import type {
  AttributeValue,
  Channel,
  ConsentStatus,
  ConsentSubject,
  TopicStatus,
} from 'crier-server/contacts/contact.ts'
import type {
  Condition,
  ConsentCondition,
  DidCondition,
  FieldCondition,
  Filter,
  Window,
} from 'crier-server/contacts/filters/filter.ts'

export interface PlainPerson {
  id: string
  email: string | null
  phone: string | null
  name: string | null
  language: string | null
  source: string
  createdAt: Date
  updatedAt: Date
  attributes: Record<string, AttributeValue>
  tags: string[]
  consent: Record<ConsentSubject, ConsentStatus>
  topics: Record<Channel, Record<string, TopicStatus>>
  said: { channel: ConsentSubject; action: ConsentStatus; at: Date }[]
  suppressed: Record<Channel, boolean>
  did: PlainDeed[]
}

/** An event of a person's timeline. */
export interface PlainDeed {
  event: string
  at: Date
  campaign_id?: string | undefined
  template_id?: string | undefined
  form_id?: string | undefined
  channel?: Channel | undefined
  link?: string | undefined
  machine?: boolean | undefined
  value?: number | undefined
  currency?: string | undefined
  properties?: Record<string, unknown> | undefined
}

export interface EvaluationTime {
  now: Date
  zone: string
}

export function fits(filter: Filter, person: PlainPerson, when: EvaluationTime): boolean {
  if ('and' in filter) return filter.and.every((entry) => fits(entry, person, when))
  if ('or' in filter) return filter.or.some((entry) => fits(entry, person, when))
  if ('not' in filter) return !fits(filter.not, person, when)
  return meets(filter, person, when)
}

function meets(condition: Condition, person: PlainPerson, when: EvaluationTime): boolean {
  if ('tag' in condition) return person.tags.includes(condition.tag)
  if ('consent' in condition) return hasSaid(condition, person, when)
  if ('topic' in condition) {
    const { topic, is, channel = 'email' } = condition
    const own = person.topics[channel]
    const said = (Object.hasOwn(own, topic) && own[topic]) || 'none'
    const consent = person.consent[channel]
    if (said !== 'subscribed' || consent === 'subscribed') return said === is
    return is === (consent === 'unsubscribed' ? 'unsubscribed' : 'none')
  }
  if ('reachable' in condition) {
    const { reachable: channel } = condition
    const address = channel === 'email' ? person.email : person.phone
    const mayBe = person.consent[channel] === 'subscribed' && !person.suppressed[channel]
    return address !== null && mayBe
  }
  if ('suppressed' in condition) {
    const { suppressed: channel, reasons } = condition
    const address = channel === 'email' ? person.email : person.phone
    const isMeant = reasons === undefined || reasons.includes('manual')
    return address !== null && person.suppressed[channel] && isMeant
  }
  if ('standing' in condition) {
    const { standing: channel, is } = condition
    const address = channel === 'email' ? person.email : person.phone
    const isStopped = address !== null && person.suppressed[channel]
    return is === (isStopped ? 'suppressed' : person.consent[channel])
  }
  if ('sample' in condition) {
    const id = Buffer.from(person.id.replaceAll('-', ''), 'hex')
    const hash = createHash('sha256').update(id).update(condition.seed).digest()
    return hash.readUInt32BE() / 2 ** 32 < condition.sample / 100
  }
  if ('did' in condition) {
    const { at_most, exactly, at_least: _, ...once } = condition
    const fitsNone = at_most !== undefined || exactly === 0
    if (!didSo(condition, person, when)) return false
    if (!fitsNone || !isOfPeople(condition)) return true
    return didSo(once, person, when) || isKnown(once, person, when)
  }
  if ('did_not' in condition) {
    const { did_not: did, ...narrowing } = condition
    const deed = { did, ...narrowing }
    return !didSo(deed, person, when) && (!isOfPeople(deed) || isKnown(deed, person, when))
  }
  if ('segment' in condition) throw new Error('segments are expanded before')
  return fieldMeets(condition, person, when)
}

const isOfPeople = ({ did, machines = false }: DidCondition) =>
  !machines && (did === 'message.opened' || did === 'message.clicked')

/** Whether it would be known: of people who are tracked, whose mail nothing but they opened. */
function isKnown(condition: DidCondition, person: PlainPerson, when: EvaluationTime): boolean {
  if (person.consent.tracking === 'unsubscribed') return false
  if (condition.did === 'message.clicked') return true
  const { link: _, ...narrowing } = condition
  const isOpened = didSo({ ...narrowing, machines: true }, person, when)
  return !isOpened && !didSo({ ...narrowing, did: 'message.clicked' }, person, when)
}

function didSo(condition: DidCondition, person: PlainPerson, when: EvaluationTime): boolean {
  const { did, machines = false, sum, at_most, exactly, at_least = 1 } = condition
  const deeds = person.did.filter((deed) => {
    if (deed.event !== did || (deed.machine && !machines)) return false
    if (!isWithin(deed.at, condition, when)) return false
    for (const key of ['campaign_id', 'template_id', 'form_id', 'channel', 'currency'] as const) {
      if (condition[key] !== undefined && deed[key] !== condition[key]) return false
    }
    if (!Object.entries(condition.where ?? {}).every(([path, is]) => hasProperty(deed, path, is))) {
      return false
    }
    return condition.link === undefined || new URL(condition.link).href === deed.link
  })
  const amount = sum ? deeds.reduce((all, { value = 0 }) => all + value, 0) : deeds.length
  if (exactly !== undefined) return amount === exactly
  return at_most === undefined ? amount >= at_least : amount <= at_most
}

function hasProperty(
  { value, currency, properties = {} }: PlainDeed,
  path: string,
  comparison: object,
): boolean {
  const [first = '', second] = path.split('.').slice(1)
  const all: Record<string, unknown> = { value, currency, ...properties }
  let held = Object.hasOwn(all, first) ? all[first] : undefined
  if (second !== undefined) {
    const inner = Array.isArray(held) ? {} : ((held ?? {}) as Record<string, unknown>)
    held = Object.hasOwn(inner, second) ? inner[second] : undefined
  }
  const [op = '', other] = Object.entries(comparison)[0] ?? []
  if (op === 'is') return held === other
  if (op === 'in') return (other as unknown[]).includes(held)
  if (op === 'contains') {
    return typeof held === 'string' && held.toLowerCase().includes(String(other).toLowerCase())
  }
  if (typeof held !== 'number') return false
  return op === 'gt' ? held > Number(other) : held < Number(other)
}

function isWithin(
  at: Date,
  { within, since, until }: Window,
  { now, zone }: EvaluationTime,
): boolean {
  if (within !== undefined) return at >= moved(now, within, -1) && at <= now
  const isLate = since === undefined || at >= momentOf(since, zone)
  return isLate && (until === undefined || at < momentOf(until, zone))
}

function hasSaid(condition: ConsentCondition, person: PlainPerson, when: EvaluationTime): boolean {
  const { consent: channel, is, within, since, until } = condition
  if (person.consent[channel] !== is) return false
  if (within === undefined && since === undefined && until === undefined) return true
  return person.said.some((entry) => {
    const isMeant = entry.channel === channel && entry.action === is
    return isMeant && isWithin(entry.at, condition, when)
  })
}

const opposites: Record<string, FieldCondition['op']> = {
  is_not: 'is',
  not_in: 'in',
  not_contains: 'contains',
  missing: 'exists',
}

function fieldMeets(condition: FieldCondition, person: PlainPerson, when: EvaluationTime): boolean {
  const { field, op, value } = condition
  const opposite = opposites[op]
  if (opposite) return !fieldMeets({ ...condition, op: opposite }, person, when)
  if (field.startsWith('attributes.')) {
    const key = field.slice('attributes.'.length)
    const held = Object.hasOwn(person.attributes, key) ? person.attributes[key] : undefined
    return held !== undefined && attributeMeets(held, condition, when)
  }
  const held = {
    email: person.email,
    email_domain: person.email?.split('@').at(-1) ?? null,
    phone: person.phone,
    name: person.name,
    language: person.language,
    source: person.source,
    created_at: person.createdAt,
    updated_at: person.updatedAt,
  }[field]
  if (held === null || held === undefined) return false
  if (op === 'exists') return true
  if (held instanceof Date) return isWhen(held, condition, when)
  const text = held.toLowerCase()
  if (op === 'is') return text === String(value).toLowerCase()
  if (op === 'in') {
    return (value as string[]).some((entry) => entry.toLowerCase() === text)
  }
  return hasPart(text, op, String(value).toLowerCase())
}

function hasPart(text: string, op: string, part: string): boolean {
  if (op === 'contains') return text.includes(part)
  return op === 'starts_with' ? text.startsWith(part) : text.endsWith(part)
}

function attributeMeets(
  held: AttributeValue,
  condition: FieldCondition,
  when: EvaluationTime,
): boolean {
  const { op, value } = condition
  if (op === 'exists') return true
  if (op === 'is') return held === value
  if (op === 'in') return (value as AttributeValue[]).includes(held)
  if (['contains', 'starts_with', 'ends_with'].includes(op)) {
    return typeof held === 'string' && hasPart(held.toLowerCase(), op, String(value).toLowerCase())
  }
  const first = Array.isArray(value) ? value[0] : value
  if (typeof first !== 'number') return typeof held === 'string' && isOn(held, condition, when)
  if (typeof held !== 'number') return false
  if (op === 'gt') return held > first
  if (op === 'gte') return held >= first
  if (op === 'lt') return held < first
  if (op === 'lte') return held <= first
  const [, second = first] = value as number[]
  return held >= first && held <= second
}

/** Whether the year is from 1000 to 2999. */
const calendar = (text: string) =>
  /^[12]/.test(text) &&
  new Date(`${text}T00:00Z`).toString() !== 'Invalid Date' &&
  new Date(`${text}T00:00Z`).toISOString().startsWith(text)

/** A date in an attribute: a day, or a time with its offset; any other value counts as missing. */
function isOn(held: string, condition: FieldCondition, when: EvaluationTime): boolean {
  const isDayAlone = /^\d{4}-\d\d-\d\d$/.test(held) && calendar(held)
  const isMoment =
    /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)$/.test(held) &&
    calendar(held.slice(0, 10)) &&
    !Number.isNaN(Date.parse(held))
  if (!isDayAlone && !isMoment) return false
  if (condition.op === 'anniversary') {
    return daysAhead(String(condition.value), when).some((day) => {
      const isLeapDay = held.slice(5, 10) === '02-29' && day.endsWith('-02-28')
      const isCommonYear = !calendar(`${day.slice(0, 4)}-02-29`)
      return day.slice(5) === held.slice(5, 10) || (isLeapDay && isCommonYear)
    })
  }
  if (isDayAlone && condition.op === 'upcoming') {
    return daysAhead(String(condition.value), when).includes(held)
  }
  return isWhen(momentOf(held, when.zone), condition, when)
}

/** The days from today through the one on which the duration ends. */
function daysAhead(duration: string, { now, zone }: EvaluationTime): string[] {
  const last = localDay(moved(now, duration, 1), zone)
  const ahead: string[] = []
  const day = new Date(`${localDay(now, zone)}T12:00Z`)
  for (let text = ''; text < last; day.setUTCDate(day.getUTCDate() + 1)) {
    text = day.toISOString().slice(0, 10)
    ahead.push(text)
  }
  return ahead
}

function isWhen(held: Date, { op, value }: FieldCondition, { now, zone }: EvaluationTime): boolean {
  const [first = '', second = first] = (Array.isArray(value) ? value : [value]).map(String)
  if (op === 'before') return held < momentOf(first, zone)
  if (op === 'after') return isOver(first, held, zone)
  if (op === 'on' || op === 'between') {
    return held >= momentOf(first, zone) && !isOver(second, held, zone)
  }
  if (op === 'within') return held >= moved(now, first, -1) && held <= now
  if (op === 'older_than') return held < moved(now, first, -1)
  return held >= now && held <= moved(now, first, 1)
}

/** Whether the day, or the time, has passed. */
function isOver(time: string, at: Date, zone: string): boolean {
  return time.length === 10 ? localDay(at, zone) > time : at > new Date(time)
}

const lengths: Record<string, number> = { minute: 60, hour: 3_600, day: 86_400, week: 604_800 }

function moved(now: Date, duration: string, direction: 1 | -1): Date {
  const [count = '', word = ''] = duration.split(' ')
  const unit = word.replace(/s$/, '')
  const by = Number(count) * direction
  const length = lengths[unit]
  if (length) return new Date(now.getTime() + by * length * 1_000)
  const month = now.getUTCMonth() + by * (unit === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const time = now.getTime() % 86_400_000
  const day = Math.min(now.getUTCDate(), lastDay)
  return new Date(Date.UTC(now.getUTCFullYear(), month, day) + time)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function localDay(at: Date, zone: string): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  formats.set(zone, format)
  return format.format(at)
}

const starts = new Map<string, Date>()

/** The time, or the first quarter of an hour at which the zone's calendars show the day. */
function momentOf(time: string, zone: string): Date {
  if (time.length !== 10) return new Date(time)
  const known = starts.get(`${zone} ${time}`)
  if (known) return known
  const quarter = 15 * 60_000
  let at = Date.parse(`${time}T00:00Z`) - 60 * quarter
  while (localDay(new Date(at), zone) < time) at += quarter
  starts.set(`${zone} ${time}`, new Date(at))
  return new Date(at)
}
