/** Filters in words, for people who only want to know whom one selects. */
import { contactWords } from '../../words/contacts.ts'
import { filterWords } from '../../words/filters.ts'
import { durationOf, type Filter } from './model.ts'

/** Levels that are written out. */
const deepest = 5

/** What conditions name by an id, as people know it. */
type Names = ReadonlyMap<string, string>

export function filterInWords(filter: Filter, names: Names = new Map(), depth = 0): string {
  const { said } = filterWords
  if (depth > deepest) return said.other
  const inner = (entry: unknown) => filterInWords(entry as Filter, names, depth + 1)
  for (const join of ['and', 'or'] as const) {
    const list = filter[join]
    if (!Array.isArray(list)) continue
    const text = list.map(inner).join(said[join])
    return depth > 0 && list.length > 1 ? `(${text})` : text
  }
  if (filter['not'] !== undefined) return said.not(inner(filter['not']))
  return conditionInWords(filter, names) ?? said.other
}

/** The campaign whose recipients neither opened nor clicked, where the filter is that of sending again. */
export function campaignNotOpened(filter: Filter): string | undefined {
  const [sent, unopened, unclicked] = Array.isArray(filter['and'])
    ? (filter['and'] as Filter[])
    : []
  const id = sent?.['campaign_id']
  const clicked = unclicked?.['not'] as Filter | undefined
  const isOfOne = [unopened, clicked].every((condition) => condition?.['campaign_id'] === id)
  const isNotOpened = unopened?.['did_not'] === 'message.opened'
  const isNotClicked = clicked?.['did'] === 'message.clicked'
  const isIt = sent?.['did'] === 'message.sent' && isNotOpened && isNotClicked && isOfOne
  return isIt && typeof id === 'string' ? id : undefined
}

/** Undefined for a condition that these words cannot tell in full. */
function conditionInWords(condition: Filter, names: Names): string | undefined {
  const { tag, consent, reachable, topic, is, channel, within, since, until, ...rest } = condition
  const { field, op, value, did, did_not, sample, seed: _seed, ...others } = rest
  const {
    standing,
    suppressed,
    reasons: _reasons,
    segment,
    campaign_id,
    form_id,
    where,
    ...more
  } = others
  if (Object.keys(more).length > 0 || channel !== undefined) return undefined
  const { said, operators, events, neverDid, consents } = filterWords
  const period = periodInWords({ within, since, until })
  const how = (subject: unknown) => operators[shown(subject)] ?? ''
  if (tag !== undefined) return said.tag(shown(tag))
  if (reachable !== undefined) return said.reachable(how(reachable))
  if (suppressed !== undefined) return said.suppressed(how(suppressed))
  if (standing !== undefined) return said.standing(stateInWords(is), how(standing))
  if (consent !== undefined) return `${consents[shown(is)] ?? shown(is)} ${how(consent)}${period}`
  if (topic !== undefined) {
    return said.topic(names.get(shown(topic)) ?? shown(topic), consents[shown(is)] ?? shown(is))
  }
  if (segment !== undefined) {
    const name = names.get(shown(segment))
    return name === undefined ? said.aSegment : said.segment(name)
  }
  const limited =
    where !== undefined
      ? said.with(rulesInWords(where as Rules))
      : campaign_id !== undefined
        ? said.ofCampaign
        : form_id !== undefined
          ? said.ofForm
          : ''
  if (did !== undefined) return (events[shown(did)] ?? said.did(shown(did))) + limited + period
  if (did_not !== undefined) {
    const event = shown(did_not)
    const never = neverDid[event] ?? said.never(events[event] ?? said.did(event))
    return never + limited + period
  }
  if (sample !== undefined) return said.sample(shown(sample))
  return typeof field === 'string' ? fieldInWords(field, op, value) : undefined
}

type Rules = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Comparisons of the properties of an event. */
function rulesInWords(where: Rules): string {
  const { said } = filterWords
  const words: Readonly<Record<string, string>> = said.property
  const rules = Object.entries(where).map(([path, comparison]) => {
    const [op = '', value] = Object.entries(comparison)[0] ?? []
    const how = op === 'entry' ? said.sameAsEntry(shown(value)) : `${words[op]} ${shown(value)}`
    return `${path.replace(/^properties\./, '')} ${how}`
  })
  return rules.join(said.and)
}

function stateInWords(is: unknown): string {
  const states: Record<string, string> = contactWords.consent
  return (states[shown(is)] ?? shown(is)).toLowerCase()
}

function fieldInWords(field: string, op: unknown, value: unknown): string | undefined {
  const { kinds, operators } = filterWords
  const operator = operators[shown(op)]
  if (operator === undefined) return undefined
  const name = kinds[field] ?? field.replace(/^attributes\./, '')
  const isDuration = ['within', 'older_than', 'upcoming', 'anniversary'].includes(shown(op))
  const text = isDuration ? durationInWords(shown(value), shown(op)) : shown(value)
  return `${name} ${operator}${value === undefined ? '' : ` ${text}`}`
}

/** "60 days" in the language of the app. */
function durationInWords(value: string, operator: string): string {
  const { count, unit } = durationOf(value)
  return isUnit(unit) ? filterWords.duration(count, unit, operator) : `${count} ${unit}`
}

const isUnit = (unit: string): unit is keyof typeof filterWords.units => unit in filterWords.units

function periodInWords(period: { within: unknown; since: unknown; until: unknown }): string {
  const { said, sinceEntry, sinceStep } = filterWords
  const { within, since, until } = period
  const parts = [
    within !== undefined && said.within(durationInWords(shown(within), 'within')),
    since === 'entry' && sinceEntry,
    since === 'step' && sinceStep,
    since !== undefined && since !== 'entry' && since !== 'step' && said.since(shown(since)),
    until !== undefined && said.until(shown(until)),
  ]
  return parts.map((part) => (part ? ` ${part}` : '')).join('')
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
