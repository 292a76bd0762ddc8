/**
 * An assistant that carries out a job by the list of tools and their answers alone. It chooses a
 * tool by its title, looks for one that is not listed, fills in facts by the words of the schema, and
 * counts its calls and the bytes that it writes and reads.
 */
import assert from 'node:assert/strict'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import type { Tool } from './assistant.ts'
import { type Fact, fillIn, type Schema, saidOf, type Values } from './fill-in.ts'
import { newScrambler } from './scrambled.ts'
import type { Exchange } from './transcripts.ts'
import { bestOf, wordsOf } from './words.ts'

export type Answer = Record<string, unknown>

export type Facts = readonly (readonly [about: string, is: unknown])[]

/** What is said of a tool that was found: its schema is the field that has properties. */
function readFound(entry: Answer): Tool {
  const schema = Object.values(entry).find((part) => isObject(part) && 'properties' in part)
  const texts = Object.values(entry).filter((part) => typeof part === 'string')
  const longest = texts.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const { name, title } = entry as { name: string; title: string }
  return { name, title, description: longest, inputSchema: schema as Schema }
}

const isObject = (part: unknown): part is Answer => typeof part === 'object' && part !== null

export async function newWorker(caller: ToolCaller) {
  const { scramble, restore } = newScrambler()
  const cost = { calls: [] as string[], bytes: 0 }
  /** What it wrote and read, with the service's own names. */
  let exchanges: Exchange[] = []

  async function ask(method: string, params: object): Promise<Record<string, unknown>> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { text } = await caller.send(restore(body), { 'mcp-protocol-version': '2025-11-25' })
    return JSON.parse(scramble(text)) as Record<string, unknown>
  }

  const listed = (await ask('tools/list', {}))['result'] as { tools: Tool[] }
  const tools = new Map(listed.tools.map((tool) => [tool.title, tool]))
  /** Tools that a search found, by their titles. */
  const found = new Map<string, Tool>()
  const isListed = (name: string) => listed.tools.some((tool) => tool.name === name)
  const another = listed.tools.find(({ title }) => /not listed/.test(title))
  const search = listed.tools.find(({ title }) => /find a tool/i.test(title))
  assert.ok(another && search)
  assert.ok(listed.tools.every(({ name }) => /^t_[0-9a-f]{12}$/.test(name)))
  const fields = Object.entries(search.inputSchema.properties ?? {})
  const [searchField = ''] = fields.find(([, { description = '' }]) => description !== '') ?? []

  /** Makes a call, through the tool that calls others where it is not listed. */
  async function call(name: string, input: Values): Promise<{ isError: boolean; answer: Answer }> {
    const direct = { name, arguments: input }
    const inner = { name: another?.name, arguments: { tool: name, arguments: input } }
    const params = isListed(name) ? direct : inner
    const body = await ask('tools/call', params)
    const result = body['result'] as { isError?: boolean; structuredContent: Answer } | undefined
    assert.ok(result, `${restore(JSON.stringify(params))}: ${restore(JSON.stringify(body))}`)
    const tool = restore(name).replace(/^svc\.v1\./, '')
    cost.calls.push(tool)
    cost.bytes += JSON.stringify(params).length + JSON.stringify(result.structuredContent).length
    const exchange = { input, answer: result.structuredContent }
    const plain = JSON.parse(restore(JSON.stringify(exchange))) as Omit<Exchange, 'tool'>
    exchanges.push({ tool, ...plain })
    return { isError: result.isError === true, answer: result.structuredContent }
  }

  async function toolFor(wish: string): Promise<Tool> {
    const known = titled(wish, [...tools.values()]) ?? titled(wish, [...found.values()])
    if (known) return known
    const answer = await lookFor(wish)
    const [list = []] = Object.values(answer).filter((part) => Array.isArray(part))
    for (const tool of (list as Answer[]).map(readFound)) found.set(tool.title, tool)
    const tool = titled(wish, [...found.values()])
    assert.ok(tool, `“${wish}” is none of ${[...found.keys()].join(', ')}`)
    return tool
  }

  const lookFor = async (wish: string) => (await call(search.name, { [searchField]: wish })).answer

  const inputOf = (tool: Tool, given: Facts): Values => {
    const around = { memory: new Map<string, unknown>(), schemaOf: () => undefined }
    const known: Fact[] = given.map(([about, is]) => ({ about, is: { exactly: is } }))
    return fillIn(tool.inputSchema, known, around)
  }

  return {
    cost,
    transcript: () => exchanges,
    /** What an answer says, with the service's own names. */
    plain: (answer: unknown) => restore(JSON.stringify(answer)),
    /** Fulfils a wish with the tool whose title has all its words; a refusal fails. */
    async use(wish: string, given: Facts = []): Promise<Answer> {
      const tool = await toolFor(wish)
      const { isError, answer } = await call(tool.name, inputOf(tool, given))
      assert.ok(!isError, `${wish}: ${restore(JSON.stringify(answer))}`)
      return answer
    },
    /** Asks again until the answer has the sign; only the last call counts. */
    async until(wish: string, given: Facts, sign: RegExp): Promise<Answer> {
      const before = { calls: [...cost.calls], bytes: cost.bytes }
      const earlier = [...exchanges]
      for (const end = Date.now() + patienceMs; ; await pause()) {
        Object.assign(cost, { ...before, calls: [...before.calls] })
        exchanges = [...earlier]
        const answer = await this.use(wish, given)
        if (sign.test(restore(JSON.stringify(answer)))) return answer
        assert.ok(Date.now() < end, `${wish}: ${restore(JSON.stringify(answer))}`)
      }
    },
    /** What was done so far was no part of the job. */
    restart(): void {
      Object.assign(cost, { calls: [], bytes: 0 })
      exchanges = []
    },
    /** Looks for what no tool does. */
    find: lookFor,
  }
}

