/**
 * The hosts of links and pictures whose address is filled in for each recipient: by them a mail tells
 * another server about its recipients. Content is read as a mail program reads it, and rather too
 * strictly.
 */

/** What stands for a host that is itself filled in. */
export const filledInHost = 'a host that is filled in'

/** Every text that occurs in a value, however deep; what is an address by its name, as HTML has it. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) =>
    typeof entry === 'string' && /url|src|href|link/i.test(key) ? [`="${entry}"`] : textsIn(entry),
  )
}

/**
 * The hosts of addresses with anything filled in. A text inside of a Liquid tag may become a part of
 * any address.
 */
export function personalHostsIn(text: string): string[] {
  if (!text.includes('{{') && !text.includes('{%')) return []
  const { runs, tags } = readRuns(text)
  const hosts = [...runs.flatMap(({ marked }) => hostOf(marked) ?? []), ...tags.flatMap(hostInTag)]
  return [...hosts, ...baseHostsOf(text, runs, everyTag)]
}

const hostInTag = ({ words }: LiquidTag) => hostOf(`${withSlashes(words)}${anyTag}`) ?? []

/**
 * The hosts of addresses into which a field of the contact is filled, itself or by a name that it was
 * given. An address that begins with a value of the call may lead anywhere.
 */
export function contactHostsIn(text: string): string[] {
  if (!text.includes('contact')) return []
  const { runs, tags } = readRuns(text)
  const isRenamed = tags.some(({ isOutput, words }) => !isOutput && renames.test(words))
  const namingTags = tags.filter(({ words }) => isRenamed || namesContact.test(words))
  const inRuns = runs.flatMap(({ marked, isAttribute }) => {
    const read = isRenamed ? marked.replaceAll(anyTag, contactTag) : marked
    if (!read.includes(contactTag)) return []
    const host = hostOf(read, [contactTag])
    if (host !== undefined) return [host]
    const isAddress = isAttribute
      ? /^[^\ue001]*\ue000/.test(marked)
      : /^[^\ue000\ue001]*\ue000(?:[\ue000\ue001?#&]|\/[^\ue000\ue001])/.test(marked)
    return isAddress ? [filledInHost] : []
  })
  const ofContact = isRenamed ? everyTag : [contactTag]
  return [...inRuns, ...namingTags.flatMap(hostInTag), ...baseHostsOf(text, runs, ofContact)]
}

/**
 * Where a `base` element sends addresses without a host, if anything is filled into the value of an
 * attribute that has none, or into a text with styles.
 */
function baseHostsOf(text: string, runs: readonly Run[], marks: readonly string[]): string[] {
  const lower = withSlashes(text).toLowerCase()
  if (!lower.includes('<base')) return []
  const isStyled = lower.includes('url(') || lower.includes('<style')
  const isRelative = ({ marked, isAttribute, isQuoted }: Run) => {
    if (!marks.some((mark) => marked.includes(mark))) return false
    if (!isAttribute) return isStyled
    const value = isQuoted ? marked : marked.slice(marked.indexOf('=') + 1)
    return !/^\s*(?:https?:)?\/\//i.test(value)
  }
  return runs.some(isRelative) ? baseHostsIn(lower) : []
}

function baseHostsIn(lower: string): string[] {
  const hosts: string[] = []
  let end = 0
  for (let at = lower.indexOf('<base'); at >= 0; at = lower.indexOf('<base', end)) {
    const close = endOfTag(lower, at)
    // Where it ends is not plain, so that it may lead anywhere.
    if (close === undefined) return [...hosts, filledInHost]
    end = close
    const tag = lower.slice(at, end)
    if (!tag.includes('href')) continue
    const start = tag.indexOf('//')
    const [authority = ''] = start < 0 ? [] : tag.slice(start + 2).split(/["'/?#\s]/, 1)
    const isPlain = authority !== '' && !authority.includes('{') && !authority.includes('&')
    hosts.push(isPlain ? hostOfAuthority(authority) : filledInHost)
  }
  return hosts
}

/** The end of a tag outside of its quoted values; undefined where a quote begins no value, or nothing ends it. */
function endOfTag(text: string, start: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '>') return at
    if (character !== '"' && character !== "'") continue
    const end = followsEquals(text, at) ? text.indexOf(character, at + 1) : -1
    if (end < 0) return undefined
    at = end
  }
  return undefined
}

const namesContact = /\bcontact\b/
/** A capture may enclose any field. */
const renames = /^-?\s*(?:capture\b|(?:assign|for|tablerow|liquid)\s.*\bcontact\b)/s
/** A tag in a run: of a field of the contact, one that puts out something else, or any other. */
const [anyTag, contactTag, plainTag] = ['\ue000', '\ue001', '\ue002']

/** The host of the address in a run that has such a tag in it. */
function hostOf(run: string, marks: readonly string[] = everyTag): string | undefined {
  const last = Math.max(...marks.map((mark) => run.lastIndexOf(mark)))
  if (last < 0) return undefined
  const start = run.indexOf('//')
  if (start >= 0 && start < last) {
    const [authority = ''] = run.slice(start).replace(/^\/+/, '').split(/[/?#]/, 1)
    const isFilledIn = /[\ue000-\ue002&]/.test(authority)
    return isFilledIn ? filledInHost : hostOfAuthority(authority) || filledInHost
  }
  // Mail programs make a link of an address without a scheme too.
  return /(?<![\w@.-])((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24})[/?#]/i
    .exec(run.slice(0, last))?.[1]
    ?.toLowerCase()
}

const everyTag = [anyTag, contactTag, plainTag]

/** Without the user before it and the port after it. */
const hostOfAuthority = (authority: string) =>
  authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:.*$/s, '')
    .toLowerCase()

/** Slashes as browsers read them: in HTML, as backslashes, with line breaks between, or left out. */
function withSlashes(text: string): string {
  return text
    .replace(/&(?:#0{0,5}(?:47|92)|#x0{0,5}(?:2f|5c)|sol|bsol);?/gi, '/')
    .replace(/&(?:#0{0,5}58|#x0{0,5}3a|colon);?/gi, ':')
    .replaceAll('\\', '/')
    .replace(/(?<=[:/])[\t\r\n]{1,9}(?=\/)/g, '')
    .replace(/(?<=\bhttps?:)[\t\r\n]{0,9}(?![\s/])/gi, '//')
}

interface LiquidTag {
  start: number
  end: number
  /** `{{ }}` rather than `{% %}`. */
  isOutput: boolean
  words: string
}

function tagsIn(text: string): LiquidTag[] {
  const tags: LiquidTag[] = []
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    const isOutput = text[start + 1] === '{'
    if (!isOutput && text[start + 1] !== '%') continue
    const close = text.indexOf(isOutput ? '}}' : '%}', start + 2)
    if (close < 0) return tags
    tags.push({ start, end: close + 2, isOutput, words: text.slice(start + 2, close) })
    start = close + 1
  }
  return tags
}

/** A part of a text that can be one address, with a mark for each tag in it. */
interface Run {
  marked: string
  /** Whether it is the value of an attribute, rather than words. */
  isAttribute: boolean
  /** Whether it is the value alone, without the name of its attribute. */
  isQuoted: boolean
}

function readRuns(text: string): { runs: Run[]; tags: LiquidTag[] } {
  const tags = tagsIn(text)
  let marked = ''
  let from = 0
  const isOwnLink = ownLinksAmong(tags)
  for (const tag of tags) {
    const { start, end, isOutput, words } = tag
    const isOfContact = namesContact.test(words) && !renames.test(words)
    const putsOut = (isOutput && !isOwnLink(tag)) || writes.test(words)
    const mark = isOfContact ? contactTag : putsOut ? anyTag : plainTag
    marked += text.slice(from, start) + mark
    from = end
  }
  return { runs: runsIn(withSlashes(marked + text.slice(from))), tags }
}

const writes = /^-?\s*(?:echo|cycle|liquid)\b/
const linkNames = /unsubscribe_url|preferences_url|view_url/g
const ownLink = /^-?\s*(unsubscribe_url|preferences_url|view_url)\s*-?$/

/** Whether a tag puts out a link of the service, to which no other tag gives a value. */
function ownLinksAmong(tags: readonly LiquidTag[]): (tag: LiquidTag) => boolean {
  const changed = new Set<string>()
  for (const { isOutput, words } of tags) {
    if (!isOutput) for (const [name] of words.matchAll(linkNames)) changed.add(name)
  }
  return ({ words }) => {
    const name = ownLink.exec(words)?.[1]
    return name !== undefined && !changed.has(name)
  }
}

function runsIn(text: string): Run[] {
  const runs: Run[] = []
  let start = 0
  let quote: string | undefined
  for (let at = 0; at <= text.length; at++) {
    const character = text[at]
    const isEnd =
      character === undefined || (quote ? character === quote : endsAddress.has(character))
    if (!isEnd) continue
    const marked = text.slice(start, at)
    if (anyMark.test(marked)) {
      const isQuoted = quote !== undefined
      runs.push({ marked, isQuoted, isAttribute: isQuoted || beginsAttribute.test(marked) })
    }
    start = at + 1
    const opens = (character === '"' || character === "'") && quote === undefined
    // The value of an attribute ends with its quote alone.
    quote = opens && followsEquals(text, at) ? character : undefined
  }
  return runs
}

const beginsAttribute = /^[^\ue000-\ue002]*=/
const anyMark = /[\ue000-\ue002]/

/** Whether the last character before, other than spaces, is the sign between attribute and value. */
function followsEquals(text: string, end: number): boolean {
  let at = end - 1
  while (at >= 0 && isSpace.test(text[at] as string)) at--
  return text[at] === '='
}

const isSpace = /\s/

const endsAddress: ReadonlySet<string> = new Set(['"', "'", '<', '>', ')', ' ', '\n', '\t', '\r'])
