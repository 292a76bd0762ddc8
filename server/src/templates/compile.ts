/**
 * Templates are compiled once and rendered for each recipient, in threads. Strangers' templates run
 * nowhere else. Checks and previews have a thread that mail never waits for. A mail's first render
 * runs in a second one, so that a template that never ends delays only other first renders. Known
 * templates have a third. In each thread, businesses share its time evenly.
 */
import { createHash } from 'node:crypto'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { type Id, timeOf } from '../core/ids.ts'
import { setNewest } from '../lib/concurrency/set-newest.ts'
import { cut, type PiecedText, type SharedPiece, textOf } from '../lib/email/quoted-printable.ts'
import {
  type AskOptions,
  createThread,
  isStopped,
  type Stopped,
  type Thread,
  type ThreadOptions,
} from '../lib/threads/thread.ts'
import { createTimeBudget } from '../lib/threads/time-budget.ts'
import type { Look } from './blocks/block.ts'
import type { PreviewSettings } from './preview-data.ts'
import { checkSource, type TemplateSource, templateLimits } from './source.ts'
import type { Answer, MissingValues, Pieces, Question, RenderedContent } from './thread/answer.ts'
import type { CompiledParts, CompiledSource } from './thread/compile.ts'
import type { Converted, Foreign } from './thread/foreign/convert.ts'
import { type Condition, neededVariables } from './variables.ts'

export type Variables = Readonly<Record<string, unknown>>

/** Can be stored as JSON, so that all processes compile a version only once. */
export interface Compiled extends CompiledSource {
  /** Equal for equal parts. */
  key: string
  /** The look of the business that it was compiled for, if it is made of blocks. */
  look?: string
  /** The filters of its blocks, in all languages. */
  conditions?: readonly Condition[]
  /** By canonical BCP 47 tag. */
  translations?: Readonly<Record<string, Compiled>>
}

export interface Rendered {
  subject: string
  html?: string
  text: string
}

/** A template and its business. Threads divide their time by business. */
interface OwnCompiled {
  businessId: Id<'business'>
  compiled: Compiled
}

export interface Templates {
  /** The placeholder in previews for links that are individual to each recipient. */
  readonly testUrl: string
  check(
    businessId: Id<'business'>,
    source: TemplateSource,
    /** For blocks: how the mails of the business look. */
    look?: Look,
  ): Promise<Refusal | Compiled>
  /** Checks a source and previews it, as one question to the thread. */
  checkWithPreviews(
    businessId: Id<'business'>,
    source: TemplateSource,
    options: { look?: Look; previews: PreviewSettings },
  ): Promise<Refusal | { compiled: Compiled; rendered: Rendered[] }>
  /** Checks content that is sent at once, in a thread that other checks do not hold up. */
  checkMail(businessId: Id<'business'>, source: TemplateSource): Promise<Refusal | Compiled>
  /** For previews, in the thread of checks, whose time is limited for each business. */
  preview(template: OwnCompiled, variables: Variables): Promise<Rendered | Refusal>
  /** Several previews as one question to the thread, in the order of the settings. */
  previews(template: OwnCompiled, settings: PreviewSettings): Promise<Rendered[] | Refusal>
  /** For messages to be sent. */
  render(template: OwnCompiled, variables: Variables): Promise<Rendered | Refusal>
  /** Names that the template would output for these variables although they have no value. */
  missingIn(
    template: OwnCompiled,
    variables: Variables,
  ): Promise<MissingValues | undefined | Refusal>
  /** Renders with constant parts already encoded, in the form that `buildMessage` takes. */
  renderContent(template: OwnCompiled, variables: Variables): Promise<RenderedContent | Refusal>
  /**
   * Fills in the template and passes the result to the module of `onward`, in the same thread.
   * `work` returns the data for that: all of it if the thread has not received or has dropped it.
   * Undefined for a template that must be rendered separately first, or that was slow. Of several
   * calls for a new template, the first gets undefined, and the others wait for its render.
   */
  hand(template: OwnCompiled, work: (whole: boolean) => unknown): Promise<unknown>
  /** The text of HTML that is not a template, with each link's address after its text. */
  textOf(businessId: Id<'business'>, html: string): Promise<string | Refusal>
  /** A mail of another program as blocks, in the thread of checks. */
  convert(businessId: Id<'business'>, foreign: Foreign): Promise<Converted | Refusal>
  /** Prepares a template from which many messages will soon be rendered. */
  warm(): void
  close(): Promise<void>
}

