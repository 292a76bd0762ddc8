/**
 * An assistant without a model: it knows no tool and no field, chooses both by comparing the words
 * of its wish with the listed tools, and continues as the answers say. Where it cannot continue, a
 * model would have to guess.
 */
import assert from 'node:assert/strict'
import type { Connection } from './connection.ts'
import { type Fact, fillIn, type Schema, saidOf, type Values } from './fill-in.ts'
import { bestOf } from './words.ts'

export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: Schema
}

/** The person for whom the assistant works. */
export interface Person {
  /** The person's answers to questions. */
  told: readonly Fact[]
  /** Opens a page that the assistant hands over, and decides there. */
  visit(url: string): Promise<void>
}

type Answer = Record<string, unknown>

interface Fix {
  tool?: string
  arguments?: Values
  url?: string
}

const mostSteps = 12
const patienceMs = 60_000

export async function createAssistant({ ask }: Connection, person: Person) {
  const known = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  }
  const begun = (await ask('initialize', known))['result'] as { instructions: string }
  const listed = (await ask('tools/list', {}))['result'] as { tools: Tool[] }
  const { instructions } = begun
  const { tools } = listed
  /** The latest value of each name in the answers. */
  const memory = new Map<string, unknown>()
  const fixed = new Set<string>()
  const calls: string[] = []

  /** The tool that a text mentions, by its full name or without the service's prefix. */
  const spokenOf = (text: string) =>
    tools.find(({ name }) => text.includes(name)) ??
    tools.find(({ name }) => text.includes(name.split(/[._]/).slice(2).join('.')))

  async function call(name: string, input: Values): Promise<{ isError: boolean; answer: Answer }> {
    calls.push(name)
    const body = await ask('tools/call', { name, arguments: input })
    const result = body['result'] as { isError?: boolean; structuredContent: Answer } | undefined
    assert.ok(result, `${name} ${JSON.stringify(input)}: ${JSON.stringify(body)}`)
    if (result.isError !== true) remember(result.structuredContent)
    return { isError: result.isError === true, answer: result.structuredContent }
  }

  function remember(answer: unknown): void {
    if (typeof answer !== 'object' || answer === null) return
    for (const [key, value] of Object.entries(answer)) {
      if (typeof value === 'string') memory.set(key, value)
      else remember(value)
    }
  }

  /** Calls the tool until it succeeds, and applies the fixes that the answers name. */
  async function pursue(tool: Tool, given: readonly Fact[]): Promise<Answer> {
    const trail: string[] = []
    const name = tool.name
    let input = fillIn(tool.inputSchema, given, { memory, schemaOf })
    for (let step = 0; step < mostSteps; step++) {
      const { isError, answer } = await call(name, input)
      trail.push(`${name} ${JSON.stringify(input)} -> ${JSON.stringify(answer).slice(0, 600)}`)
      const todo = fixesIn(answer).filter((fix) => !fixed.has(JSON.stringify(fix)))
      if (!isError && todo.length === 0) return handedOver(answer)
      assert.ok(todo.length > 0, `nothing says how to go on:\n${trail.join('\n')}`)
      for (const fix of todo) {
        fixed.add(JSON.stringify(fix))
        if (fix.tool === name && fix.arguments) {
          input = { ...input, ...answered(fix.arguments) }
        } else if (fix.tool !== undefined) {
          const mended = await call(fix.tool, answered(fix.arguments ?? {}))
          trail.push(`  ${fix.tool} -> ${JSON.stringify(mended.answer).slice(0, 300)}`)
        } else if (fix.url !== undefined) await person.visit(fix.url)
      }
      // Remembered values may have changed, such as the hash of a plan.
      if (name === tool.name)
        input = { ...fillIn(tool.inputSchema, given, { memory, schemaOf }), ...input }
    }
    assert.fail(`no end:\n${trail.join('\n')}`)
  }

  /** The person fills in the values in angle brackets. */
  function answered(input: Values): Values {
    const entries = Object.entries(input).map(([key, value]) => {
      const open = typeof value === 'string' ? /^<(.+)>$/.exec(value) : null
      if (!open) return [key, value]
      const asked = `${key} ${open[1]}`
      const best = bestOf(asked, person.told, ({ about }) => ({ title: about, rest: '' }))
      assert.ok(best, `the person does not know: ${asked}`)
      return [key, best.choice.is]
    })
    return Object.fromEntries(entries)
  }

  /** The instructions say which values the person has to open. */
  async function handedOver(answer: Answer): Promise<Answer> {
    for (const [key, value] of Object.entries(answer)) {
      const isLink = typeof value === 'string' && /^https?:/.test(value)
      if (isLink && instructions.includes(`hand ${key} to the person`)) await person.visit(value)
    }
    return answer
  }

  function schemaOf(text: string): Schema | undefined {
    return spokenOf(text)?.inputSchema
  }

  function toolFor(wish: string, given: readonly Fact[]): Tool {
    // The tool must also have a field for each known fact.
    const words = [wish, wish, ...given.map(({ about }) => about)].join(' ')
    const best = bestOf(words, tools, ({ title, description, inputSchema }) => {
      return { title, rest: `${description} ${saidOf(inputSchema)}` }
    })
    assert.ok(best, `no tool for: ${wish}`)
    return best.choice
  }

  return {
    calls,
    tools,
    /** Makes the call that the instructions name first. */
    async begin(): Promise<Answer> {
      const first = instructions
        .split(/[\s,;:]+/)
        .map((word) => tools.find(({ name }) => name === word))
        .find((tool) => tool !== undefined)
      assert.ok(first, instructions)
      return pursue(first, [])
    },
    /** Fulfils the wish with the tool whose words are most similar to it. */
    async wish(text: string, given: readonly Fact[] = []): Promise<Answer> {
      return pursue(toolFor(text, given), given)
    },
    /** Repeats the wish until the answer contains the sign. */
    async wishUntil(text: string, sign: string, given: readonly Fact[] = []): Promise<Answer> {
      for (const end = Date.now() + patienceMs; ; await pause()) {
        const answer = await pursue(toolFor(text, given), given)
        if (JSON.stringify(answer).includes(sign)) return answer
        assert.ok(Date.now() < end, `${text}: ${JSON.stringify(answer)}`)
      }
    },
  }
}

const pause = () => new Promise((wake) => setTimeout(wake, 300))

/** The fixes that an answer names, at its top level or in its lists. */
function fixesIn(answer: Answer): Fix[] {
  const own = answer['fix'] === undefined ? [] : [answer['fix'] as Fix]
  const lists = Object.values(answer).filter((value) => Array.isArray(value))
  return [
    ...own,
    ...lists
      .flat()
      .flatMap((entry) => (isObject(entry) && entry['fix'] ? [entry['fix'] as Fix] : [])),
  ]
}

function isObject(part: unknown): part is Answer {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}