export type Worker = Awaited<ReturnType<typeof newWorker>>

/** The tool with all the words of the wish in its title; of several, the one with the fewest. */
function titled(wish: string, tools: readonly Tool[]): Tool | undefined {
  const words = wordsOf(wish)
  const fitting = tools.filter(({ title }) => {
    const own = new Set(wordsOf(title))
    return words.every((word) => own.has(word))
  })
  const best = bestOf(wish, fitting, ({ title, description, inputSchema }) => {
    return { title, rest: `${description} ${saidOf(inputSchema)}` }
  })
  return best && fitting.toSorted((a, b) => a.title.length - b.title.length)[0]
}

/** The entries of the lists of an answer in which the text occurs, innermost first. */
export function entriesWith(answer: unknown, text: RegExp): Answer[] {
  if (typeof answer !== 'object' || answer === null) return []
  const inner = Object.values(answer).flatMap((part) => entriesWith(part, text))
  const own = Array.isArray(answer) || !text.test(JSON.stringify(answer)) ? [] : [answer as Answer]
  return [...inner, ...own]
}

/** The id of an entry: the first of its fields that holds one. */
export function idOf(entry: Answer | undefined): string {
  const texts = Object.values(entry ?? {}).filter((value) => typeof value === 'string')
  const id = texts.find((text) => /^k_[0-9a-f]{12}$/.test(text))
  assert.ok(id, JSON.stringify(entry))
  return id
}

const patienceMs = 20_000
const pause = () => new Promise((wake) => setTimeout(wake, 100))

/** The id of the only entry of an answer's lists with the text. */
export function idWith(answer: Answer, text: RegExp): string {
  const entries = Object.values(answer)
    .filter((part) => Array.isArray(part))
    .flatMap((list) => list as Answer[])
    .filter((entry) => text.test(JSON.stringify(entry)))
  assert.equal(entries.length, 1, JSON.stringify(answer).slice(0, 2_000))
  return idOf(entries[0])
}