export interface TemplatesOptions {
  /** How long an idle thread is kept. The default is 1 minute. */
  idleMs?: number
  checkMs?: number
  deadlineMs?: number
  /** Milliseconds of the thread of checks that a business may use per minute. */
  checksMsPerMinute?: number
  /** What follows a stopped check, if it is not that of `templateLimits`. */
  afterStop?: NonNullable<ThreadOptions['afterStop']>
  /** The module that continues with results of known templates, in their thread. May be absent. */
  onward?: { module: URL; data: () => unknown }
  /** The service's address, for the links of previews. */
  baseUrl?: string
}

interface Fixed {
  html: SharedPiece[]
  text: SharedPiece[]
}

/** Versions whose fixed texts are cached in encoded form. Each takes about twice its HTML. */
const keptTemplates = 200

export function createTemplates(options: TemplatesOptions = {}): Templates {
  const {
    checkMs = templateLimits.checkMs,
    deadlineMs = templateLimits.deadlineMs,
    checksMsPerMinute = templateLimits.checksMsPerMinute,
    afterStop = templateLimits.afterStop,
    onward,
    baseUrl = 'http://localhost:8080',
  } = options
  const pictures = `${baseUrl}/images/`
  const { checksWaiting, mailsWaiting: mostWaiting } = templateLimits
  const module = new URL('./thread/main.ts', import.meta.url)
  const thread = (heapMb: number, more: Partial<ThreadOptions>) =>
    createThread<Question, Answer>({
      module,
      heapMb,
      mostWaiting,
      ...more,
      ...(options.idleMs !== undefined && { idleMs: options.idleMs }),
    })
  const checks = thread(256, {
    mostWaiting: checksWaiting,
    budget: createTimeBudget(checksMsPerMinute),
    sharedBudget: (tenant) => (isYoung(tenant as Id<'business'>) ? 'young' : undefined),
    afterStop,
    givesWay: true,
  })
  const first = thread(256, {})
  const compiler = thread(128, onward ?? {})
  const fixed = new Map<string, Fixed>()
  const slow = new Set<string>()
  /** First renders that are waiting or under way. */
  const firsts = new Map<string, FirstRender>()

  return {
    testUrl: `${baseUrl}/u/test`,
    async check(businessId, source, look) {
      const question = { source, ...(look && { look }) }
      const checked = await checkIn(checks, question, { tenant: businessId, deadlineMs: checkMs })
      return isRefusal(checked) ? checked : checked.compiled
    },
    checkWithPreviews: (businessId, source, { look, previews }) =>
      checkIn(
        checks,
        { source, previews: copied(previews), ...(look && { look }) },
        { tenant: businessId, deadlineMs: checkMs },
      ),
    async checkMail(businessId, source) {
      const checked = await checkIn(first, { source }, { tenant: businessId, deadlineMs })
      return isRefusal(checked) ? checked : checked.compiled
    },
    async previews({ businessId, compiled: { parts, variables: names } }, settings) {
      const question = { ask: 'previews' as const, parts, names, previews: copied(settings) }
      const answer = await checks.ask(question, { tenant: businessId, deadlineMs: checkMs })
      if (isStopped(answer)) return stoppedRefusal(answer)
      if (answer.told === 'wrong') return partRefusal(answer)
      if (answer.told !== 'previews') throw new Error(`a thread answered ${answer.told}`)
      return answer.rendered
    },
    async preview(template, variables) {
      const content = contentOf(template, await askWith(checks, template, variables))
      return isRefusal(content) ? content : wholeOf(content)
    },
    async render(template, variables) {
      const content = await this.renderContent(template, variables)
      return isRefusal(content) ? content : wholeOf(content)
    },
    async renderContent(template, variables) {
      return contentOf(template, await ask(template, variables))
    },
    async hand(template, work) {
      if (!onward) return undefined
      const { key } = template.compiled
      if (!fixed.has(key)) {
        const waiting = firsts.get(key)
        if (!waiting) {
          firsts.set(key, firstRender())
          return undefined
        }
        await waiting.wait()
      }
      if (!isQuick(key)) return undefined
      const answer = await askKnown(template, (parts) => {
        return { ask: 'hand', key, work: work(parts !== undefined), ...(parts && { parts }) }
      })
      if (isStopped(answer)) {
        if (isBusy(answer)) return stoppedRefusal(answer)
        markSlow(key)
        return undefined
      }
      if (answer.told === 'wrong') return partRefusal(answer)
      if (answer.told !== 'done') throw new Error(`a thread answered ${answer.told}`)
      return answer.done
    },
    async missingIn({ businessId, compiled: { parts, variables: used } }, variables) {
      const texts = Object.values(parts).filter((part) => part !== undefined)
      const names = namesWithoutValue(texts, used, variables)
      if (names.length === 0) return undefined
      const question = { ask: 'missing' as const, parts, variables, names }
      const answer = await first.ask(question, { tenant: businessId, deadlineMs })
      if (isStopped(answer)) return stoppedRefusal(answer)
      if (answer.told === 'wrong') return partRefusal(answer)
      if (answer.told !== 'missing') throw new Error(`a thread answered ${answer.told}`)
      return answer.missing
    },
    async textOf(businessId, html) {
      const answer = await first.ask({ ask: 'text', html }, { tenant: businessId, deadlineMs })
      if (isStopped(answer)) return stoppedRefusal(answer)
      if (answer.told !== 'text') throw new Error(`a thread answered ${answer.told}`)
      return answer.text
    },
    async convert(businessId, foreign) {
      const question = { ask: 'convert' as const, foreign }
      const answer = await checks.ask(question, { tenant: businessId, deadlineMs: checkMs })
      if (isStopped(answer)) return stoppedRefusal(answer)
      if (answer.told === 'wrong') return partRefusal(answer)
      if (answer.told !== 'converted') throw new Error(`a thread answered ${answer.told}`)
      return answer.converted
    },
    warm() {
      first.warm()
      compiler.warm()
    },
    async close() {
      for (const waiting of firsts.values()) waiting.end()
      await Promise.all([checks, first, compiler].map((entry) => entry.close()))
    },
  }

  async function checkIn(
    thread: Thread<Question, Answer>,
    question: { source: TemplateSource; look?: Look; previews?: PreviewSettings },
    asking: AskOptions,
  ): Promise<Refusal | { compiled: Compiled; rendered: Rendered[] }> {
    const refusal = checkSource(question.source)
    if (refusal) return refusal
    const look = { ...(question.look ?? { language: 'en', colour: null }), pictures }
    const answer = await thread.ask({ ask: 'compile', ...question, look }, asking)
    if (isStopped(answer)) return stoppedRefusal(answer)
    if (answer.told === 'wrong') return partRefusal(answer)
    if (answer.told !== 'compiled') throw new Error(`a thread answered ${answer.told}`)
    const { compiled, rendered } = answer
    return { compiled: { ...compiled, key: keyOf(compiled.parts) }, rendered }
  }

  /** A version that was rendered before, and not too slowly. */
  function isQuick(key: string): boolean {
    return fixed.has(key) && !slow.has(key)
  }

  function markSlow(key: string): void {
    if (slow.size >= keptTemplates) slow.clear()
    slow.add(key)
  }

  /** After its first render a version moves to the quick thread, and back if it is slow there. */
  async function ask(template: OwnCompiled, variables: Variables): Promise<Answer | Stopped> {
    const { key } = template.compiled
    if (!fixed.has(key)) return firstOf(template, variables)
    if (isQuick(key)) {
      const answer = await askKnown(template, (progress) => {
        return { ask: 'render', key, variables, ...(progress && { parts: progress }) }
      })
      if (!isStopped(answer) || isBusy(answer)) return answer
      markSlow(key)
    }
    return askWith(first, template, variables)
  }

  async function firstOf(template: OwnCompiled, variables: Variables): Promise<Answer | Stopped> {
    const { key } = template.compiled
    try {
      return await askWith(first, template, variables)
    } finally {
      const waiting = firsts.get(key)
      firsts.delete(key)
      // Ends the wait after the microtasks that store the fixed texts.
      setImmediate(() => waiting?.end())
    }
  }

  function askWith(
    thread: Thread<Question, Answer>,
    { businessId, compiled }: OwnCompiled,
    variables: Variables,
  ): Promise<Answer | Stopped> {
    const { key, parts } = compiled
    return thread.ask({ ask: 'render', key, parts, variables }, { tenant: businessId, deadlineMs })
  }

  /** Sends the parts only if the thread has not received them, or has dropped them. */
  async function askKnown(
    { businessId, compiled: { key, parts } }: OwnCompiled,
    question: (parts?: CompiledParts) => Question,
  ): Promise<Answer | Stopped> {
    const asking = { tenant: businessId, deadlineMs: templateLimits.renderMs }
    const onCost = (ms: number) => {
      if (ms > templateLimits.quickMs) markSlow(key)
    }
    const answer = await compiler.ask(question(), { ...asking, onCost })
    const unknown = !isStopped(answer) && answer.told === 'unknown'
    // Not measured, because the thread parses the template first.
    return unknown ? compiler.ask(question(parts), asking) : answer
  }

  function contentOf(
    { compiled: { key } }: OwnCompiled,
    answer: Answer | Stopped,
  ): RenderedContent | Refusal {
    if (isStopped(answer)) return stoppedRefusal(answer)
    if (answer.told === 'wrong') return partRefusal(answer)
    if (answer.told !== 'rendered') throw new Error(`a thread answered ${answer.told}`)
    const { subject, html, text, fixed: answeredTexts } = answer.rendered
    let texts = fixed.get(key)
    if (answeredTexts) {
      texts = { html: answeredTexts.html.map(cut), text: answeredTexts.text.map(cut) }
      setNewest(fixed, [key, texts], keptTemplates)
    }
    if (!texts) throw new Error('a thread told the numbers of texts that nobody has')
    const filled = (pieces: Pieces, cuts: SharedPiece[]): PiecedText =>
      pieces.map((piece) => (typeof piece === 'string' ? piece : (cuts[piece] ?? '')))
    return {
      subject,
      ...(html && { html: filled(html, texts.html) }),
      text: filled(text, texts.text),
    }
  }
}

