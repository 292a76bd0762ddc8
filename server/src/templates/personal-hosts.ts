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
  const inTags = tags.flatMap(({ words }) => hostOf(`${withSlashes(words)}${anyTag}`) ?? [])
  return [...runs.flatMap((run) => hostOf(run) ?? []), ...inTags]
}

/**
 * The hosts of addresses into which a field of the contact is filled, itself or by a name that it was
 * given. An address that begins with a value of the call may lead anywhere.
 */
export function contactHostsIn(text: string): string[] {
  if (!text.includes('contact')) return []
  const { runs, tags } = readRuns(text)
  const isRenamed = tags.some(({ isOutput, words }) => !isOutput && renames.test(words))
  return runs.flatMap((run) => {
    const read = isRenamed ? run.replaceAll(anyTag, contactTag) : run
    if (!read.includes(contactTag)) return []
    const host = hostOf(read, [contactTag])
    if (host !== undefined) return [host]
    return /^[^\ue001]*\ue000/.test(run) ? [filledInHost] : []
  })
}

const renames = /^-?\s*(?:assign|capture|for|tablerow)\s.*\bcontact\b/s
/** A tag in a run: of a field of the contact, one that puts out something else, or any other. */
const [anyTag, contactTag, plainTag] = ['\ue000', '\ue001', '\ue002']

/** The host of the address in a run that has such a tag in it. */
function hostOf(run: string, marks: readonly string[] = everyTag): string | undefined {
  const last = Math.max(...marks.map((mark) => run.lastIndexOf(mark)))
  if (last < 0) return undefined
  const start = run.indexOf('//')
  if (start >= 0 && start < last) {
    const rest = run.slice(start).replace(/^\/+/, '')
    const end = rest.search(/[/?#:\ue000-\ue002]/)
    const host = end < 0 ? rest : rest.slice(0, end)
    const isFilledIn = end >= 0 && /[\ue000-\ue002]/.test(rest[end] as string)
    return isFilledIn || host === '' ? filledInHost : hostAfterUser(host)
  }
  // Mail programs make a link of an address without a scheme too.
  return /(?<![\w@.-])((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24})[/?#]/i
    .exec(run.slice(0, last))?.[1]
    ?.toLowerCase()
}

const everyTag = [anyTag, contactTag, plainTag]

const hostAfterUser = (host: string) => host.slice(host.lastIndexOf('@') + 1).toLowerCase()

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

/** The parts of a text that can each be one address, with a mark for each tag in them. */
function readRuns(text: string): { runs: string[]; tags: LiquidTag[] } {
  const tags = tagsIn(text)
  let marked = ''
  let from = 0
  for (const { start, end, isOutput, words } of tags) {
    const isOfContact = /\bcontact\b/.test(words) && !renames.test(words)
    const mark = isOfContact ? contactTag : isOutput ? anyTag : plainTag
    marked += text.slice(from, start) + mark
    from = end
  }
  return { runs: runsIn(withSlashes(marked + text.slice(from))), tags }
}

function runsIn(marked: string): string[] {
  const runs: string[] = []
  let start = 0
  let quote: string | undefined
  for (let at = 0; at <= marked.length; at++) {
    const character = marked[at]
    const isEnd =
      character === undefined || (quote ? character === quote : endsAddress.has(character))
    if (!isEnd) continue
    if (at > start) runs.push(marked.slice(start, at))
    start = at + 1
    const opens = (character === '"' || character === "'") && quote === undefined
    // The value of an attribute ends with its quote alone.
    quote = opens && marked[at - 1] === '=' ? character : undefined
  }
  return runs.filter((run) => /[\ue000-\ue002]/.test(run))
}

const endsAddress: ReadonlySet<string> = new Set(['"', "'", '<', '>', ')', ' ', '\n', '\t', '\r'])