/** Of the facts of the business, the thread of strangers' templates gets only those they may show. */
function copied({ business, ...settings }: PreviewSettings): PreviewSettings {
  const { name, postalAddress, timeZone } = business
  return { ...settings, business: { name, postalAddress, timeZone } }
}

function wholeOf({ subject, html, text }: RenderedContent): Rendered {
  return { subject, ...(html !== undefined && { html: textOf(html) }), text: textOf(text) }
}

/** Who signs up many times to flood the service gets no more time than who does so once. */
function isYoung(businessId: Id<'business'>): boolean {
  return Date.now() - timeOf(businessId).getTime() < templateLimits.youngMs
}

function keyOf(parts: CompiledParts): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** How long other renders wait for the first one, which may never finish. */
const firstMs = 1_000

interface FirstRender {
  wait(): Promise<void>
  end(): void
}

/** The first render of a template, for which other renders of it wait. */
function firstRender(): FirstRender {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, firstMs).unref()
  return {
    wait() {
      // The process must not end while a caller waits: the threads may be idle meanwhile.
      timer.ref()
      return over
    },
    end() {
      clearTimeout(timer)
      resolve()
    },
  }
}

/** The template is not at fault: the thread currently has no time for it. */
function isBusy({ stopped }: Stopped): boolean {
  return stopped !== 'deadline' && stopped !== 'memory'
}

function stoppedRefusal({ stopped, step, retryAfter = 1 }: Stopped): Refusal {
  switch (stopped) {
    case 'closed':
      return refuse('unavailable', 'The service is stopping.')
    case 'budget':
      return refuse('rate_limited', usedUp(retryAfter), { retryAfter })
    case 'shared budget':
      return refuse('rate_limited', sharedUsedUp(retryAfter), { retryAfter })
    case 'after stops':
      return refuse('rate_limited', afterStops(retryAfter), { retryAfter })
    case 'full':
      return refuse('rate_limited', manyWait, { retryAfter })
    case 'all full':
      return refuse('unavailable', allWait, { retryAfter })
    case 'deadline':
    case 'memory':
      return tooMuch(stopped, step)
  }
}

function tooMuch(stopped: 'deadline' | 'memory', step: string | undefined): Refusal {
  const part = step ?? 'template'
  const reason = stopped === 'deadline' ? 'takes too long' : 'takes too much memory'
  const text = `${part} ${reason}: look for loops over many items, very large ones, or many rules of style.`
  const data = { reason: 'template_too_heavy' }
  return refuse('invalid_request', text, step === undefined ? { data } : { field: step, data })
}

const secondsOfChecks = templateLimits.checksMsPerMinute / 1_000

function usedUp(retryAfter: number): string {
  return `This business has used the ${secondsOfChecks} seconds of computing that it may use in a minute to check and preview templates. Try again in ${retryAfter} s, or with simpler templates. Its mail goes out meanwhile.`
}

function sharedUsedUp(retryAfter: number): string {
  return `Businesses that are less than a day old share ${secondsOfChecks} seconds of computing a minute to check and preview templates, and have used them. Try again in ${retryAfter} s. Mail goes out meanwhile.`
}

function afterStops(retryAfter: number): string {
  return `Two checks or previews of this business had to be stopped because they took too long. Simplify the template: look for loops over many items, very large ones, or many rules of style. Try again in ${retryAfter} s. Mail goes out meanwhile.`
}

const manyWait = `${templateLimits.checksWaiting.each} checks and previews of this business wait for their turn already. Try again in a second, and send them one after the other.`

const allWait = 'Too many templates wait to be checked at the moment. Try again in a second.'

/** The refusal of a part of a template that cannot be compiled or filled in. */
function partRefusal({ place: part, message }: { place: string; message: string }): Refusal {
  return refuse('invalid_request', message, {
    field: part,
    data: { reason: 'template_fault', fault: message },
  })
}

/**
 * Returns the names that a `{{ }}` of the texts outputs without a default, that the call has to
 * provide, and that have no value. What the contact lacks is empty, as it is in campaigns. Whether
 * each name is reached (a condition may skip it) is known only once the template is rendered:
 * `Templates.missingIn`.
 */
function namesWithoutValue(
  texts: readonly string[],
  names: readonly string[],
  variables: Readonly<Record<string, unknown>>,
): string[] {
  const missing = neededVariables(names).filter((name) => !hasValue(variables, name))
  if (missing.length === 0) return []
  const printed = new Set(
    texts.flatMap((text) => outputsOf(text).filter(hasNoDefault).flatMap(wordsOf)),
  )
  return missing.filter((name) => printed.has(name))
}

/** The contents between `{{` and `}}`. */
function outputsOf(text: string): string[] {
  const outputs: string[] = []
  let at = text.indexOf('{{')
  while (at >= 0) {
    const end = text.indexOf('}}', at)
    if (end < 0) break
    outputs.push(text.slice(at + 2, end))
    at = text.indexOf('{{', end)
  }
  return outputs
}

function hasNoDefault(output: string): boolean {
  const [, ...filters] = output.split('|')
  return !filters.some((filter) => filter.trimStart().startsWith('default'))
}

/** Names in the form that Liquid reports: without the numbers of items. */
function wordsOf(output: string): string[] {
  return output.replace(/\[\d{1,9}\]/g, '').split(/[^\w.-]/)
}

/** Built-in properties of lists and texts count as values. */
function hasValue(variables: Readonly<Record<string, unknown>>, name: string): boolean {
  let value: unknown = variables
  for (const key of name.split('.')) {
    if (Array.isArray(value) || (typeof value === 'string' && key === 'size')) return true
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
    value = (value as Record<string, unknown>)[key]
  }
  return value !== null && value !== undefined
}
